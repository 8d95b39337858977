"""The guide to alpha-beta: its commands print what it shows, and its trees are equal."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from arena.cli.parser import parser
from arena.teaching.formats import FORMATS
from arena.teaching.notation import MAX_DEPTH, MAX_NODES, parse_tree
from arena.teaching.tracer import VARIANTS
from tests.support.cases import loop_over

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "guide" / "alpha-beta.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def shell(command: str) -> str:
    command = command.replace("arena trace", f"{shlex.quote(sys.executable)} -m arena trace")
    result = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@loop_over("block", blocks("console"))
def test_a_command_prints_what_is_shown(block: str) -> None:
    command, _, output = block.partition("\nEND\n" if "<<END" in block else "\n")
    command += "\nEND\n" if "<<END" in command else ""
    assert shell(command.removeprefix("$ ")) == output


def test_the_examples_work_and_mention_everything() -> None:
    [command] = blocks("sh")
    assert shell(command.partition(">")[0]).startswith("<svg ")
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
