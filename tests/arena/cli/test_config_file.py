"""Configuration file of a tournament, read as words of the command line."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.config_file import read
from tests.support.cases import loop_over


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.toml"


def error_for(path: Path) -> str:
    with pytest.raises(ValueError) as raised:  # noqa: PT011 (the test looks at all of the text)
        read(path)
    return str(raised.value)


OFF = "--bot", "b_c", "restart=off"


@loop_over(
    "text, expected",
    ("", {}),
    ("seed = 1", {"seed": ["--seed=1"]}),
    ("seed = -1", {"seed": ["--seed=-1"]}),
    ("time = 0.5", {"time": ["--time=0.5"]}),
    ('time = "-5+0 margin 1"', {"time": ["--time=-5+0 margin 1"]}),
    ("json = true", {"json": ["--json"]}),
    ("json = false", {"json": []}),
    ('bots = ["a b", "c"]', {"bots": ["--bots", "a b", "c"]}),
    ("bots = [1, 2.5, -3]", {"bots": ["--bots", "1", "2.5", "-3"]}),
    ("bots = []", {"bots": ["--bots"]}),
    ('bots = ["\N{SNOWMAN}"] # comment', {"bots": ["--bots", "\N{SNOWMAN}"]}),
    (
        '[bot.a]\ntime = "9+1"\nrestart = true\nenv.A = 1\n[bot."b_c"]\nrestart = false',
        {"bot": [*("--bot", "a", "time=9+1", "restart=on", "env.A=1"), *OFF]},
    ),
    ("bot = 5", {"bot": ["--bot=5"]}),
    ("seed = 1\njson = true", {"seed": ["--seed=1"], "json": ["--json"]}),
)
def test_words_of_each_key(path: Path, text: str, expected: dict[str, list[str]]) -> None:
    path.write_text(text, encoding="utf-8")
    assert read(path) == expected


NOT_TEXT = "must be text, a number or a list of them, not"


@loop_over(
    "text, error",
    ("[bots]\nseed = 1", f"bots {NOT_TEXT} {{'seed': 1}}"),
    ("seed = 2026-01-31", f"seed {NOT_TEXT} 2026-01-31"),
    ("bots = [true]", f"bots {NOT_TEXT} True"),
    ("[bot]\na = 1", "bot.a must be a table of settings, not 1"),
    ("[bot.a]", "bot.a must be a table of settings, not {}"),
    ("[bot.a]\ndir = [1]", f"bot.a.dir {NOT_TEXT} [1]"),
    ("[bot.a.env]\nB = true", f"bot.a.env.B {NOT_TEXT} True"),
    ("[bot.--json]\ndir = 1", "bot: '--json' would be read as a flag"),
    ("bots = [[1]]", f"bots {NOT_TEXT} [1]"),
    ('bots = ["a", "--json"]', "bots: '--json' would be read as a flag"),
    ('bots = ["a", "cmd:\\u0000"]', "bots: 'cmd:\\x00' contains a NUL character"),
)
def test_values_that_no_flag_can_have(path: Path, text: str, error: str) -> None:
    path.write_text(text)
    assert error_for(path) == error


@loop_over(
    "text",
    [b"seed", b"seed = 1\nseed = 2", b"\xff", b"seed = " + b"9" * 5000, b"a = " + b"[" * 9999],
)
def test_what_is_not_toml(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    assert error_for(path).startswith("invalid TOML: ")


def test_a_number_that_cannot_be_written(path: Path) -> None:
    path.write_text("seed = 0x" + "f" * 9999)
    assert error_for(path).startswith("Exceeds the limit")


def test_no_file(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(path)


@given(text=st.text(st.characters(codec="utf-8")))
def test_texts_are_words_or_errors(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(text, encoding="utf-8")
    with suppress(ValueError):  # and nothing else
        assert all(words[0].startswith(f"--{key}") for key, words in read(path).items() if words)
