"""PGN-like text of match records: formatting and parsing. Pure.

docs/reference/records.md describes the format for authors of other parsers.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.model.timestamps import format_timestamp, parse_seconds, parse_timestamp
from arena.storage.lexer import (
    TokenStream,
    parse_integer,
    quote,
    unquote,
)
from arena.storage.record import NumberedRecords, validate_record

PLAN = "%plan "  # PGN ignores lines that begin with %
WINNERS: dict[str, int | None] = {"1-0": 1, "0-1": 2, "1/2-1/2": None, "*": None}
OPENING = "opening"  # the comment on its moves, which have no times
YES = "yes"
NO_ANSWER = "-"  # in place of a fault's move
TIMES = ("elapsed", "credit", "charged", "lag")


def format_plan(plan: str) -> str:
    """Return the first line of a text: the plan of a tournament, which is JSON."""
    return f"{PLAN}{' '.join(plan.splitlines())}\n"


def format_record(record: MatchRecord) -> str:
    """Return the text of a record: its tags, a line for each move, and the result."""
    tags = "".join(f"[{name} {quote(value)}]\n" for name, value in _tags(record))
    moves = "".join(f"{line}\n" for line in _move_lines(record))
    return f"{tags}\n{moves}{_result_text(record.result)}\n\n"


def parse(lines: Iterable[str]) -> tuple[str | None, NumberedRecords]:
    """Parse a text.

    Args:
        lines: The lines of the text, with or without line ends.

    Returns:
        The plan, or None, and an iterator over the records, which are parsed as it advances.

    Raises:
        ValueError: If the text is invalid, also from the iterator; the message begins with the
            number of the line.
    """
    rest = iter(lines)
    first = next(rest, "")
    plan = first.removeprefix(PLAN).strip("\r\n") if first.startswith(PLAN) else None
    return plan, _parse_records(TokenStream(itertools.chain([first], rest)))


def _result_text(result: MatchResult) -> str:
    if result.winner is None:
        return "1/2-1/2" if result.is_draw else "*"
    return "1-0" if result.winner == 1 else "0-1"


def _tags(record: MatchRecord) -> Iterator[tuple[str, str]]:
    pairing, result = record.pairing, record.result
    yield "Game", pairing.game
    yield "Setup", " ".join(f"{name}={value}" for name, value in pairing.setup.items())
    if pairing.number is not None:
        yield "Number", str(pairing.number)
    yield "Id", str(record.id)
    yield "Player1", pairing.players[0]
    yield "Player2", pairing.players[1]
    yield "Result", _result_text(result)
    yield "Termination", result.termination
    yield "Reason", result.reason
    yield "TimeControl", record.time_control
    yield "Started", format_timestamp(record.started_at)
    yield "Finished", format_timestamp(record.finished_at)
    if pairing.opening:
        yield "Opening", " ".join(map(str, pairing.opening))
    if pairing.casual:
        yield "Casual", YES


def _move_lines(record: MatchRecord) -> Iterator[str]:
    for ply, move in enumerate(record.pairing.opening):
        yield f"{_move_number(ply)} {move} {_comment([OPENING])}"
    for played in record.moves:
        yield f"{_move_number(played.ply)} {played.move} {_comment(_format_times(played))}"
    if fault := record.fault:
        move_text = NO_ANSWER if fault.move is None else str(fault.move)
        yield f"{_move_number(fault.ply)} {_comment(['fault', move_text, *_format_times(fault)])}"


def _move_number(ply: int) -> str:
    """Return the number in front of a move, with three points if it is player 2's."""
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


def _comment(words: Iterable[str]) -> str:
    return f"{{{' '.join(words)}}}"


def _format_times(turn: PlayedMove | Fault) -> list[str]:
    return [word for name in TIMES for word in (name, repr(getattr(turn, name)))]


def _parse_records(tokens: TokenStream) -> NumberedRecords:
    while tokens.next_token:
        try:
            record = _parse_record(tokens)
            validate_record(record)
        except ValueError as error:
            raise ValueError(f"line {tokens.line}: {error}") from None
        yield tokens.line, record


def _parse_record(tokens: TokenStream) -> MatchRecord:
    tags = _parse_tags(tokens)
    opening = tags["Opening"]
    _parse_opening(tokens, opening)
    moves, fault = _parse_turns(tokens, len(opening))
    result = MatchResult(tags["Termination"], WINNERS[tags["Result"]], tags["Reason"])
    if tags["Result"] != _result_text(result):
        raise ValueError(
            f"unexpected result {tags['Result']} of a match with termination {result.termination}"
        )
    if (text := tokens.take()) != tags["Result"]:
        raise ValueError(f"expected {tags['Result']}, as in tag Result, got {text!r}")
    control, casual = tags["TimeControl"], tags["Casual"]
    return MatchRecord(
        tags["Id"],
        Pairing(
            tags["Number"],
            (tags["Player1"], tags["Player2"]),
            tags["Game"],
            tags["Setup"],
            opening,
            casual,
            control if casual else None,
        ),
        control,
        tags["Started"],
        tags["Finished"],
        result,
        moves,
        fault,
    )


def _parse_tags(tokens: TokenStream) -> dict[str, Any]:
    tags: dict[str, Any] = {}
    while not tags or tokens.next_token == "[":
        tokens.expect("[")
        name = tokens.take()
        if name not in TAG_PARSERS:
            raise ValueError(f"unknown tag {name!r}")
        if name in tags:
            raise ValueError(f"duplicate tag {name}")
        try:
            tags[name] = TAG_PARSERS[name](unquote(tokens.take()))
        except ValueError as error:
            raise ValueError(f"tag {name}: {error}") from None
        tokens.expect("]")
    tags = {"Number": None, "Opening": (), "Casual": False, **tags}
    if missing := [name for name in TAG_PARSERS if name not in tags]:
        raise ValueError(f"missing tag {missing[0]}")
    return tags


def _parse_opening(tokens: TokenStream, opening: tuple[int, ...]) -> None:
    for ply, move in enumerate(opening):
        tokens.expect_prefix(_move_number(ply))
        if (text := tokens.take()) != str(move):
            raise ValueError(f"expected {move}, as in tag Opening, got {text!r}")
        if (words := _parse_comment(tokens)) != [OPENING]:
            raise ValueError(f"expected {_comment([OPENING])}, got {_comment(words)}")


def _parse_turns(tokens: TokenStream, ply: int) -> tuple[tuple[PlayedMove, ...], Fault | None]:
    """Return the players' moves from a ply on, and the fault if there is one."""
    moves: list[PlayedMove] = []
    while tokens.next_token not in WINNERS:
        tokens.expect_prefix(_move_number(ply))
        if tokens.next_token == "{":
            return tuple(moves), _parse_fault(ply, _parse_comment(tokens))
        move = parse_integer(tokens.take())
        moves.append(PlayedMove(ply, move, *_parse_times(_parse_comment(tokens))))
        ply += 1
    return tuple(moves), None


def _parse_fault(ply: int, words: list[str]) -> Fault:
    if len(words) < 2 or words[0] != "fault":
        raise ValueError(f"expected a move or {{fault MOVE elapsed ...}}, got {_comment(words)}")
    move = None if words[1] == NO_ANSWER else parse_integer(words[1])
    return Fault(ply, move, *_parse_times(words[2:]))


def _parse_comment(tokens: TokenStream) -> list[str]:
    tokens.expect("{")
    words = []
    while (word := tokens.take()) != "}":
        words.append(word)
    return words


def _parse_times(words: list[str]) -> list[float]:
    if tuple(words[::2]) != TIMES or len(words) != 2 * len(TIMES):
        form = " ".join(f"{name} SECONDS" for name in TIMES)
        raise ValueError(f"expected {form} in a comment, got {_comment(words)}")
    return [parse_seconds(word) for word in words[1::2]]


def _parse_setup(text: str) -> dict[str, int]:
    setup: dict[str, int] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"expected NAME=NUMBER, got {word!r}")
        if name in setup:
            raise ValueError(f"duplicate parameter {name!r}")
        setup[name] = parse_integer(value)
    return setup


def _parse_result(text: str) -> str:
    if text not in WINNERS:
        raise ValueError(f"unknown result {text!r} (choose from {', '.join(WINNERS)})")
    return text


def _parse_termination(text: str) -> Termination:
    if text not in {*Termination}:
        raise ValueError(f"unknown termination {text!r} (choose from {', '.join(Termination)})")
    return Termination(text)


def _parse_yes(text: str) -> bool:
    if text != YES:
        raise ValueError(f"expected {YES}, got {text!r}")
    return True


def _parse_moves(text: str) -> tuple[int, ...]:
    return tuple(parse_integer(word) for word in text.split())


TAG_PARSERS: dict[str, Callable[[str], Any]] = {
    "Game": str,
    "Setup": _parse_setup,
    "Number": parse_integer,
    "Id": parse_integer,
    "Player1": str,
    "Player2": str,
    "Result": _parse_result,
    "Termination": _parse_termination,
    "Reason": str,
    "TimeControl": str,
    "Started": parse_timestamp,
    "Finished": parse_timestamp,
    "Opening": _parse_moves,
    "Casual": _parse_yes,
}
