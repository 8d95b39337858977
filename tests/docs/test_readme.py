"""The README is short, in its order, and its examples are true."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from arena.cli.parser import parser
from tests.support.cases import loop_over

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()
CONSOLE = re.findall(r"^```console\n(.*?)^```$", TEXT, re.M | re.S)


def test_the_readme_has_at_most_200_lines() -> None:
    assert len(TEXT.splitlines()) <= 200


def test_sections_are_in_the_order_of_a_first_visit() -> None:
    assert re.findall(r"^## (.+)$", TEXT, re.M) == [
        "Run it",
        "Your own bot",
        "A tournament",
        "The browser",
        "The assignment's command line",
        "Where to read on",
    ]


@loop_over("target", re.findall(r"(?:`|\$ )make (\w+)", TEXT))
def test_every_make_target_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M)


@loop_over(
    "page, others",
    ("README.md", {"--experimental-websocket"}),  # of Node
    ("docs/guide/run-a-tournament.md", {"--level"}),  # of a program
    ("docs/guide/course.md", set()),
)
def test_every_flag_exists(page: str, others: set[str]) -> None:
    usage = parser().format_help() + "".join(
        choice.format_help()
        for action in parser()._subparsers._group_actions  # type: ignore[union-attr]
        for choice in action.choices.values()  # type: ignore[union-attr]
    )
    flags = {*re.findall(r"(?<!-)--[a-z]+(?:-[a-z]+)*", (ROOT / page).read_text())}
    assert flags - {*re.findall(r"--[a-z-]+", usage)} == others


def test_the_example_is_true() -> None:
    [example] = [block for block in CONSOLE if block.startswith("$ python -m core.take_stones")]
    command, _, expected = example.partition("\n")
    words = shlex.split(command.removeprefix("$ python "))
    found = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
    assert found.stdout == expected
