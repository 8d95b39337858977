"""Settings of single bots: how they are written, and to which bots they can apply."""

from pathlib import Path

import pytest

from arena.runner.bot_settings import USUAL, ProcessSettings, check_settings, parse_settings
from bots.specification import read_bots
from tests.support.cases import loop_over

BOTS = read_bots(
    {
        "spec:1": "spec:1",
        "ann": "cmd:./ann",
        "bob": "stdio:./bob",
        "cay": "python:cay:Cay",
        "dan": "program:./dan",
        "eve": "external:eve",
    }
)


def error_of(*words: str) -> str:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the test looks at all of the text)
        parse_settings([words])
    return str(raised.value)


def test_settings_are_sorted_and_the_latest_count(tmp_path: Path) -> None:
    words = ["ann", "time=10", "restart=on", "env.B=1=2", "env.A=", f"dir={tmp_path}"]
    expected = {"dir": str(tmp_path), "env.A": "", "env.B": "1=2", "restart": "on", "time": "10+0"}
    found = parse_settings([words])
    assert found == {"ann": expected}
    assert [*found["ann"]] == [*expected]
    many = [["ann", "time=1", "restart=on"], ["bob", "time=2"], ["ann", "time=3", "restart=off"]]
    assert parse_settings(many) == {"ann": {"time": "3+0"}, "bob": {"time": "2+0"}}


@loop_over(
    "words, error",
    ("ann", "ann: no settings (expected KEY=VALUE)"),
    ("ann time", "ann: must be KEY=VALUE, not 'time'"),
    ("ann time=1 time=2", "ann: repeated time"),
    (
        "ann color=red",
        "ann: unknown setting 'color' (choose from time, dir, restart, env.NAME)",
    ),
    ("ann time=soon", "ann: time 'soon' is not BASE+INCREMENT"),
    ("ann dir=/no/such", "ann: dir '/no/such' is not a folder"),
    ("ann dir=", "ann: dir '' is not a folder"),
    ("ann restart=yes", "ann: restart must be on or off, not 'yes'"),
    ("ann env.1=x", "ann: '1' is not the name of an environment variable"),
    ("ann env.=x", "ann: '' is not the name of an environment variable"),
    ("ann env.ARENA_TOKEN=x", "ann: the arena itself sets the variables ARENA_..."),
    ("ann env.A=\0", "ann: env.A contains a NUL character"),
)
def test_invalid_settings(words: str, error: str) -> None:
    assert error_of(*words.split(" ")).startswith(error)


@loop_over(
    "settings, error",
    ({"x": {}}, r"--bot: unknown bot 'x' \(choose from spec:1, ann, "),
    ({"ann": {"time": "unlimited"}}, "--bot ann: time 'unlimited' requires --workers"),
    ({"ann": {"time": "7 nodes"}}, "--bot ann: time '7 nodes' requires --workers"),
)
def test_settings_that_cannot_apply(settings: dict[str, dict[str, str]], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        check_settings(settings, BOTS, in_process=False)
    text = "ann: time '5 margin 1': the margin of --time is that of all bots"
    assert error_of("ann", "time=5 margin 1") == text


@loop_over("bot", BOTS)
def test_each_bot_can_have_its_own_time(bot: str) -> None:
    check_settings({bot: {"time": "5+0"}}, BOTS, in_process=False)
    check_settings({bot: {"time": "7 nodes"}}, BOTS, in_process=True)


@loop_over(
    "key, bots",
    ("dir", ["ann", "bob", "cay", "dan"]),
    ("env.A", ["ann", "bob", "cay", "dan"]),
    ("restart", ["ann", "bob", "cay"]),
)
def test_settings_of_processes_apply_to_users_bots(key: str, bots: list[str]) -> None:
    for bot in bots:
        check_settings({bot: {key: "on"}}, BOTS, in_process=False)
    for bot in BOTS.keys() - bots:
        with pytest.raises(ValueError, match=f"--bot {bot}: {key} has no meaning for"):
            check_settings({bot: {key: "on"}}, BOTS, in_process=False)
    with pytest.raises(ValueError, match=f"--bot {bots[0]}: {key} has no meaning in process"):
        check_settings({bots[0]: {key: "on"}}, BOTS, in_process=True)


def test_settings_of_a_process() -> None:
    settings = {"dir": "x", "env.A": "1", "env.B": "", "restart": "on", "time": "5+0"}
    assert ProcessSettings.of(settings) == ProcessSettings(Path("x"), True, {"A": "1", "B": ""})
    assert ProcessSettings.of({"time": "5+0"}) == USUAL
