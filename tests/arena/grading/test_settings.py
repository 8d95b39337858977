"""Settings of a teacher: `grade.toml`."""

import pytest

from arena.grading.settings import InvalidSettings, Settings, parse_settings
from arena.grading.toolchain import Override
from tests.support.cases import loop_over

TEXT = """
[default]
language = "Java"

[submissions.ada]
main = "src/Game.java"

[submissions.bob]
build = "make all"
run = "./game --level 'very high'"
"""


def test_settings() -> None:
    settings = parse_settings(TEXT)
    assert settings.of("ada") == Override(main="src/Game.java")
    assert settings.of("bob") == Override(
        build=("make", "all"), run=("./game", "--level", "very high")
    )
    assert settings.of("eve") == Override(language="Java")
    assert Settings().of("eve") == Override()


@loop_over(
    "text, error",
    ("[", "Invalid"),
    ("other = 1", "unknown key 'other' (choose from default, submissions)"),
    ("submissions = 1", "submissions must be a table, not 1"),
    ("submissions.ada = 1", "submissions.ada must be a table, not 1"),
    ("default.name = 'x'", "default: unknown key 'name' (choose from language, main, build"),
    ("default.main = 1", "default.main must be a text, not 1"),
    ("default.main = ' '", "default.main must be a text, not ' '"),
    ("default.language = 'Cobol'", "default: unknown language 'Cobol' (choose from Makefile,"),
    ('default.run = "\'"', 'default: "\'": No closing quotation'),
)
def test_invalid_settings(text: str, error: str) -> None:
    with pytest.raises(InvalidSettings) as raised:
        parse_settings(text)
    assert str(raised.value).startswith(error)


def test_any_language_may_be_named_beside_a_command() -> None:
    settings = parse_settings("[default]\nlanguage = 'Cobol'\nrun = './game'")
    assert settings.default.language == "Cobol"
