"""The command line for exercises, `python -m core.alpha_beta.practice`."""

import shlex
from collections.abc import Mapping, Sequence
from typing import get_args

from core.alpha_beta.practice import html, tex
from core.alpha_beta.practice.exercises import NoExercise, Source, exercises
from core.alpha_beta.practice.sheet import Paper, Sheet
from core.alpha_beta.practice.source import MAX_DEPTH, MAX_LEAVES, Player, Positions, Trees
from core.cli import UsageError, main, number, shown, split_options
from core.game import Game
from core.registry import GAMES

USAGE = "python -m core.alpha_beta.practice [<option>...]"

HELP = f"""\
Usage: {USAGE}

Exercises on alpha-beta: print a sheet of random trees, or of positions of a game, to solve on
paper. The same options make the same exercises.

  --seed <number>            seed of the random numbers (default: 1)
  --count <number>           exercises on the sheet (default: 4, at most 50)
  --cutoffs <number>         least number of nodes of each at which branches are pruned (default: 1)
  --depth <plies>            depth of the trees, or of the search of a position (default: 3)
  --solutions                print the sheet with the solutions
  --format <name>            html (default) or tex, for LaTeX
  --paper <name>             a4 (default) or letter
  --title <text>             title of the sheet (default: Alpha-beta)

Trees, without --game:

  --branching <low>..<high>  number of children of a node (default: 2..3)
  --values <low>..<high>     values of leaves, which differ if there are enough (default: 1..50)
  --player <name>            player at the root: max (default), min or either

Positions:

  --game <name>              game: {{games}}
  --setup <name>=<number>... parameters of the game, separated by commas
  --plies <low>..<high>      random moves before the position (default: 1..3)

A range of one number can be written as the number. Trees have at most {MAX_LEAVES} leaves, so that
they fit on a page.

Examples:

  $ python -m core.alpha_beta.practice --seed 7 > sheet.html
  $ python -m core.alpha_beta.practice --seed 7 --solutions > solutions.html
  $ python -m core.alpha_beta.practice --branching 2 --depth 4 --cutoffs 3 --format tex > sheet.tex

Exit status: 0 with a sheet, 1 if there are no such exercises or the sheet cannot be written, 2 for
arguments that make no sense, 130 after Ctrl-C.
"""

TREE_OPTIONS = {
    "--branching": "<low>..<high>",
    "--values": "<low>..<high>",
    "--player": "<name>",
}
GAME_OPTIONS = {"--setup": "<name>=<number>,...", "--plies": "<low>..<high>"}
OPTIONS = {
    "--seed": "<number>",
    "--count": "<number>",
    "--cutoffs": "<number>",
    "--depth": "<plies>",
    "--solutions": "",
    "--format": "<name>",
    "--paper": "<name>",
    "--title": "<text>",
    "--game": "<name>",
    **TREE_OPTIONS,
    **GAME_OPTIONS,
}
FORMATS = {"html": html.render, "tex": tex.render}


def run(arguments: Sequence[str]) -> str:
    """Return the sheet for these arguments. Raises UsageError."""
    if {"-h", "--help"} & set(arguments):
        return HELP.format(games=", ".join(GAMES))  # which are slow to look up
    others, options = split_options(arguments, OPTIONS, USAGE)
    if others:
        raise UsageError(f"expected options alone, got {shown(others[0])}; usage: {USAGE}")
    given = {name: "".join(values) for name, values in options.items()}
    form = _choice(given, "--format", [*FORMATS])
    paper: Paper = _choice(given, "--paper", get_args(Paper))  # type: ignore[assignment]
    source = _positions(given) if "--game" in given else _trees(given)
    seed = number(given.get("--seed", "1"), "--seed")
    count = _bounded(given, "--count", 4, (1, 50))
    cutoffs = _bounded(given, "--cutoffs", 1, (0, 20))
    try:
        found = [*exercises(source, count, seed, cutoffs)]
    except NoExercise as error:
        raise UsageError(f"{error}: {_advice(error.reason, given)}", 1) from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError(f"--setup {shown(given.get('--setup', ''))} is too large") from None
    is_solved = "--solutions" in given
    again = shlex.join(word for word in arguments if word != "--solutions")
    footer = f"Made with: python -m core.alpha_beta.practice {again}"
    title = given.get("--title", "Alpha-beta")
    return FORMATS[form](Sheet(title, found, is_solved, paper, footer))


def _advice(reason: str, given: Mapping[str, str]) -> str:
    """Return the options to change if there are no such exercises."""
    if reason == "answers":
        return "lower --count"
    if reason == "cutoffs":
        return "lower --cutoffs, or raise --depth"
    if "--game" in given:
        return "change --plies, --depth or --setup"
    return "lower --branching or --depth"


def _trees(given: Mapping[str, str]) -> Source:
    """Return the source of random trees. Raises UsageError."""
    for name in GAME_OPTIONS:
        if name in given:
            raise UsageError(f"{name} goes with --game only")
    depth = _bounded(given, "--depth", 3, (1, MAX_DEPTH))
    branching = _range(given, "--branching", (2, 3), (1, MAX_LEAVES))
    values = _range(given, "--values", (1, 50), (-999, 999))
    if (least := branching[0] ** depth) > MAX_LEAVES:
        raise UsageError(
            f"--branching {branching[0]}..{branching[1]} and --depth {depth} give at least"
            f" {least:,} leaves, and {MAX_LEAVES} fit on a page"
        )
    player: Player = _choice(given, "--player", get_args(Player))  # type: ignore[assignment]
    return Trees(depth, branching, values, player)


def _positions(given: Mapping[str, str]) -> Source:
    """Return the source of random positions. Raises UsageError."""
    for name in TREE_OPTIONS:
        if name in given:
            raise UsageError(f"{name} does not go with --game")
    name = given["--game"]
    if name not in GAMES:
        raise UsageError(f"unknown game {shown(name)} (choose from {', '.join(GAMES)})")
    game = GAMES[name]
    depth = _bounded(given, "--depth", 3, (0, MAX_DEPTH))
    plies = _range(given, "--plies", (1, 3), (0, 1000))
    return Positions(game, _setup(game, given.get("--setup", "")), plies, depth)


def _setup(game: Game, text: str) -> dict[str, int]:
    """Return the parameters of a game; those that are not given have a usual value."""
    setup = {name: parameter.usual[0] for name, parameter in game.parameters.items()}
    for part in text.split(",") if text else ():
        name, _, value = part.partition("=")
        if name not in setup:
            known = f"it has {', '.join(setup)}" if setup else "it has none"
            raise UsageError(f"--setup: {game.title} has no parameter {shown(name)} ({known})")
        setup[name] = number(value, f"--setup {name}")
        if limit := game.parameters[name].broken_limit(setup[name]):
            raise UsageError(f"--setup {name} must be {limit}, not {setup[name]}")
    return setup


def _choice(given: Mapping[str, str], name: str, choices: Sequence[str]) -> str:
    """Return the value of an option, by default the first choice. Raises UsageError."""
    value = given.get(name, choices[0])
    if value not in choices:
        raise UsageError(f"unknown {name} {shown(value)} (choose from {', '.join(choices)})")
    return value


def _bounded(given: Mapping[str, str], name: str, default: int, limits: tuple[int, int]) -> int:
    """Return the number that an option gives. Raises UsageError."""
    value = number(given[name], name) if name in given else default
    low, high = limits
    if not low <= value <= high:
        raise UsageError(f"{name} must be from {low} to {high}, not {shown(str(value))}")
    return value


def _range(
    given: Mapping[str, str], name: str, default: tuple[int, int], limits: tuple[int, int]
) -> tuple[int, int]:
    """Return the range that an option gives. Raises UsageError."""
    if name not in given:
        return default
    first, dots, second = given[name].partition("..")
    low, high = (_signed(part, name) for part in (first, second if dots else first))
    if not limits[0] <= low <= high <= limits[1]:
        rule = f"from {limits[0]} to {limits[1]}, the lower number first"
        raise UsageError(f"{name} must be within {rule}, not {shown(given[name])}")
    return low, high


def _signed(text: str, name: str) -> int:
    """Return a whole number that may be negative. Raises UsageError."""
    return -number(text[1:], name) if text.startswith("-") else number(text, name)


if __name__ == "__main__":
    main("alpha_beta.practice", run)
