"""The vocabulary of results."""

import pytest

from arena.results import Pairing, Termination
from tests.records import a_record, an_aborted

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


def test_a_pairing_begins_at_the_start_unless_it_is_said() -> None:
    assert Pairing(1, ("anna", "bert"), "take_stones", {"stones": 7}).opening == ()
