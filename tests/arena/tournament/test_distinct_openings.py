"""Openings drawn without replacement, against all positions found by brute force."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament import distinct_openings
from arena.tournament.distinct_openings import (
    LEAST_LISTED,
    DistinctOpenings,
    count_distinct,
    enumerate_openings,
)
from arena.tournament.openings import Opening
from core import GAMES
from core.game import Position
from tests.support.cases import loop_over

FEW = 3000
MANY = tuple({"stones": stones} for stones in range(20, 20 + 2000))  # few are listed of each


@pytest.fixture
def few_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """List few positions of a setup: to find that there are too many takes less time."""
    monkeypatch.setattr(distinct_openings, "MAX_LISTED", FEW)


def positions_after(position: Position, plies: int) -> list[Position]:
    """Return the positions after all legal sequences of moves that do not end the game."""
    found = [position]
    for _ in range(plies):
        longer = []
        for before in found:
            for move in before.legal_moves():
                after = before.copy()
                after.play(move)
                if not after.is_over:
                    longer.append(after)
        if not longer:
            break
        found = longer
    return found


def reached(game: str, openings: list[Opening]) -> list[Position]:
    return [GAMES[game].position(**opening.setup, moves=opening.moves) for opening in openings]


@st.composite
def small_games(draw: st.DrawFn, game: str) -> tuple[dict[str, int], int]:
    """Draw a setup of a game and a number of plies with few legal sequences."""
    parameters = GAMES[game].parameters.items()
    setup = {
        name: draw(st.integers(each.minimum, each.maximum or each.minimum + 11))
        for name, each in parameters
    }
    return setup, draw(st.integers(0, 2 if game == "isolation" else 7))


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_each_position_is_drawn_once_in_any_order_of_requests(
    game: str, data: st.DataObject
) -> None:
    setup, plies = data.draw(small_games(game))
    expected = set(positions_after(GAMES[game].position(**setup), plies))
    source = DistinctOpenings(game, [setup], plies, data.draw(st.integers()))
    drawn = [source.opening(number) for number in range(len(expected))]
    assert set(reached(game, drawn)) == expected
    assert count_distinct(game, drawn) == len(expected)
    assert [source.opening(len(expected) + number) for number in range(len(drawn))] == drawn
    numbers = data.draw(st.lists(st.integers(0, 50), max_size=5))
    source = DistinctOpenings(game, [setup], plies, 1)
    for number in numbers:
        assert source.opening(number) == DistinctOpenings(game, [setup], plies, 1).opening(number)


@pytest.mark.usefixtures("few_listed")
def test_setups_are_used_in_turn_and_the_seed_decides_the_order() -> None:
    setups = [{"stones": 20}, {"stones": 12}, {"stones": 20}]
    source = DistinctOpenings("take_stones", setups, 2, 1)
    drawn = [source.opening(number) for number in range(30)]
    assert [opening.setup for opening in drawn] == 10 * setups
    source = DistinctOpenings("take_stones", 3 * [{"stones": 20}], 2, 1)
    drawn = [source.opening(number) for number in range(30)]
    assert count_distinct("take_stones", drawn) == 30
    first = {DistinctOpenings("isolation", [{}], 2, seed).opening(0).moves for seed in range(5)}
    assert len(first) > 2
    short, full = (DistinctOpenings("isolation", [setup], 6, 1) for setup in ({}, {"size": 8}))
    assert short.opening(3).moves == full.opening(3).moves


def test_openings_of_a_seed_never_change() -> None:
    """Else a tournament could not be resumed with a later version."""
    few = DistinctOpenings("take_stones", [{"stones": 20}], 3, 1)
    many = DistinctOpenings("isolation", [{"size": 8}], 6, 1)
    assert [few.opening(number).moves for number in range(3)] == [(1, 8, 16), (5, 1, 3), (3, 1, 16)]
    assert [many.opening(number).moves for number in range(2)] == [
        (4, 60, 22, 58, 57, 50),
        (54, 39, 36, 21, 27, 18),
    ]


def test_the_end_of_a_game_ends_its_openings() -> None:
    source = DistinctOpenings("take_stones", [{"stones": 1}], 3, 1)
    assert [source.opening(number).moves for number in range(2)] == [(), ()]
    source = DistinctOpenings("take_stones", MANY, 40, 1)
    opening = source.opening(0)
    assert 8 < len(opening.moves) < 17
    assert not reached("take_stones", [opening])[0].is_over


@loop_over("plies", [17, 10**9])
def test_openings_are_at_most_as_long_as_a_game(plies: int) -> None:
    source = DistinctOpenings("take_stones", [{"stones": 20}], plies, 1)
    assert len(source.opening(0).moves) == 16


@given(stones=st.lists(st.integers(6, 8), min_size=1, max_size=4), plies=st.integers(0, 3))
def test_the_first_openings_are_counted_without_their_positions(
    stones: list[int], plies: int
) -> None:
    setups = [{"stones": number} for number in stones]
    source = DistinctOpenings("take_stones", setups, plies, 1)
    drawn = [source.opening(number) for number in range(40)]
    for number in range(40):
        assert source.count(number) == count_distinct("take_stones", drawn[:number])
    assert DistinctOpenings("take_stones", setups, plies, 1).count(40) == source.count(40)


# Too many positions to list them


def test_different_setups_share_the_positions_that_are_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(distinct_openings, "MAX_LISTED", 250)
    small, other = {"stones": 20}, {"stones": 21}  # with 132 positions, and 144
    listed, shared = (
        DistinctOpenings("take_stones", [small, *others], 3, 1) for others in ([], [other])
    )
    drawn = [shared.opening(2 * number) for number in range(3)]  # at random: in another order
    assert drawn != [listed.opening(number) for number in range(3)]


@pytest.mark.usefixtures("few_listed")
def test_a_draw_repeats_positions_once_all_are_drawn() -> None:
    assert enumerate_openings(GAMES["isolation"].position(), 6, FEW) is None
    source = DistinctOpenings("isolation", [{}], 6, 1)
    drawn = [source.opening(number) for number in range(500)]
    positions = reached("isolation", drawn)
    assert len(set(positions)) == 500
    assert not any(position.is_over for position in positions)
    assert {len(opening.moves) for opening in drawn} == {6}
    start = GAMES["take_stones"].position(stones=20)
    expected = set(positions_after(start, 3))
    assert len(expected) > LEAST_LISTED
    source = DistinctOpenings("take_stones", MANY, 3, 1)
    drawn = [source.opening(len(MANY) * turn) for turn in range(2 * len(expected))]
    assert set(reached("take_stones", drawn[: len(expected)])) == expected
    assert drawn[: len(expected)] == drawn[len(expected) :]


# Distinct openings


def test_openings_are_counted_by_position_from_an_unchanged_start() -> None:
    openings = [Opening({"stones": 20}, moves) for moves in [(1, 6, 3, 12), (3, 6, 1, 12)]]
    assert count_distinct("take_stones", openings) == 1
    openings = [Opening({"stones": stones}, ()) for stones in (7, 8, 7)]
    assert count_distinct("take_stones", openings) == 2
    start = GAMES["take_stones"].position(stones=20)
    enumerate_openings(start, 3, 1000)
    enumerate_openings(start, 3, 3)
    assert start.moves == []
