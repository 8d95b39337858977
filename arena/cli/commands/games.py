"""Command `arena games`: the games that can be played here, ours and other packages'."""

import json
from collections.abc import Iterator

from arena.cli.configuration import GamesConfig
from core import GAMES
from core.game import Game, Parameter
from core.game_families import SEPARATOR


def run(config: GamesConfig) -> int:
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
    if config.json:
        print(json.dumps([_facts(game) for game in listed], indent=2))
    else:
        rows = [(game.name, "; ".join([game.title, *_parameters(game)])) for game in listed]
        rows += missing
        width = max(len(name) for name, _ in rows)
        for name, text in rows:
            print(f"{name:<{width}}  {text}")
    print(end="", flush=True)
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
