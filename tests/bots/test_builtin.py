"""Strategies by specification."""

from pathlib import Path

import pytest

from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.mcts_bot import MctsBot
from bots.random_bot import RandomBot
from bots.spec_bot import SpecBot
from bots.strong_bot import StrongBot
from core.take_stones import Board
from tests.support.cases import loop_over

CLOCK = ClockReading(remaining=1.0, opponent=1.0, increment=0.0)


@loop_over(
    "spec, kind", [("random", "RandomBot"), ("greedy", "GreedyBot"), ("perfect", "PerfectBot")]
)
def test_kinds(spec: str, kind: str) -> None:
    assert type(create_strategy(spec, 1)).__name__ == kind


def test_random_has_the_seed() -> None:
    boards = [Board(n) for n in range(20, 60)]
    random, same = create_strategy("random", 7), RandomBot(7)
    assert [random(board, CLOCK) for board in boards] == [same(board, CLOCK) for board in boards]


def test_strategies_have_their_depth_or_simulations() -> None:
    strategy = create_strategy("spec:12", 1)
    assert isinstance(strategy, SpecBot)
    assert strategy.depth == 12
    strategy = create_strategy("openspiel:mcts:1000", 1)
    assert isinstance(strategy, MctsBot)
    assert strategy.simulations == 1000


@loop_over(("spec", "nodes"), [("spec:12", None), ("spec:12@nodes=1000", 1000)])
def test_spec_has_the_nodes(spec: str, nodes: int | None) -> None:
    strategy = create_strategy(spec, 1)
    assert isinstance(strategy, SpecBot)
    assert (strategy.depth, strategy.nodes) == (12, nodes)


@loop_over(
    "spec, depth, nodes",
    ("strong", 0, None),
    ("strong:6", 6, None),
    ("strong@nodes=9", 0, 9),
    ("strong:6@nodes=9", 6, 9),
)
def test_strong_has_its_limits(spec: str, depth: int, nodes: int | None) -> None:
    strategy = create_strategy(spec, 1)
    assert isinstance(strategy, StrongBot)
    assert (strategy.depth, strategy.nodes) == (depth, nodes)


def test_class_of_a_user(tmp_path: Path) -> None:
    code = "class Bot:\n  def choose(self, position, clock): return 7\n"
    (tmp_path / "bot_of_a_user.py").write_text(code)
    assert create_strategy("python:bot_of_a_user:Bot", 1, tmp_path)(Board(20), CLOCK) == 7


@loop_over(
    "spec, message",
    ("chess", "unknown bot 'chess' [(]choose from random, greedy, spec:DEPTH.@nodes=N., strong"),
    ("", "unknown bot ''"),
    ("greedy:3", "limits apply to spec and strong only, not to 'greedy:3'"),
    ("random:", "limits apply to spec and strong only, not to 'random:'"),
    ("greedy@nodes=3", "limits apply to spec and strong only, not to 'greedy@nodes=3'"),
    ("strong:", "expected a depth in plies, got ''"),
    ("strong@nodes=0", "expected nodes from 1 to 999999999999999, got '0'"),
    ("spec", "expected a depth in plies, got ''"),
    ("spec:x", "expected a depth in plies, got 'x'"),
    ("spec:-1", "expected a depth in plies, got '-1'"),
    ("spec:x@nodes=3", "expected a depth in plies, got 'x'"),
    ("spec:3@nodes=", "expected nodes from 1 to 999999999999999, got ''"),
    ("spec:3@nodes=0", "expected nodes from 1 to 999999999999999, got '0'"),
    ("spec:3@nodes=1000000000000000", "expected nodes from 1 to 999999999999999, got '1000"),
    ("spec:3@seconds=1", "expected a depth in plies, got '3@seconds=1'"),
    ("openspiel:mcts:0", "expected openspiel:mcts:SIMULATIONS with 1 to 999999 simulations"),
    ("python:x", "expected python:MODULE:CLASS"),
)
def test_invalid_specification(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        create_strategy(spec, 1)
