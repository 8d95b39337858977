"""Records of matches as text in the manner of PGN, the notation of chess players. Pure.

docs/reference/records.md describes it to whoever writes a parser.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from arena.model.results import Fault, MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.storage.lexer import Tokens, quoted, seconds, time_of, time_text, unquoted, whole

Numbered = Iterator[tuple[int, MatchRecord]]  # with the line on which each record ends

PLAN = "%plan "  # PGN passes over lines that begin with %
WINNERS: dict[str, int | None] = {"1-0": 1, "0-1": 2, "*": None}
RESULTS = {winner: text for text, winner in WINNERS.items()}
OPENING = "opening"  # the comment on its moves: they took no time
YES = "yes"
NO_ANSWER = "-"  # in place of a move


def write_plan(plan: str) -> str:
    """The line with the plan of a tournament, which is JSON: the first of the text."""
    return f"{PLAN}{' '.join(plan.splitlines())}\n"


def write(record: MatchRecord) -> str:
    """The text of a record: its tags, its moves, a line each, and the result."""
    tags = "".join(f"[{name} {quoted(value)}]\n" for name, value in _tags(record))
    moves = "".join(f"{line}\n" for line in _lines(record))
    return f"{tags}\n{moves}{RESULTS[record.result.winner]}\n\n"


def _tags(record: MatchRecord) -> Iterator[tuple[str, str]]:
    pairing, result = record.pairing, record.result
    yield "Game", pairing.game
    yield "Setup", " ".join(f"{name}={value}" for name, value in pairing.setup.items())
    if pairing.number is not None:
        yield "Number", str(pairing.number)
    yield "Id", str(record.id)
    yield "Player1", pairing.players[0]
    yield "Player2", pairing.players[1]
    yield "Result", RESULTS[result.winner]
    yield "Termination", result.termination
    yield "Reason", result.reason
    yield "TimeControl", record.time_control
    yield "Started", time_text(record.started_at)
    yield "Finished", time_text(record.finished_at)
    if pairing.opening:
        yield "Opening", " ".join(map(str, pairing.opening))
    if pairing.casual:
        yield "Casual", YES


def _lines(record: MatchRecord) -> Iterator[str]:
    for ply, move in enumerate(record.pairing.opening):
        yield f"{_number(ply)} {move} {_comment([OPENING])}"
    for played in record.moves:
        yield f"{_number(played.ply)} {played.move} {_comment(_clock(played))}"
    if fault := record.fault:
        move_text = NO_ANSWER if fault.move is None else str(fault.move)
        yield f"{_number(fault.ply)} {_comment(['fault', move_text, *_clock(fault)])}"


def turns(record: MatchRecord) -> Iterator[PlayedMove | Fault]:
    """The players' moves, and the fault if there is one."""
    yield from record.moves
    if record.fault:
        yield record.fault


def _number(ply: int) -> str:
    """What stands before a move: its number, with three points if it is player 2's."""
    return f"{ply // 2 + 1}{'...' if ply % 2 else '.'}"


def _comment(words: Iterable[str]) -> str:
    return f"{{{' '.join(words)}}}"


def _clock(turn: PlayedMove | Fault) -> list[str]:
    times = {"elapsed": turn.elapsed, "credit": turn.credit, "charged": turn.charged}
    return [
        word for name, time in {**times, "lag": turn.lag}.items() for word in (name, repr(time))
    ]


def read(lines: Iterable[str]) -> tuple[str | None, Numbered]:
    """The plan, if there is one, and the records, which are read as they are asked for.

    Raises ValueError with the number of the line and what is wrong, also for each record.
    """
    rest = iter(lines)
    first = next(rest, "")
    plan = first.removeprefix(PLAN).strip("\r\n") if first.startswith(PLAN) else None
    return plan, _records(Tokens(itertools.chain([first], rest)))


def check(record: MatchRecord) -> None:
    """Raises ValueError for a record that the arena could neither have made nor keep."""
    pairing, result = record.pairing, record.result
    for due, turn in enumerate(turns(record), len(pairing.opening)):
        if turn.ply != due:
            raise ValueError(f"ply {turn.ply} stands where ply {due} is due")
    moves = [*pairing.opening, *(turn.move or 0 for turn in turns(record))]
    for number in (record.id, pairing.number or 0, *pairing.setup.values(), *moves):
        if not -(2**63) <= number < 2**63:
            raise ValueError(f"{number} has more than 64 bits")
    for name in pairing.setup:
        if not name.isidentifier():
            raise ValueError(f"{name!r} in the setup is no name of a parameter")
    if (result.winner is None) != (result.termination is Termination.ABORTED):
        raise ValueError("an aborted match, and no other, is without a winner")


def _records(tokens: Tokens) -> Numbered:
    while tokens.ahead:
        try:
            record = _record(tokens)
            check(record)
        except ValueError as error:
            raise ValueError(f"line {tokens.line}: {error}") from None
        yield tokens.line, record


def _record(tokens: Tokens) -> MatchRecord:
    tags = _read_tags(tokens)
    opening = tags["Opening"]
    _read_opening(tokens, opening)
    moves, fault = _read_turns(tokens, len(opening))
    result = tokens.take()
    if result != RESULTS[tags["Result"]]:
        raise ValueError(f"{RESULTS[tags['Result']]} is due, as in the tag, not {result!r}")
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
        MatchResult(tags["Termination"], tags["Result"], tags["Reason"]),
        moves,
        fault,
    )


def _read_tags(tokens: Tokens) -> dict[str, Any]:
    tags: dict[str, Any] = {}
    while not tags or tokens.ahead == "[":
        tokens.expect("[")
        name = tokens.take()
        if name not in VALUES:
            raise ValueError(f"there is no tag {name!r}")
        if name in tags:
            raise ValueError(f"tag {name} is there twice")
        try:
            tags[name] = VALUES[name](unquoted(tokens.take()))
        except ValueError as error:
            raise ValueError(f"tag {name}: {error}") from None
        tokens.expect("]")
    tags = {"Number": None, "Opening": (), "Casual": False, **tags}
    if missing := [name for name in VALUES if name not in tags]:
        raise ValueError(f"tag {missing[0]} is missing")
    return tags


def _read_opening(tokens: Tokens, opening: tuple[int, ...]) -> None:
    for ply, move in enumerate(opening):
        tokens.expect_prefix(_number(ply))
        if (text := tokens.take()) != str(move):
            raise ValueError(f"{move} is due, as in tag Opening, not {text!r}")
        if (words := _words(tokens)) != [OPENING]:
            raise ValueError(f"{_comment([OPENING])} is due, not {_comment(words)}")


def _read_turns(tokens: Tokens, ply: int) -> tuple[tuple[PlayedMove, ...], Fault | None]:
    """The players' moves from a ply on, and the fault if there is one, up to the result."""
    moves: list[PlayedMove] = []
    while tokens.ahead not in WINNERS:
        tokens.expect_prefix(_number(ply))
        if tokens.ahead == "{":
            return tuple(moves), _fault(ply, _words(tokens))
        move = whole(tokens.take())
        moves.append(PlayedMove(ply, move, *_times(_words(tokens))))
        ply += 1
    return tuple(moves), None


def _fault(ply: int, words: list[str]) -> Fault:
    if len(words) < 2 or words[0] != "fault":
        raise ValueError(f"a move or {{fault MOVE elapsed ...}} is due, not {_comment(words)}")
    move = None if words[1] == NO_ANSWER else whole(words[1])
    return Fault(ply, move, *_times(words[2:]))


def _words(tokens: Tokens) -> list[str]:
    """What stands in a comment."""
    tokens.expect("{")
    words = []
    while (word := tokens.take()) != "}":
        words.append(word)
    return words


def _times(words: list[str]) -> list[float]:
    if words[::2] != ["elapsed", "credit", "charged", "lag"] or len(words) != 8:
        form = "elapsed SECONDS credit SECONDS charged SECONDS lag SECONDS"
        raise ValueError(f"{form} is due in a comment, not {_comment(words)}")
    return [seconds(word) for word in words[1::2]]


def _setup(text: str) -> dict[str, int]:
    setup: dict[str, int] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name in setup:
            raise ValueError(f"{word!r} is not NAME=NUMBER, or the second one")
        setup[name] = whole(value)
    return setup


def _winner(text: str) -> int | None:
    if text not in WINNERS:
        raise ValueError(f"{text!r} is none of {', '.join(WINNERS)}")
    return WINNERS[text]


def _termination(text: str) -> Termination:
    if text not in {*Termination}:
        raise ValueError(f"{text!r} is none of {', '.join(Termination)}")
    return Termination(text)


def _yes(text: str) -> bool:
    if text != YES:
        raise ValueError(f"{text!r} is not {YES}")
    return True


def _moves(text: str) -> tuple[int, ...]:
    return tuple(whole(word) for word in text.split())


VALUES: dict[str, Callable[[str], Any]] = {
    "Game": str,
    "Setup": _setup,
    "Number": whole,
    "Id": whole,
    "Player1": str,
    "Player2": str,
    "Result": _winner,
    "Termination": _termination,
    "Reason": str,
    "TimeControl": str,
    "Started": time_of,
    "Finished": time_of,
    "Opening": _moves,
    "Casual": _yes,
}
