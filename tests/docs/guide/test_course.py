"""The guide for courses: its settings, flags and numbers are right."""

import re
import shlex
from pathlib import Path

from arena.cli.parser import parse, parser
from arena.cli.tournament_options import DEFAULT_BENCHMARKS
from arena.grading.archive import MAX_BYTES, MAX_FILES
from arena.grading.cases import JAVA_NODES_PER_SECOND, OFFICIAL
from arena.grading.diagnosis.explanation import ROUNDINGS
from arena.grading.diagnosis.lines import FORMS, FORMULAS
from arena.grading.diagnosis.search import MAX_CASE_NODES
from arena.grading.diagnosis.variants import VARIANTS
from arena.grading.settings import parse_settings
from arena.grading.toolchain import RECOGNISERS
from arena.sandbox.limits import MEGABYTE
from arena.tournament.duration import MIN_ROUNDS, MIN_STARTS, MOVE_SECONDS, USED

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guide" / "course.md").read_text()


def test_settings_and_commands_are_valid(tmp_path: Path) -> None:
    [text] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    settings = parse_settings(text)
    assert settings.of("bob").run == ("./game",)
    text = PAGE.replace("\\\n", " ").replace("/autograder/results", str(tmp_path))
    commands = re.findall(r"^.*?\barena (\w+ .+)$", text, re.MULTILINE)
    configs = [parse(shlex.split(command)) for command in commands if command[0] in "cg"]
    assert [config.command for config in configs] == [
        "grade",
        "grade",
        "class",
        "grade",
        "grade",
    ]


def test_every_flag_exists() -> None:
    subcommands = parser()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    usage = "".join(
        subcommands[name].format_help()  # type: ignore[index]
        for name in ("grade", "class", "standings")
    )
    assert {*re.findall(r"(?<!-)--[a-z]+(?:-[a-z]+)*", PAGE)} <= {*re.findall(r"--[a-z-]+", usage)}


def test_numbers_durations_and_languages() -> None:
    for number in (MAX_FILES, MAX_BYTES // MEGABYTE):
        assert re.search(rf"\b{number}\b", PAGE)
    for number in (MAX_CASE_NODES, JAVA_NODES_PER_SECOND):
        assert f"{number:,}" in PAGE
    forms = [form.name for forms in FORMS.values() for form in forms]
    names = {*forms, *(formula.name for formula in FORMULAS)} - {""}
    known = len(VARIANTS) + len(names) + len(ROUNDINGS)
    assert f"knows {known} misreadings" in PAGE
    assert len(OFFICIAL) == 4
    *longer, last = (f"{seconds:g}" for seconds in MOVE_SECONDS)
    assert f"{', '.join(longer)} and {last} s that leaves time" in PAGE.replace("\n", " ")
    assert (MIN_ROUNDS, MIN_STARTS, USED) == (2, 4, 0.5)
    assert f"`{' '.join(DEFAULT_BENCHMARKS)}`" in PAGE
    table = PAGE.split("## Programs")[1].split("```")[0]
    for language in RECOGNISERS:
        assert re.search(rf"^\|.*{re.escape(language)}", table, re.MULTILINE)
