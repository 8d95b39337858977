"""Words that start bots, and their sandboxes."""

import sys

import pytest

from arena.runner.named_bots import bot_words, command_sandbox, game_words, programs_sandbox
from arena.sandbox.limits import Policy
from arena.sandbox.sandbox import UNPROTECTED, Protection, SandboxUnavailable, bubblewrap_problem
from bots.specification import BotSpec
from tests.support.cases import loop_over


@loop_over(
    "spec, policy, last",
    ("spec:4", Policy.REQUIRE, ["--until-eof"]),
    ("stdio:./x", None, ["--until-eof"]),
    ("stdio:./x", Policy.AUTO, ["--sandbox", "auto"]),
    ("program:./x", Policy.OFF, ["--sandbox", "off"]),
)
def test_words(spec: str, policy: Policy | None, last: list[str]) -> None:
    words = bot_words(BotSpec.parse(spec), policy)
    assert words[: len(words) - len(last)][:5] == [sys.executable, "-P", "-m", "bots", spec]
    assert words[-len(last) :] == last


@loop_over(
    "spec, games, words",
    ("random", [], []),
    ("random", ["openspiel:nim", "isolation"], ["--games", "openspiel:nim", "isolation"]),
    ("perfect", ["openspiel:nim"], []),
    ("perfect", ["openspiel:nim", "take_stones"], ["--games", "take_stones"]),
)
def test_games_that_a_bot_can_play_are_named(spec: str, games: list[str], words: list[str]) -> None:
    assert game_words(BotSpec.parse(spec), games) == words


@loop_over(
    "spec, policy",
    ("cmd:./x", None),
    ("cmd:./x", Policy.OFF),
    ("stdio:./x", Policy.AUTO),
    ("random", Policy.AUTO),
)
def test_processes_without_a_sandbox(spec: str, policy: Policy | None) -> None:
    assert command_sandbox(BotSpec.parse(spec), policy) == UNPROTECTED


def test_a_command_in_the_sandbox() -> None:
    expected = Protection.LIMITED if bubblewrap_problem() else Protection.ISOLATED
    assert command_sandbox(BotSpec.parse("cmd:./x"), Policy.AUTO).protection is expected


@loop_over(
    "spec, policy, is_checked",
    ("program:./x", None, True),
    ("stdio:./x", None, False),
    ("cmd:./x", Policy.AUTO, True),
    ("random", Policy.AUTO, False),
)
def test_only_programs_are_checked(
    monkeypatch: pytest.MonkeyPatch, spec: str, policy: Policy | None, is_checked: bool
) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is broken")
    notice = "programs run with limits, but not isolated: it is broken" if is_checked else None
    assert programs_sandbox(map(BotSpec.parse, ["greedy", spec]), policy).notice == notice


def test_a_required_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is broken")
    with pytest.raises(SandboxUnavailable, match=r"^--sandbox require: it is broken$"):
        programs_sandbox([BotSpec.parse("program:./x")], Policy.REQUIRE)
