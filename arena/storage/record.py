"""Match record checks and turns, shared by the formats that records are exported to. Pure."""

from collections.abc import Iterator

from arena.model.results import Fault, MatchRecord, PlayedMove, Termination
from arena.protocol.player import MAX_LOG

INTEGER_LIMIT = 2**63  # integers in a database have 64 bits

NumberedRecords = Iterator[tuple[int, MatchRecord]]  # with the line on which each record ends


def turns(record: MatchRecord) -> Iterator[PlayedMove | Fault]:
    """Yield the players' moves, then the fault if there is one."""
    yield from record.moves
    if record.fault:
        yield record.fault


def validate_record(record: MatchRecord) -> None:
    """Check that the arena could have made and stored a record; do not replay its moves.

    Raises:
        ValueError: If it could not; the message gives the reason.
    """
    pairing, result = record.pairing, record.result
    for expected, turn in enumerate(turns(record), len(pairing.opening)):
        if turn.ply != expected:
            raise ValueError(f"expected ply {expected}, got {turn.ply}")
    moves = [*pairing.opening, *(turn.move or 0 for turn in turns(record))]
    for number in (record.id, pairing.number or 0, *pairing.setup.values(), *moves):
        if not -INTEGER_LIMIT <= number < INTEGER_LIMIT:
            raise ValueError(f"{number} has more than 64 bits")
    for name in pairing.setup:
        if not name.isidentifier():
            raise ValueError(f"invalid parameter name {name!r} in the setup")
    if len(record.log) > MAX_LOG:
        raise ValueError(f"the log has more than {MAX_LOG} characters")
    if result.is_aborted:
        if result.winner is not None:
            raise ValueError(f"expected no winner of an aborted match, got {result.winner}")
    elif result.winner is None and result.termination is not Termination.GAME_OVER:
        raise ValueError(f"missing winner of a match with termination {result.termination}")
