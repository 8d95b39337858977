"""Commands `arena games` and `arena check-game`: the games here, and the check of one."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from arena.cli.arguments import game_name
from arena.cli.shared_options import Command
from arena.conformance.game_checks import run_checks
from arena.conformance.optional_checks import (
    ENCODING_CHECK,
    ENGINE_CHECKS,
    MATCHING_CHECK,
    STRONG_CHECKS,
)
from arena.conformance.rule_checks import RULE_CHECKS
from arena.options import argument, option, switch
from arena.storage.verify import RECORD_CHECK
from core import GAMES
from core.game import Game, Parameter
from core.game_families import SEPARATOR

STATES = ("ok", "FAILED", "skipped")


@dataclass(frozen=True)
class GamesConfig(Command):
    """Options of `arena games`."""

    command: ClassVar[str] = "games"
    json: bool = switch("print the games as JSON")

    def run(self) -> int:
        """Print the games, one in each line, with their parameters; return the exit status.

        Games of a library that is not installed are left out of the JSON list.

        Raises:
            OSError: Standard output cannot be written.
        """
        listed, missing = [*GAMES.values()], []
        for prefix in GAMES.families:
            try:
                listed += [GAMES[name] for name in GAMES.families.names(prefix)]
            except ValueError as error:
                missing.append((f"{prefix}{SEPARATOR}NAME", str(error)))
        if self.json:
            print(json.dumps([_facts(game) for game in listed], indent=2))
        else:
            rows = [(game.name, "; ".join([game.title, *_parameters(game)])) for game in listed]
            rows += missing
            width = max(len(name) for name, _ in rows)
            for name, text in rows:
                print(f"{name:<{width}}  {text}")
        return 0


def _facts(game: Game) -> dict[str, object]:
    parameters = {name: parameter._asdict() for name, parameter in game.parameters.items()}
    return {"name": game.name, "title": game.title, "parameters": parameters}


def _parameters(game: Game) -> Iterator[str]:
    for name, parameter in game.parameters.items():
        yield f"--{name}: {parameter.meaning}, {_range(parameter)}"


def _range(parameter: Parameter) -> str:
    last = "" if parameter.maximum is None else f" to {parameter.maximum}"
    usual = " ".join(map(str, parameter.usual))
    return f"from {parameter.minimum}{last} (default: {usual})"


@dataclass(frozen=True)
class CheckGameConfig(Command):
    """Options of `arena check-game`."""

    command: ClassVar[str] = "check-game"
    game: str = argument("name of the game", type=game_name, metavar="NAME")
    seed: int = option("seed of the random games (default: %(default)s)", default=1)

    def run(self) -> int:
        """Print a line for each check of a game, then their numbers.

        Returns:
            The exit status: 0, or 1 if a check has failed.

        Raises:
            OSError: Standard output cannot be written.
        """
        checks = (
            *RULE_CHECKS,
            *ENGINE_CHECKS,
            RECORD_CHECK,
            MATCHING_CHECK,
            *STRONG_CHECKS,
            ENCODING_CHECK,
        )
        counts: Counter[str] = Counter()
        for report in run_checks(GAMES[self.game], self.seed, checks):
            counts[report.state] += 1
            print(
                f"{report.state:<8} {report.number:>2} {report.title}: {report.detail}", flush=True
            )
        print(", ".join(f"{counts[state]} {state}" for state in STATES))
        return 1 if counts["FAILED"] else 0
