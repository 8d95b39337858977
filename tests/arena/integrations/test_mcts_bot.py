"""MCTS bot: a number of simulations for each move, or as many as the clock suffices for."""

import sys
from itertools import count
from math import inf
from random import Random
from types import SimpleNamespace

import pytest

from arena.integrations import mcts_bot
from arena.integrations.mcts_bot import FEWEST, MAX_SECONDS, PROBE, MctsBot
from bots.client import ClockReading
from core import GAMES
from core.game import Position
from core.take_stones import Board
from tests.support.cases import loop_over

NO_CLOCK = ClockReading(remaining=inf, opponent=inf, increment=0.0)
AN_HOUR = ClockReading(remaining=3600.0, opponent=3600.0, increment=0.0)
NO_TIME = ClockReading(remaining=1e-9, opponent=1.0, increment=0.0)


class Search:
    """A search that plays the first move and keeps its numbers of simulations."""

    def __init__(self) -> None:
        self.simulations: list[int] = []

    def __call__(
        self,
        position: Position,
        simulations: int,
        random: Random,  # noqa: ARG002
    ) -> tuple[int, int]:
        self.simulations.append(simulations)
        return position.legal_moves()[0], 1


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Search:
    """Replace the tree search."""
    found = Search()
    monkeypatch.setattr(mcts_bot, "_load", lambda: found)
    return found


@loop_over("clock", [NO_CLOCK, AN_HOUR])
def test_the_seed_and_the_moves_decide_the_move(clock: ClockReading) -> None:
    board = Board(100)
    found = [MctsBot(30, seed)(board, clock) for seed in (1, 1, *range(20))]
    assert {*found} <= {*board.legal_moves()}
    assert found[0] == found[1]
    assert len({*found}) > 1


@loop_over("name", ["isolation", "openspiel:connect_four"])
def test_it_plays_any_game(name: str) -> None:
    position, bot = GAMES[name].position(), MctsBot(20, 1)
    while not position.is_over:
        position.play(bot(position.copy(), NO_CLOCK))
    assert position.outcome


def test_simulations_without_a_clock(search: Search) -> None:
    assert MctsBot(100, 1)(Board(3), NO_CLOCK) == 1  # the only move is not searched
    MctsBot(100, 1)(Board(20), NO_CLOCK)
    assert search.simulations == [100]


def test_a_limit_of_nodes_limits_the_simulations(search: Search) -> None:
    bot = MctsBot(100, 1)
    for nodes in (30, 300):
        bot(Board(20), NO_CLOCK._replace(nodes=nodes))
    assert search.simulations == [30, 100]


def test_the_speed_is_measured_once_if_there_is_a_clock(search: Search) -> None:
    bot = MctsBot(100, 1)
    for _ in range(2):
        bot(Board(20), AN_HOUR)
    assert search.simulations == [PROBE, 100, 100]


def test_a_clock_that_does_not_suffice_reduces_the_simulations(search: Search) -> None:
    bot = MctsBot(999_999, 1)
    bot(Board(20), NO_TIME)
    assert search.simulations == [PROBE, FEWEST]


def test_pings_are_answered_meanwhile(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(perf_counter=count(0.0, 1.0).__next__)  # a simulation takes a second
    monkeypatch.setattr(mcts_bot, "time", clock)
    MctsBot(100, 1)(Board(20), AN_HOUR)
    assert search.simulations == [PROBE, MAX_SECONDS]


def test_without_the_library_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "arena.integrations.tree_search", None)
    with pytest.raises(ValueError, match=r"^OpenSpiel is not installed: pip install"):
        MctsBot(100, 1)
