"""The options and the output of the commands that explain a search."""

import json
import sys

import pytest

from core import GAMES
from core.alpha_beta import FIGURE_5_7, VARIANTS, command
from core.alpha_beta.command import DEFAULT_LIMIT, Settings, explain, settings
from core.alpha_beta.notation import parse_tree
from core.cli import UsageError
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM, Heap

TREE = parse_tree("((3 5) (2 9))")
DEFAULTS = settings({})


def test_options_and_defaults() -> None:
    assert settings({}) == Settings([FIGURE_5_7], "text", DEFAULT_LIMIT, False)
    options = {"--variant": ["minimax,fail-hard"], "--limit": ["9"], "--steps": list[str]()}
    variants = [VARIANTS["minimax"], VARIANTS["fail-hard"]]
    assert settings(options) == Settings(variants, "text", 9, True)


@loop_over(
    "options, message",
    ({"--variant": ["x"]}, "unknown variant 'x' (choose from alpha-beta, minimax, fail-hard, "),
    ({"--variant": ["minimax,"]}, "unknown variant '' (choose from alpha-beta, minimax, "),
    ({"--format": ["png"]}, "unknown format 'png' (choose from text, json, dot, svg, tex)"),
    ({"--limit": ["0"]}, f"--limit must be from 1 to {sys.maxsize}, not '0'"),
    ({"--limit": ["9" * 19]}, f"--limit must be from 1 to {sys.maxsize}, not '{'9' * 19}'"),
    ({"--limit": ["x"]}, "--limit must be a whole number in decimal digits, not 'x'"),
    (
        {"--format": ["svg"], "--variant": ["minimax,fail-hard"]},
        "--format svg shows one variant, not 2",
    ),
    ({"--format": ["json"], "--steps": []}, "--steps goes with --format text only, not with json"),
)
def test_invalid_options(options: dict[str, list[str]], message: str) -> None:
    with pytest.raises(UsageError) as error:
        settings(options)
    assert str(error.value).startswith(message)
    assert error.value.status == 2


def test_explanations_begin_with_the_title_or_the_steps() -> None:
    assert explain(TREE, 0, DEFAULTS, "Title").startswith("Title\n\nAlpha-beta")
    text = explain(TREE, 0, DEFAULTS._replace(wants_steps=True), "Title")
    assert text.startswith("  1  max_value(node, alpha, beta):\n")
    assert "A returns 3.\n\nTitle\n" in text


def test_variants_formats_and_names_of_moves() -> None:
    wanted = DEFAULTS._replace(variants=[*VARIANTS.values()])
    text = explain(TREE, 0, wanted, "Title")
    assert text.count("Same as minimax, ") == text.count("Yes: both give") == len(VARIANTS)
    text = explain(Board(7, [3, 6]), 0, DEFAULTS._replace(format="json"), "Title")
    assert json.loads(text)["nodes_visited"] == 16
    text = explain(Board(7, [3, 6]), 0, DEFAULTS, "Title", move_name="stone {}".format)
    assert "+- stone 1 " in text
    assert all(option in command.HELP for option in command.OPTIONS)
    assert all(variant in command.HELP for variant in VARIANTS)


def test_trees_that_cannot_be_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"^node 'B' needs a value, as a leaf of the search$"):
        explain(TREE, 1, DEFAULTS, "Title")
    monkeypatch.setattr("core.alpha_beta.minimax.MAX_POSITIONS", 5)
    with pytest.raises(
        UsageError, match=r"^the children cannot be ordered: the tree has more than"
    ):
        explain(TREE, 0, DEFAULTS._replace(variants=[VARIANTS["best-first"]]), "Title")


def test_a_tree_may_be_too_large_for_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Heap):
        """A heap with more moves than fit into the memory."""

        def legal_moves(self) -> list[int]:
            raise MemoryError

    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(board=Endless))
    with pytest.raises(UsageError, match=r"^the tree is too large for this machine's memory$"):
        explain(Endless(3), 0, DEFAULTS, "Title")
