"""Command `arena practice`: exercises on alpha-beta, on a sheet to print."""

import shlex
from collections.abc import Iterator
from dataclasses import fields
from typing import cast

from arena.analysis.position import studied_position
from arena.cli.arguments import UsageError
from arena.cli.commands.trace import print_document, usual_setup
from arena.cli.teaching_configuration import PracticeConfig, written
from arena.teaching.practice import html, tex
from arena.teaching.practice.exercises import NoExercise, Paper, Sheet, Source, exercises
from arena.teaching.practice.source import MAX_LEAVES, Trees, usual_positions
from core import GAMES

FORMATS = {"html": html.render, "tex": tex.render}


def run(config: PracticeConfig) -> int:
    """Print a sheet and return the exit status.

    Raises:
        UsageError: There are no such exercises.
        OSError: Standard output cannot be written.
    """
    print_document(_sheet(config))
    return 0


def _sheet(config: PracticeConfig) -> str:
    try:
        source = _positions(config, config.game) if config.game else _trees(config)
        found = [*exercises(source, config.count, config.seed, config.cutoffs)]
    except NoExercise as error:
        raise UsageError(f"{error}: {_advice(error.reason, config)}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    except MemoryError:
        raise UsageError("the position is too large for this machine's memory") from None
    footer = shlex.join(["arena", config.command, *_words(config)])
    paper = cast(Paper, config.paper)
    sheet = Sheet(config.title, found, config.solutions, paper, f"Made with: {footer}")
    return FORMATS[config.format](sheet)


def _words(config: PracticeConfig) -> Iterator[str]:
    """Yield the flags that make these exercises."""
    for field in fields(config):
        value = getattr(config, field.name)
        if value == field.default or field.name == "solutions":
            continue
        if field.name == "setup":
            words = [f"{name}={number}" for name, number in value]
        else:
            words = [written(value) if isinstance(value, tuple) else str(value)]
        flag = f"--{field.name}"
        yield from [f"{flag}={words[0]}"] if words[0].startswith("-") else [flag, *words]


def _advice(reason: str, config: PracticeConfig) -> str:
    """Return the options to change if there are no such exercises."""
    if reason == "answers":
        return "lower --count"
    if reason == "cutoffs":
        return "lower --cutoffs, or raise --depth"
    if config.game:
        return "change --plies, --depth or --setup"
    return "lower --branching or --depth"


def _trees(config: PracticeConfig) -> Source:
    """Return the source of random trees. Raises UsageError."""
    given = {
        name: value
        for name in ("depth", "branching", "values", "player")
        if (value := getattr(config, name)) is not None
    }
    trees = Trees(**given)
    if (least := trees.branching[0] ** trees.depth) > MAX_LEAVES:
        raise UsageError(
            f"--branching {written(trees.branching)} and --depth {trees.depth} give at least"
            f" {least:,} leaves, and {MAX_LEAVES} fit on a page"
        )
    return trees


def _positions(config: PracticeConfig, game: str) -> Source:
    """Return the source of random positions. Raises ValueError and MemoryError."""
    setup = usual_setup(GAMES[game], config.setup)
    studied_position(game, setup, [])  # checks both
    given = {
        name: value for name in ("plies", "depth") if (value := getattr(config, name)) is not None
    }
    return usual_positions(GAMES[game], setup)._replace(**given)
