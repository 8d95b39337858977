"""The guide for teachers: its commands work, its options and numbers are right."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from core.alpha_beta.formats import selection
from core.alpha_beta.practice import source
from core.alpha_beta.practice.__main__ import run
from tests.support.cases import loop_over
from tests.support.tools import need

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guide" / "teach-alpha-beta.md").read_text()
PRACTICE = re.findall(r"^    python -m core.alpha_beta.practice (.*) > (\S+)$", PAGE, re.MULTILINE)
DRAWINGS = re.findall(r"^    ((?:echo|python -m core.alpha_beta) .*)$", PAGE, re.MULTILINE)


@loop_over(("options", "file"), PRACTICE)
def test_the_sheets_are_printed(options: str, file: str) -> None:
    text = run(shlex.split(options))
    number = 6 if "--count 6" in options else 4
    kind = "Solution" if "--solutions" in options else "Exercise"
    assert f"{kind} {number}" in text
    assert f"{kind} {number + 1}" not in text
    assert text.startswith(r"\documentclass" if file.endswith(".tex") else "<!DOCTYPE html>")


def test_defaults_and_numbers() -> None:
    defaults = dict(re.findall(r"^\| `(--\w+) (\S+)` \|", PAGE, re.MULTILINE))
    assert len(defaults) == 9
    options = [word for option in defaults.items() for word in option]
    assert run(options) == run([])
    text = " ".join(PAGE.split())
    assert f"at most {source.MAX_LEAVES} leaves and depth {source.MAX_DEPTH}" in text
    assert f"more than {selection.MAX_WHOLE} nodes is drawn with at most" in text
    assert f"at most {selection.MAX_NODES}: first the best line" in text
    assert f"at most {selection.MAX_SIBLINGS} children that were visited" in text


@pytest.mark.parametrize("command", DRAWINGS[1:])
def test_the_drawings_are_made(command: str, tmp_path: Path) -> None:
    if "| dot" in command:
        need("graphviz")
    python = f"{shlex.quote(sys.executable)} -P -m core"
    lines = [DRAWINGS[0], command.replace("python -m core", python)]
    subprocess.run(["sh", "-ec", "\n".join(lines)], cwd=tmp_path, check=True)
    assert (tmp_path / command.split("> ")[1]).stat().st_size > 1000
