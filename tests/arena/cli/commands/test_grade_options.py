"""Flags of `arena grade`."""

from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.commands.grade import GradeConfig
from arena.cli.parser import parse
from arena.grading.scheme import Matching, Scheme
from arena.sandbox.limits import Policy
from tests.support.cases import loop_over
from tests.support.servers.arena_command import configured


def test_defaults() -> None:
    config = configured(GradeConfig, "grade", "hw2", "--jobs", "2")
    assert config.scheme == Scheme()
    assert config == GradeConfig(
        submissions=Path("hw2"),
        output=None,
        cases=20,
        seed=1,
        hardest=1.0,
        timeout=10.0,
        jobs=2,
        sandbox=Policy.REQUIRE,
        gradescope=None,
        junit=None,
        page=None,
        dry_run=False,
    )


@loop_over(
    ("value", "words", "seed"), [("4711", [], 4711), ("4711", ["--seed", "2"], 2), ("", [], 1)]
)
def test_the_seed_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, value: str, words: list[str], seed: int
) -> None:
    monkeypatch.setenv("ARENA_SEED", value)
    assert configured(GradeConfig, "grade", "hw2", *words).seed == seed


def test_an_invalid_seed_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SEED", "x")
    with pytest.raises(UsageError, match=r"^--seed must be a whole number, not 'x'$"):
        parse(["grade", "hw2"])


def test_the_marking_scheme() -> None:
    words = ["--match", "exact", "--points", "65", "--weights", "move=2", "depth=0"]
    scheme = configured(GradeConfig, "grade", "hw2", *words).scheme
    assert scheme == Scheme((2, 1, 1, 1, 0, 1), Matching.EXACT, 65)


@loop_over(
    "words, error",
    (["--cases", "0"], "--cases must be at least 1, not 0"),
    (["--cases", "1001"], "--cases must be at most 1000, not 1001"),
    (["--jobs", "0"], "--jobs must be at least 1, not 0"),
    (["--hardest", "0"], "--hardest must be above 0, not 0.0"),
    (["--timeout", "1e9"], "--timeout must be at most 3600, not 1000000000.0"),
    (["--points", "0"], "--points must be above 0, not 0.0"),
    (["--page", "javascript:x"], "--page must be an address with http:// or https://, not 'java"),
    (
        ["--sandbox", "on"],
        "--sandbox: unknown policy 'on' (choose from auto, require, off)",
    ),
    (["--output", "/dev/null/report"], "--output: /dev/null is not a folder"),
    (["--weights", "x=1"], "--weights: 'x=1': unknown line 'x' (choose from move, value,"),
)
def test_invalid_values(words: list[str], error: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse(["grade", "hw2", *words])
    assert str(raised.value).startswith(error)
