"""The options and the output of the commands that explain a search."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.alpha_beta.compared_run import run
from core.alpha_beta.formats import FORMATS, render
from core.alpha_beta.formats.text import render_all, render_steps
from core.alpha_beta.minimax import TooManyPositions
from core.alpha_beta.tree import GameTree
from core.alpha_beta.variant import VARIANTS, Variant
from core.cli import UsageError, number, shown
from core.game import Game, Position

DEFAULT_LIMIT = 100_000

OPTIONS = {
    "--variant": "<name>[,<name>...]",
    "--format": "<name>",
    "--limit": "<steps>",
    "--steps": "",
}

HELP = f"""\
  --variant <name>[,...]  alpha-beta (Figure 5.7, without this option), minimax, fail-hard,
                          best-first or worst-first (order of the children), or transpositions;
                          of several, the numbers are laid side by side
  --steps                 list all steps of the search in words, with the pseudocode
  --format <name>         text (without this option), json, dot, svg or tex
  --limit <steps>         stop the search after this number of steps, without it {DEFAULT_LIMIT:,}
"""


class Settings(NamedTuple):
    """What the options ask for."""

    variants: Sequence[Variant]
    format: str
    limit: int
    wants_steps: bool


def settings(options: Mapping[str, Sequence[str]]) -> Settings:
    """Return what the options ask for. Raises UsageError."""
    [names] = options.get("--variant", ["alpha-beta"])
    [form] = options.get("--format", ["text"])
    [limit] = options.get("--limit", [str(DEFAULT_LIMIT)])
    variants = [_variant(name) for name in names.split(",")]
    if form not in FORMATS:
        raise UsageError(f"unknown format {shown(form)} (choose from {', '.join(FORMATS)})")
    if form != "text" and len(variants) > 1:
        raise UsageError(f"--format {form} shows one variant, not {len(variants)}")
    wants_steps = "--steps" in options
    if form != "text" and wants_steps:
        raise UsageError(f"--steps goes with --format text only, not with {form}")
    most = number(limit, "--limit")
    if not 1 <= most <= sys.maxsize:
        raise UsageError(f"--limit must be from 1 to {sys.maxsize}, not {shown(str(most))}")
    return Settings(variants, form, most, wants_steps)


def _variant(name: str) -> Variant:
    if name not in VARIANTS:
        raise UsageError(f"unknown variant {shown(name)} (choose from {', '.join(VARIANTS)})")
    return VARIANTS[name]


def explain(
    start: Position | GameTree,
    depth: int,
    wanted: Settings,
    title: str,
    move_name: Callable[[int], str] = str,
    game: Game | None = None,
) -> str:
    """Return the output for the search of a position or a tree. Raises UsageError.

    Args:
        start: The position, or the tree.
        depth: The depth in plies, 0 for the end of the game.
        wanted: What the options ask for.
        title: The heading.
        move_name: Returns the name of a move of a position.
        game: The game of a position with another evaluation, by default as registered.
    """
    limit = wanted.limit
    try:
        runs = [
            run(start, depth, variant=variant, limit=limit, move_name=move_name, game=game)
            for variant in wanted.variants
        ]
    except TooManyPositions as error:
        raise UsageError(f"the children cannot be ordered: {error}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError("the tree is too large for this machine's memory") from None
    if wanted.format != "text":
        return render(wanted.format, runs[0], title)
    steps = [render_steps(found, start, depth, game) for found in runs if wanted.wants_steps]
    return "\n".join([*steps, render_all(runs, title)])
