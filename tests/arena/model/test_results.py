"""The vocabulary of results."""

import pytest

from arena.model.results import Outcome, Pairing, Tally, Termination
from tests.support.records import a_casual, a_record, an_aborted

FORFEITS = {
    Termination.ILLEGAL_MOVE,
    Termination.TIMEOUT,
    Termination.DISCONNECT,
    Termination.MALFORMED,
}


@pytest.mark.parametrize("termination", Termination)
def test_who_breaks_a_rule_forfeits(termination: Termination) -> None:
    assert termination.is_forfeit == (termination in FORFEITS)


def test_terminations_on_the_wire() -> None:
    assert [*map(str, Termination)] == [
        *("no_legal_move", "illegal_move", "timeout", "disconnect"),
        *("resignation", "malformed", "aborted"),
    ]


@pytest.mark.parametrize(("player", "winner", "loser"), [(1, "anna", "bert"), (2, "bert", "anna")])
def test_names_of_winner_and_loser(player: int, winner: str, loser: str) -> None:
    record = a_record(winner=player)
    assert (record.winner, record.loser) == (winner, loser)


def test_an_aborted_match_has_no_winner_and_no_loser() -> None:
    assert (an_aborted().winner, an_aborted().loser) == (None, None)


@pytest.mark.parametrize("winner", [1, 2])
def test_the_outcome_of_a_match_that_counts(winner: int) -> None:
    record = a_record(winner=winner, termination=Termination.TIMEOUT)
    assert record.outcome == Outcome("anna", "bert", winner, Termination.TIMEOUT)


def test_an_aborted_match_has_no_outcome() -> None:
    assert an_aborted().outcome is None


def test_a_casual_match_has_a_winner_and_no_outcome() -> None:
    record = a_record(a_casual())
    assert (record.winner, record.outcome) == ("anna", None)


def test_equal_outcomes_add_up() -> None:
    tally = Tally(record.outcome for record in (a_record(), a_record(attempt=2)) if record.outcome)
    assert tally == {Outcome("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 2}


def test_a_record_has_no_fault_unless_it_is_said() -> None:
    assert a_record().fault is None


def test_a_pairing_begins_at_the_start_unless_it_is_said() -> None:
    assert Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7}).opening == ()
