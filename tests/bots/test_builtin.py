"""Strategies by specification."""

import re
from pathlib import Path

import pytest

from arena.integrations.mcts_bot import MctsBot
from bots.builtin import create_strategy
from bots.client import ClockReading
from bots.spec_bot import SpecBot
from bots.specification import BotSpec
from bots.strong_bot import StrongBot
from core.take_stones import Board
from tests.support.cases import loop_over

CLOCK = ClockReading(remaining=1.0, opponent=1.0, increment=0.0)


@loop_over(
    "spec, kind", [("random", "RandomBot"), ("greedy", "GreedyBot"), ("perfect", "PerfectBot")]
)
def test_kinds(spec: str, kind: str) -> None:
    assert type(create_strategy(BotSpec.parse(spec), 1)).__name__ == kind


def test_the_library_has_its_simulations() -> None:
    strategy = create_strategy(BotSpec.parse("openspiel:mcts:1000"), 1)
    assert isinstance(strategy, MctsBot)
    assert strategy.simulations == 1000


@loop_over(("spec", "nodes"), [("spec:12", None), ("spec:12@nodes=1000", 1000)])
def test_spec_has_the_nodes(spec: str, nodes: int | None) -> None:
    strategy = create_strategy(BotSpec.parse(spec), 1)
    assert isinstance(strategy, SpecBot)
    assert (strategy.depth, strategy.nodes) == (12, nodes)


@loop_over(
    "spec, depth, nodes",
    ("strong", 0, None),
    ("strong:6@nodes=9", 6, 9),
)
def test_strong_has_its_limits(spec: str, depth: int, nodes: int | None) -> None:
    strategy = create_strategy(BotSpec.parse(spec), 1)
    assert isinstance(strategy, StrongBot)
    assert (strategy.depth, strategy.nodes) == (depth, nodes)


def test_class_of_a_user(tmp_path: Path) -> None:
    code = "class Bot:\n  def choose(self, position, clock): return 7\n"
    (tmp_path / "bot_of_a_user.py").write_text(code)
    assert (
        create_strategy(BotSpec.parse("python:bot_of_a_user:Bot"), 1, tmp_path)(Board(20), CLOCK)
        == 7
    )


@loop_over(
    "spec, message",
    ("spec", "bot 'spec': expected spec:DEPTH[@nodes=N]"),
    ("stdio:./mine", "bot 'stdio:./mine' is a program, not a strategy"),
    ("external:ann", "bot 'external:ann' is a program, not a strategy"),
)
def test_no_strategy(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        create_strategy(BotSpec.parse(spec), 1)


def test_a_library_whose_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.builtin.GROUP", "no such group")
    with pytest.raises(ValueError, match=r"no installed package has the bots of openspiel$"):
        create_strategy(BotSpec.parse("openspiel:mcts:9"), 1)
