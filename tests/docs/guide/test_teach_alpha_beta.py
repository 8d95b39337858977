"""The guide for teachers: its commands work, its options and numbers are right."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from arena.teaching.formats import selection
from arena.teaching.practice import source
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run
from tests.support.tools import need

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guide" / "teach-alpha-beta.md").read_text()
PRACTICE = re.findall(r"^    arena practice (.*) > (\S+)$", PAGE, re.MULTILINE)
DRAWINGS = re.findall(r"^    ((?:echo|arena trace) .*)$", PAGE, re.MULTILINE)


@loop_over(("options", "file"), PRACTICE)
def test_the_sheets_are_printed(arena: Run, options: str, file: str) -> None:
    text = arena("practice", *shlex.split(options)).out
    number = 6 if "--count 6" in options else 4
    kind = "Solution" if "--solutions" in options else "Exercise"
    assert f"{kind} {number}" in text
    assert f"{kind} {number + 1}" not in text
    assert text.startswith(r"\documentclass" if file.endswith(".tex") else "<!DOCTYPE html>")


def test_defaults_and_numbers(arena: Run) -> None:
    defaults = dict(re.findall(r"^\| `(--\w+) (\S+)` \|", PAGE, re.MULTILINE))
    assert len(defaults) == 9
    options = [word for option in defaults.items() for word in option]
    assert arena("practice", *options) == arena("practice")
    text = " ".join(PAGE.split())
    assert f"at most {source.MAX_LEAVES} leaves and depth {source.MAX_DEPTH}" in text
    assert f"more than {selection.MAX_WHOLE} nodes is drawn with at most" in text
    assert f"at most {selection.MAX_NODES}: first the best line" in text
    assert f"at most {selection.MAX_SIBLINGS} children that were visited" in text


@pytest.mark.parametrize("command", DRAWINGS[1:])
def test_the_drawings_are_made(command: str, tmp_path: Path) -> None:
    if "| dot" in command:
        need("graphviz")
    python = f"{shlex.quote(sys.executable)} -P -m arena trace"
    lines = [DRAWINGS[0], command.replace("arena trace", python)]
    subprocess.run(["sh", "-ec", "\n".join(lines)], cwd=tmp_path, check=True)
    assert (tmp_path / command.split("> ")[1]).stat().st_size > 1000
