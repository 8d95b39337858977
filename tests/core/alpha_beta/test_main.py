"""The command line for written trees, run as its users run it."""

import os
import re
import select
import signal
import subprocess
import sys
from pathlib import Path

from core.cli import shown
from tests.support.cases import loop_over
from tests.support.games.programs import Program
from tests.support.polling import TEST_TIMEOUT

PROGRAM = Program("alpha_beta")
TREE = "((3 5) (2 9))"


def good(*arguments: str, stdin: str = TREE) -> str:
    return PROGRAM.output(*arguments, stdin=stdin)


def test_the_example_in_the_help_is_true() -> None:
    example = re.search(
        r'\$ echo "(.+)" \| python -m core.alpha_beta -\n((?:  .+\n|\n)+)', good("--help")
    )
    assert example
    output = re.sub("^  ", "", example[2], flags=re.MULTILINE)
    assert good("-", stdin=example[1]) == output.rstrip("\n") + "\n"


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "first.tree"
    file.write_text(TREE)
    output = good(str(file))
    assert output.startswith("first.tree\n\nAlpha-beta")
    assert output == good("-").replace("Tree from standard input", "first.tree")


def test_depths_and_options() -> None:
    assert "Max depth reached                        1\n" in good(
        "-", "--depth", "1", stdin="((3 5)=4 (2 9)=1)"
    )
    output = good("-", "--variant", "minimax,fail-hard", "--steps", "--limit=9")
    assert output.count("The trace stops here: it is limited to 9 steps.") == 2
    trees = re.findall(r"^  (\S.*?)   +(?:children|names|JSON)", good("--help"), re.MULTILINE)
    assert len(trees) == 3
    assert ["Same as minimax? Yes" in good("-", stdin=tree) for tree in trees] == [True] * 3


def test_pictures_are_utf_8_whatever_the_locale() -> None:
    result = subprocess.run(
        [*PROGRAM.command, "-", "--format", "svg"],
        input=TREE.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert "\N{INFINITY}" in result.stdout.decode()


def test_only_one_format_is_loaded() -> None:
    code = (
        "import sys; sys.argv[1:] = ['-']; import runpy\n"
        "try: runpy.run_module('core.alpha_beta', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith('core.alpha_beta.formats.')])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], input=TREE, capture_output=True, text=True
    )
    assert result.stdout.endswith("['core.alpha_beta.formats.text']\n")


@loop_over(
    "arguments, message",
    ("", "one tree is needed, not 0; usage: python -m core.alpha_beta <tree> [<option>...]"),
    ("a b", "one tree is needed, not 2; usage: "),
    ("- --depht 3", "there is no option '--depht'; usage: "),
    ("- --depth", "--depth needs <plies>; usage: "),
    ("- --depth -1", "--depth must be a whole number in decimal digits, not '-1'"),
    ("- --format png", "unknown format 'png' (choose from text, json, dot, svg, tex)"),
    ("- --variant x", "unknown variant 'x' (choose from "),
    ("- --depth 1", "node 'B' needs a value, as a leaf of the search"),
)
def test_bad_arguments_name_the_value_and_the_rule(arguments: str, message: str) -> None:
    assert PROGRAM.refusal(*arguments.split(), stdin=TREE).startswith(message)


@loop_over(
    "tree, message",
    ("", "standard input: the text has no tree"),
    ("((3 5) (2", "standard input: line 1, column 8: the bracket of this node is not closed"),
    ("(" * 5000 + "1" + ")" * 5000, "standard input: line 1, column 1002: the tree is deeper"),
    ("[" * 5000 + "1" + "]" * 5000, "standard input: the JSON is nested too deeply; "),
    ("(\N{BULLET} 1)", "standard input: line 1, column 2: '\\u2022' is neither a name nor a "),
    (" " * 4_000_001, "the tree in standard input is longer than 4000000 bytes"),
)
def test_bad_trees_name_the_place_and_the_rule(tree: str, message: str) -> None:
    assert PROGRAM.refusal("-", stdin=tree).startswith(message)


def test_the_file_of_a_bad_tree_is_named(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(b"(1 \xff 2)")
    message = f"{shown(str(file))}: line 1, column 4: '\\ufffd' is neither a name nor a value"
    assert PROGRAM.refusal(str(file)).startswith(message)


@loop_over(
    "redirected, message",
    ("no-such-file", "cannot read 'no-such-file': No such file or directory"),
    ("/", "cannot read '/': Is a directory"),
    ("- <&-", "cannot read standard input: it is closed"),
    ("- >&-", "cannot write the result: standard output is closed"),
    ("- >/dev/full", "cannot write the result: No space left on device"),
)
def test_a_file_that_cannot_be_read_or_written_is_one_line(redirected: str, message: str) -> None:
    result = PROGRAM.shell(redirected, stdin=TREE)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"alpha_beta: {message}\n"


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    with subprocess.Popen(
        [*PROGRAM.command, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(TREE)
        process.stdin.close()
        errors = process.stderr.read()
    assert (errors, process.returncode) == ("", 141)


def test_ctrl_c_is_one_line(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    end = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    written = os.write(end, b" " * 1_000_000)  # as many as fit into it, until the program reads
    with subprocess.Popen([*PROGRAM.command, fifo], stderr=subprocess.PIPE, text=True) as process:
        assert written < 1_000_000
        assert select.select([], [end], [], TEST_TIMEOUT)[1]
        process.send_signal(signal.SIGINT)
        os.close(end)  # which ends a read that had not begun when the signal came
        _, errors = process.communicate(timeout=TEST_TIMEOUT)
        assert (errors, process.returncode) == ("alpha_beta: interrupted\n", 130)
