"""The guide to alpha-beta: its commands print what it shows, and its trees are equal."""

import re
import shlex
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from arena.cli.parser import parser
from arena.teaching.formats import FORMATS
from arena.teaching.notation import MAX_DEPTH, MAX_NODES, parse_tree
from arena.teaching.tracer import VARIANTS
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guide" / "alpha-beta.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def printed(command: str, arena: Run) -> str:
    end = arena(*shlex.split(command)[1:])
    assert (end.status, end.err) == (0, "")
    return end.out


@loop_over("block", blocks("console"))
def test_a_command_prints_what_is_shown(
    block: str, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its input comes from `echo`, or is a here-document."""
    line, _, output = block.partition("\n")
    echo, _, command = line.removeprefix("$ ").rpartition(" | ")
    text = "\n".join(shlex.split(echo)[1:])
    if command.endswith(" <<END"):
        text, _, output = output.partition("END\n")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
    monkeypatch.chdir(ROOT)
    assert printed(command.removesuffix(" <<END"), arena) == output


def test_the_examples_work_and_mention_everything(
    arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    [command] = blocks("sh")
    assert printed(command.partition(">")[0], arena).startswith("<svg ")
    first, *others = map(parse_tree, blocks("tree"))
    assert others == [first, first]
    [code] = blocks("python")
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (result.stderr, result.stdout.splitlines()[0][:18]) == ("", "Enter(node=0, move")
    assert [name for name in VARIANTS if f"`{name}`" not in PAGE] == []
    assert [name for name in FORMATS[1:] if f"`--format {name}`" not in PAGE] == []
    options = vars(parser().parse_args(["trace"])).keys() - {"command", "tree"}
    assert [option for option in options if f"--{option}" not in PAGE] == []
    assert f"at most {MAX_NODES:,} nodes and {MAX_DEPTH:,} plies" in PAGE
