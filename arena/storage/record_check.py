"""Check of a game's records: refereed, exported, imported and verified. Pure."""

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.match.referee import Referee
from arena.model.results import MatchRecord, Pairing
from arena.model.time_control import TimeControl
from arena.protocol.player import Move
from arena.storage import jsonl, pgn
from arena.storage.verify import find_differences

CONTROL = "60+1"
MOVE_SECONDS = 0.25
FORMATS = {"JSON Lines": jsonl, "PGN-like text": pgn}


def keeps_records(sample: Sample) -> None:
    """Check that a finished game has the result of its outcome, and that its record is kept."""
    record = _play(sample)
    outcome, result = sample.position().outcome, record.result
    assert outcome, "check 6 has found one"
    ending = f"the winner {outcome.winner} by {outcome.termination}"
    received = f"the winner {result.winner} by {result.termination}"
    require(ending == received, f"{ending} from the referee", received)
    for name, form in FORMATS.items():
        _, records = form.parse(form.format_record(record).splitlines())
        [(_, imported)] = records
        require(imported == record, f"the same record from {name}", "another")
    differences = "; ".join(find_differences(record))
    require(not differences, "a record that a replay agrees with", differences)


def _play(sample: Sample) -> MatchRecord:
    """Play the moves of a sample through the referee; return the record of the match."""
    pairing = Pairing(1, ("Ann", "Bob"), sample.game.name, sample.setup)
    referee = Referee("1", pairing, TimeControl.parse(CONTROL), grace=0.0)
    referee.start(0.0)
    for ply, move in enumerate(sample.moves):
        referee.move(1 + ply % 2, Move("1", ply, move), (ply + 1) * MOVE_SECONDS)
    seconds = len(sample.moves) * MOVE_SECONDS
    assert referee.result
    moves = tuple(referee.moves)
    return MatchRecord(1, pairing, CONTROL, 0.0, seconds, referee.result, moves)


RECORD_CHECK = GameCheck(21, "keeps its records", keeps_records, "finished games", (4, 6))
