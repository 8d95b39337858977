"""Rules of match records and of their tags, such as Event, for all formats. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from arena.model.results import MAX_LOG, NOTHING, MatchRecord, Pairing, Termination
from arena.model.time_control import parse_controls
from arena.protocol.player import MAX_LENGTH, check_stored_name
from core import GAMES

ROSTER = ("Event", "Site", "Round")  # the first tags of a record, as in PGN
RECORD_TAGS = (
    *("Game", "Setup", "Number", "Id", "Player1", "Player2", "Result", "Termination", "Reason"),
    *("TimeControl", "Started", "Finished", "Opening", "Casual"),
)
"""Names of the tags that hold the other fields of a record."""

MAX_TAGS = 32  # of a record
MAX_NAME = 64  # characters
MAX_VALUE = 1000  # characters
NAME = re.compile(r"[A-Za-z0-9_]+")
FORBIDDEN = {"Cc", "Cs", "Zl", "Zp"}  # control characters, surrogates, separators of lines


def ordered_tags(tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names and values in the order of exported records: the roster, then by name."""
    yield from ((name, tags[name]) for name in ROSTER if name in tags)
    yield from ((name, tags[name]) for name in sorted(tags) if name not in ROSTER)


def check_tags(tags: Mapping[str, str]) -> None:
    """Check the tags of a record.

    Raises:
        ValueError: There are too many, or a name or a value is invalid.
    """
    if len(tags) > MAX_TAGS:
        raise ValueError(f"expected at most {MAX_TAGS} further tags, got {len(tags)}")
    for name, value in tags.items():
        check_tag(name, value)


def check_tag(name: str, value: str) -> None:
    """Check a tag of a record.

    Raises:
        ValueError: The name or the value is invalid.
    """
    if name in RECORD_TAGS:
        raise ValueError(f"tag {name} is a field of the record, not a further tag")
    if len(name) > MAX_NAME or not NAME.fullmatch(name):
        raise ValueError(
            f"tag name {name[: MAX_NAME + 1]!r} is not 1 to {MAX_NAME} letters, digits and _"
        )
    if len(value) > MAX_VALUE:
        raise ValueError(f"tag {name} has {len(value)} characters (at most {MAX_VALUE})")
    for character in value:
        if unicodedata.category(character) in FORBIDDEN:
            raise ValueError(f"tag {name} contains the control character {character!r}")


INTEGER_LIMIT = 2**63  # integers in a database have 64 bits

NumberedRecords = Iterator[tuple[int, MatchRecord]]  # with the line on which each record ends


def validate_record(record: MatchRecord) -> None:
    """Check that the arena could have made and stored a record; do not replay its moves.

    Raises:
        ValueError: If it could not; the message gives the reason.
    """
    pairing, result = record.pairing, record.result
    for name in pairing.players:
        try:
            check_stored_name(name)
        except ValueError as error:
            raise ValueError(f"name {name[:MAX_LENGTH]!r}: {error}") from None
    for expected, turn in enumerate(record.turns, len(pairing.opening)):
        if turn.ply != expected:
            raise ValueError(f"expected ply {expected}, got {turn.ply}")
    moves = [*pairing.opening, *(move.move for move in record.moves)]  # a fault's has any length
    for number in (record.id, pairing.number or 0, *pairing.setup.values(), *moves):
        if not -INTEGER_LIMIT <= number < INTEGER_LIMIT:
            raise ValueError(f"{number} has more than 64 bits")
    parse_controls(record.time_control)
    _validate_setup(pairing)
    check_tags(record.tags)
    _validate_infos(record)
    if len(record.log) > MAX_LOG:
        raise ValueError(f"the log has more than {MAX_LOG} characters")
    if result.is_aborted:
        if result.winner is not None:
            raise ValueError(f"expected no winner of an aborted match, got {result.winner}")
    elif result.winner is None and result.termination is not Termination.GAME_OVER:
        raise ValueError(f"missing winner of a match with termination {result.termination}")


def _validate_setup(pairing: Pairing) -> None:
    """Check a setup; of a game that is not installed, the limits are unknown."""
    game = GAMES.get(pairing.game)
    parameters = game.parameters if game else {}
    for name, value in pairing.setup.items():
        if not name.isidentifier():
            raise ValueError(f"invalid parameter name {name[:MAX_LENGTH]!r} in the setup")
        if name in parameters and (limit := parameters[name].broken_limit(value)):
            raise ValueError(f"{name} must be {limit}, got {value}")


def _validate_infos(record: MatchRecord) -> None:
    plies = {move.ply for move in record.moves}
    for ply, info in record.infos.items():
        if ply not in plies:
            raise ValueError(f"the info at ply {ply} belongs to no move")
        if info == NOTHING:
            raise ValueError(f"the info at ply {ply} is empty")
