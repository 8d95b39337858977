"""PGN-like text of match records: formatting and parsing. Pure.

docs/reference/records.md describes the format for authors of other parsers.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from arena.model.results import (
    TIMES,
    Fault,
    Info,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    Termination,
    parse_info,
)
from arena.model.timestamps import format_timestamp, parse_seconds, parse_timestamp
from arena.storage.record import (
    MAX_TAGS,
    RECORD_TAGS,
    NumberedRecords,
    ordered_tags,
    validate_record,
)
from core.numbers import parse_integer

# Quotes and backslashes as in PGN; line ends and control characters as in JSON.
SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029]')
ESCAPE = re.compile(r"\\(u(?!d[89a-f])[0-9a-f]{4}|.)", re.IGNORECASE)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}"]|[^\s\[\]{}"]+')


def quote(text: str) -> str:
    """Return a text in quotes, escaped so that it stays on one line."""
    return f'"{SPECIAL.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return f"\\{found[0]}" if found[0] in '\\"' else f"\\u{ord(found[0]):04x}"


def unquote(token: str) -> str:
    """Return the text of a token in quotes.

    Raises:
        ValueError: If the token has no quotes around it, or contains an invalid escape.
    """
    if token == '"' or not token.startswith('"'):
        raise ValueError(f"expected a quoted text on one line, got {token!r}")
    return ESCAPE.sub(_unescape, token[1:-1])


def _unescape(found: re.Match[str]) -> str:
    if found[1] in '\\"':
        return found[1]
    if len(found[1]) == 1:
        raise ValueError(f'invalid escape {found[0]} (choose from \\\\, \\" and \\uXXXX)')
    return chr(int(found[1][1:], 16))


class TokenStream:
    """Tokens of a text: brackets, braces, quoted texts, and words between spaces.

    Lines that begin with % are ignored.

    Args:
        lines: The lines of the text.

    Attributes:
        next_token: The token that `take` returns next; empty at the end.
        line: The number of the line, from 1, of the token that was taken last.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._rest = _split(lines)
        self.line = 1
        self._next_line, self.next_token = next(self._rest, (1, ""))

    def take(self) -> str:
        """Return the next token and move on.

        Raises:
            ValueError: At the end of the text.
        """
        token, self.line = self.next_token, self._next_line
        if not token:
            raise ValueError("unexpected end of the text within a match")
        self._next_line, self.next_token = next(self._rest, (self.line, ""))
        return token

    def expect(self, expected: str) -> None:
        """Take a token that must be `expected`.

        Raises:
            ValueError: If it is another one.
        """
        if (token := self.take()) != expected:
            raise ValueError(f"expected {expected}, got {token!r}")

    def expect_prefix(self, expected: str) -> None:
        """Take `expected` from the start of a token; a rest becomes the next token.

        A rest that begins with a point belongs to a different prefix.

        Raises:
            ValueError: If the token does not begin with `expected`.
        """
        rest = self.next_token.removeprefix(expected)
        if rest and rest != self.next_token and rest[0] != ".":
            self.line, self.next_token = self._next_line, rest
        else:
            self.expect(expected)


def _split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if not line.startswith("%"):
            for token in TOKEN.findall(line):
                yield number, token


PLAN = "%plan "  # PGN ignores lines that begin with %
WINNERS: dict[str, int | None] = {"1-0": 1, "0-1": 2, "1/2-1/2": None, "*": None}
OPENING = "opening"  # the comment on its moves, which have no times
YES = "yes"
NO_ANSWER = "-"  # in place of a fault's move
INFO_FIELDS = {"%eval": "evaluation", "%depth": "depth", "%nodes": "nodes", "%pv": "pv"}


def format_plan(plan: str) -> str:
    """Return the first line of a text: the plan of a tournament, which is JSON."""
    return f"{PLAN}{' '.join(plan.splitlines())}\n"


def format_record(record: MatchRecord) -> str:
    """Return the text of a record: its tags, a line for each move, and the result."""
    tags = "".join(f"[{name} {quote(value)}]\n" for name, value in _tags(record))
    return f"{tags}\n{_move_lines(record)}{_result_text(record.result)}\n\n"


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
    yield from ordered_tags(record.tags)
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


def _move_lines(record: MatchRecord) -> str:
    lines = [
        f"{_move_number(ply)} {move} {{{OPENING}}}\n"
        for ply, move in enumerate(record.pairing.opening)
    ]
    fault = record.fault
    for turn, times in zip(record.turns, _format_times([*record.turns]), strict=True):
        move = NO_ANSWER if turn.move is None else turn.move
        words = " ".join([times, *_format_info(record.infos.get(turn.ply))])
        text = f"{{fault {move} {times}}}" if turn is fault else f"{move} {{{words}}}"
        lines.append(f"{_move_number(turn.ply)} {text}\n")
    return "".join(lines)


def _move_number(ply: int) -> str:
    """Return the number in front of a move, with three points if it is player 2's."""
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


def _format_times(timed: Sequence[PlayedMove | Fault]) -> Iterator[str]:
    """Yield the times of each turn as text.

    All of them are encoded together, which is several times as fast as one by one.
    """
    times = [(turn.elapsed, turn.credit, turn.charged, turn.lag) for turn in timed]
    encoded = msgspec.json.encode(times).decode()
    for numbers in encoded[2:-2].split("],[") if timed else ():
        elapsed, credit, charged, lag = numbers.split(",")
        yield f"elapsed {elapsed} credit {credit} charged {charged} lag {lag}"


def _format_info(info: Info | None) -> Iterator[str]:
    """Yield commands as in chess: [%eval 1.5] [%depth 6] [%nodes 1234] [%pv 8,4]."""
    values = {
        "eval": info and info.evaluation,
        "depth": info and info.depth,
        "nodes": info and info.nodes,
        "pv": info and (",".join(map(str, info.pv)) or None),
    }
    for name, value in values.items():
        if value is not None:
            yield f"[%{name} {value}]"


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
    moves, fault, infos = _parse_turns(tokens, len(opening))
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
            {name: value for name, value in tags.items() if name not in TAG_PARSERS},
        ),
        control,
        tags["Started"],
        tags["Finished"],
        result,
        moves,
        fault,
        infos=infos,
    )


def _parse_tags(tokens: TokenStream) -> dict[str, Any]:
    tags: dict[str, Any] = {}
    while not tags or tokens.next_token == "[":
        tokens.expect("[")
        name = tokens.take()
        if name in tags:
            raise ValueError(f"duplicate tag {name}")
        if len(tags) == len(TAG_PARSERS) + MAX_TAGS:
            raise ValueError(f"expected at most {MAX_TAGS} further tags")
        try:
            value = unquote(tokens.take())
            tags[name] = TAG_PARSERS.get(name, str)(value)
        except ValueError as error:
            raise ValueError(f"tag {name}: {error}") from None
        tokens.expect("]")
    tags = {"Number": None, "Opening": (), "Casual": False, **tags}
    if missing := [name for name in RECORD_TAGS if name not in tags]:
        raise ValueError(f"missing tag {missing[0]}")
    return tags


def _parse_opening(tokens: TokenStream, opening: tuple[int, ...]) -> None:
    for ply, move in enumerate(opening):
        tokens.expect_prefix(_move_number(ply))
        if (text := tokens.take()) != str(move):
            raise ValueError(f"expected {move}, as in tag Opening, got {text!r}")
        if (words := _parse_comment(tokens)) != [OPENING]:
            raise ValueError(f"expected {{{OPENING}}}, got {{{' '.join(words)}}}")


def _parse_turns(
    tokens: TokenStream, ply: int
) -> tuple[tuple[PlayedMove, ...], Fault | None, dict[int, Info]]:
    """Return the players' moves from a ply on, the fault if there is one, and the information."""
    moves: list[PlayedMove] = []
    infos: dict[int, Info] = {}
    while tokens.next_token not in WINNERS:
        tokens.expect_prefix(_move_number(ply))
        if tokens.next_token == "{":
            return tuple(moves), _parse_fault(ply, _parse_comment(tokens)), infos
        move = parse_integer(tokens.take())
        words = _parse_comment(tokens)
        end = words.index("[") if "[" in words else len(words)
        moves.append(PlayedMove(ply, move, *_parse_times(words[:end])))
        if commands := words[end:]:
            infos[ply] = _parse_info(commands)
        ply += 1
    return tuple(moves), None, infos


def _parse_info(words: list[str]) -> Info:
    """Return the information that commands such as [%eval 1.5] give."""
    fields: dict[str, Any] = {}
    for begin in range(0, len(words), 4):
        command = words[begin : begin + 4]
        if len(command) < 4 or command[::3] != ["[", "]"] or command[1] not in INFO_FIELDS:
            known = " ".join(f"[{name} ...]" for name in INFO_FIELDS)
            raise ValueError(f"expected {known} after the times, got {' '.join(command)!r}")
        name, text = INFO_FIELDS[command[1]], command[2]
        if name in fields:
            raise ValueError(f"duplicate command {command[1]}")
        fields[name] = text.split(",") if name == "pv" else text
    return parse_info(fields)


def _parse_fault(ply: int, words: list[str]) -> Fault:
    if len(words) < 2 or words[0] != "fault":
        raise ValueError(
            f"expected a move or {{fault MOVE elapsed ...}}, got {{{' '.join(words)}}}"
        )
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
        raise ValueError(f"expected {form} in a comment, got {{{' '.join(words)}}}")
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
