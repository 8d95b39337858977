"""`arena trace` on written trees, on positions and on boards."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn

import pytest

from arena.cli.commands.trace import LONGEST
from arena.teaching import VARIANTS
from core import GAMES
from core.isolation.board import Board, name
from core.isolation.search import plain_search
from core.search import search
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, TEN_NIM, Heap
from tests.support.servers.arena_command import COMMAND, Run

TREE = "((3 5) (2 9))"
STONES = ("--game", "take_stones", "--setup")
ROWS = ["x--*****", "-*-*****", *["********"] * 4, "******--", "******-o"]
BOARD = "\n".join(ROWS)


def type_in(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A file with a tree."""
    file = tmp_path / "first.tree"
    file.write_text(TREE)
    return file


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A file with a board of Isolation."""
    file = tmp_path / "board"
    file.write_text(BOARD)
    return file


def good(arena: Run, *words: object) -> str:
    """Return the output, when everything else is as it must be."""
    end = arena("trace", *words)
    assert (end.status, end.err) == (0, "")
    return end.out


def refusal(arena: Run, *words: object) -> str:
    """Return the error message for invalid input; check the exit status and the output."""
    end = arena("trace", *words)
    assert (end.status, end.out, end.err.count("\n")) == (2, "", 1)
    return end.err.removeprefix("arena: ").removesuffix("\n")


# Trees


def test_a_tree_in_a_file_or_on_standard_input(
    arena: Run, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = good(arena, tree)
    assert output.startswith("first.tree\n\nAlpha-beta")
    type_in(monkeypatch, TREE)
    assert output == good(arena, "-").replace("Tree from standard input", "first.tree")


def test_depths_variants_and_steps(arena: Run, tree: Path) -> None:
    output = good(arena, tree, "--variant", "minimax,fail-hard", "--steps", "--limit=9")
    assert output.startswith("  1  max_value(node):\n")
    assert output.count("The trace stops here: it is limited to 9 steps.") == 2
    output = good(arena, tree, "--variant", ",".join(VARIANTS))
    assert output.count("Same as minimax, ") == output.count("Yes: both give") == len(VARIANTS)
    tree.write_text("((3 5)=4 (2 9)=1)")
    assert "Max depth reached                        1\n" in good(arena, tree, "--depth", 1)


def test_pictures_are_utf_8_whatever_the_locale(tree: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "trace", tree, "--format", "svg"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\N{INFINITY}" in done.stdout.decode()


def test_only_one_format_is_loaded(tree: Path) -> None:
    code = (
        f"import sys; from arena.__main__ import main; main(['trace', {str(tree)!r}])\n"
        "print([m for m in sys.modules if m.startswith('arena.teaching.formats.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.endswith("['arena.teaching.formats.text']\n")


@loop_over(
    "text, message",
    ("", "the text has no tree"),
    ("((3 5) (2", "line 1, column 8: the bracket of this node is not closed"),
    ("(" * 5000 + "1" + ")" * 5000, "line 1, column 1002: the tree is deeper"),
    ("(\N{BULLET} 1)", "line 1, column 2: '\\u2022' is neither a name nor a "),
)
def test_bad_trees_name_the_place_and_the_rule(
    arena: Run, tree: Path, text: str, message: str
) -> None:
    tree.write_text(text)
    assert refusal(arena, tree).startswith(f"{tree}: {message}")
    with pytest.MonkeyPatch.context() as patch:
        type_in(patch, text)
        assert refusal(arena, "-").startswith(f"standard input: {message}")


def test_a_file_that_is_too_long_is_refused(arena: Run, tree: Path) -> None:
    tree.write_text(" " * (LONGEST + 1))
    assert refusal(arena, tree).endswith(f"is longer than {LONGEST} bytes")


def test_output_that_cannot_be_written_is_one_line(
    arena: Run, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", None)  # as with >&- in a shell
    end = arena("trace", tree)
    assert (end.status, end.err) == (1, "arena: cannot write: standard output is closed\n")


def test_children_may_be_too_many_to_be_ordered(
    arena: Run, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 5)
    message = refusal(arena, tree, "--variant", "best-first")
    assert message.startswith("the children cannot be ordered: the tree has more than")


# Positions


def test_titles_and_reasons(arena: Run) -> None:
    output = good(arena, *STONES, "stones=7", "--depth", 3)
    assert output.startswith("Take-Stones (stones 7), depth 3\n")
    output = good(arena, *STONES, "stones=7", "--moves", 3, 6, "--depth", 2, "--steps")
    assert "\nTake-Stones (stones 7) after 3 6, depth 2\n" in output
    assert "1-2 has the value 0.7. Stone 1 is taken." in output
    output = good(arena, *STONES, "stones=7", "--moves", 3, 6, "--format", "json")
    assert json.loads(output)["nodes_visited"] == 16
    output = good(arena, "--game", "isolation", "--setup", "size=3", "--depth", 1)
    assert output.startswith("Isolation (size 3), depth 1\n")


def test_a_game_without_parameters_needs_no_setup(
    arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, TEN_NIM.name, TEN_NIM)
    assert good(arena, "--game", TEN_NIM.name).startswith(f"{TEN_NIM.title}, depth 0\n")


class Endless(Heap):
    """A heap with more moves, after the first one, than fit into the memory."""

    def legal_moves(self) -> list[int]:
        if self.moves:
            raise MemoryError
        return super().legal_moves()


def endless(*, heap: int, moves: Sequence[int] = ()) -> Endless:
    return Endless(heap, moves)


def too_large(**_: object) -> NoReturn:
    raise MemoryError


@loop_over("study, what", (endless, "tree"), (too_large, "position"))
def test_what_exceeds_the_memory_is_one_line(
    arena: Run, monkeypatch: pytest.MonkeyPatch, study: Callable[..., Heap], what: str
) -> None:
    game = NIM._replace(board=Endless, position=study, study=study)
    monkeypatch.setitem(GAMES, NIM.name, game)
    message = refusal(arena, "--game", NIM.name)
    assert message == f"the {what} is too large for this machine's memory"


# Boards


def test_the_numbers_are_those_of_the_search(arena: Run, board: Path) -> None:
    found = search(Board.from_rows(ROWS, 2), 3)
    words = ("--game", "isolation", "--board", board, "--player", 2, "--depth", 3)
    lines = good(arena, *words).splitlines()
    assert lines[0] == "Isolation, player 2 to move, depth 3"
    [move] = [line for line in lines if line.startswith("Move ")]
    [visited] = [line for line in lines if line.startswith("Number of nodes visited ")]
    assert move.endswith(f" {name(found.move)}")
    assert visited.split()[4] == str(found.nodes_visited)


@loop_over("depth", [2, 0])
def test_a_plain_search_looks_for_no_ending(arena: Run, board: Path, depth: int) -> None:
    found = search(Board.from_rows(ROWS, 1), depth, compiled=plain_search)
    words = ("--game", "isolation", "--board", board, "--depth", depth, "--plain", "--steps")
    lines = good(arena, *words).splitlines()
    numbers = {line[:30].rstrip(): line.split()[-2] for line in lines if line.startswith("Number")}
    assert numbers["Number of nodes visited"] == str(found.nodes_visited)
    assert numbers["Number of nodes evaluated"] == str(found.nodes_evaluated)


# Bad input


@loop_over(
    "words, message",
    ("", "either a TREE or --game must be given, and not both"),
    ("- --game isolation", "either a TREE or --game must be given, and not both"),
    ("- --moves 3", "--moves requires --game"),
    ("- --plain", "--plain requires --game"),
    ("- --depth -1", "--depth must be at least 0, not -1"),
    ("- --format svg --variant minimax,fail-hard", "--format svg shows one variant, not 2"),
    ("- --format json --steps", "--steps requires --format text, not json"),
    ("- --variant minimax,", "--variant: unknown variant '' (choose from alpha-beta, "),
    ("- --limit 0", "--limit must be at least 1, not 0"),
    (f"- --limit {'9' * 19}", f"--limit must be at most {sys.maxsize}, not {'9' * 19}"),
    ("- --depth 1", "node 'B' needs a value, as a leaf of the search"),
    ("--game isolation --player 2", "--player requires --board"),
    ("--game isolation --board - --moves 3", "--moves does not go with --board"),
    ("--game isolation --board -", "row 1, column 1: '3' is none of - * x o"),
    ("--game take_stones --board -", "--board: take_stones has no notation of boards, use --moves"),
    ("--game take_stones --plain", "--plain: take_stones has one evaluation only"),
    ("--game take_stones --setup stones=2", "the game is over"),
)
def test_bad_input_names_the_value_and_the_rule(
    arena: Run, monkeypatch: pytest.MonkeyPatch, words: str, message: str
) -> None:
    type_in(monkeypatch, TREE)
    assert refusal(arena, *words.split()).startswith(message)


@loop_over("file", ["no-such-file", "/"])
def test_a_file_that_cannot_be_read_is_named(arena: Run, file: str) -> None:
    assert refusal(arena, file).startswith(f"cannot read '{file}': ")
