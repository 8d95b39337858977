"""Match record checks, shared by the formats that records are exported to. Pure."""

from collections.abc import Iterator

from arena.model.info import NOTHING
from arena.model.results import MatchRecord, Pairing, Termination
from arena.model.time_control import parse_controls
from arena.protocol.names import MAX_LENGTH, check_stored_name
from arena.protocol.player import MAX_LOG
from arena.storage.tags import check_tags
from core import GAMES

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
    moves = [*pairing.opening, *(turn.move or 0 for turn in record.turns)]
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
