"""Terminations, rated results and records."""

from arena.model.results import (
    Fault,
    Pairing,
    PlayedMove,
    RatedResult,
    Tally,
    Termination,
    points_number,
)
from tests.support.cases import loop_over
from tests.support.tournaments.records import make_aborted_record, make_casual_pairing, make_record

FORFEITS = {
    Termination.ILLEGAL_MOVE,
    Termination.TIMEOUT,
    Termination.DISCONNECT,
    Termination.MALFORMED,
}


@loop_over("termination", Termination)
def test_breaking_a_rule_is_a_forfeit(termination: Termination) -> None:
    assert termination.is_forfeit == (termination in FORFEITS)


def test_terminations_have_their_wire_names() -> None:
    assert [*map(str, Termination)] == [
        *("no_legal_move", "game_over", "illegal_move", "timeout", "disconnect"),
        *("resignation", "malformed", "aborted"),
    ]


@loop_over(("player", "winner", "loser"), [(1, "anna", "bert"), (2, "bert", "anna")])
def test_names_of_winner_and_loser(player: int, winner: str, loser: str) -> None:
    record = make_record(winner=player)
    assert (record.winner, record.loser) == (winner, loser)


def test_turns_are_moves_and_the_fault() -> None:
    moves = (PlayedMove(2, 2, 0.001, 0.0005, 0.0005, 0.0), PlayedMove(3, 4, 0.25, 0.0, 0.25, 0.0))
    record = make_record(moves=moves, fault=Fault(4, 9, 1.5, 0.0, 1.5, 0.0))
    assert [turn.ply for turn in record.turns] == [2, 3, 4]
    assert record.total_seconds("charged") == (0.0005 + 1.5, 0.25)
    assert record.total_seconds("credit") == (0.0005, 0.0)
    assert make_record(moves=moves).turns == moves


def test_aborted_matches_have_neither_winner_nor_rated_result() -> None:
    assert (make_aborted_record().winner, make_aborted_record().loser) == (None, None)
    assert make_aborted_record().rated_result is None
    result = make_aborted_record().result
    assert (result.is_aborted, result.is_draw) == (True, False)
    record = make_record(make_casual_pairing())
    assert (record.winner, record.rated_result) == ("anna", None)
    record = make_record(winner=None, termination=Termination.GAME_OVER)
    assert (record.winner, record.loser, record.result.is_draw) == (None, None, True)
    assert record.rated_result == RatedResult("anna", "bert", None, Termination.GAME_OVER)
    assert make_record().fault is None
    assert Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7}).opening == ()


@loop_over("winner", [1, 2])
def test_rated_match_has_a_rated_result(winner: int) -> None:
    record = make_record(winner=winner, termination=Termination.TIMEOUT)
    assert record.rated_result == RatedResult("anna", "bert", winner, Termination.TIMEOUT)


@loop_over(("winner", "points"), [(1, (1, 0)), (2, (0, 1)), (None, (0.5, 0.5))])
def test_points_of_a_match(winner: int | None, points: tuple[float, float]) -> None:
    assert RatedResult("anna", "bert", winner, Termination.GAME_OVER).points == points


@loop_over(("points", "text"), [(0.0, "0"), (7.0, "7"), (7.5, "7.5"), (1e7, "10000000")])
def test_points_are_written_without_a_fraction_if_they_are_whole(points: float, text: str) -> None:
    assert str(points_number(points)) == text


def test_tally_counts_equal_results() -> None:
    tally = Tally(
        record.rated_result
        for record in (make_record(), make_record(attempt=2))
        if record.rated_result
    )
    assert tally == {RatedResult("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 2}
