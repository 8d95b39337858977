"""Arguments of each command."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from arena.cli.arguments import (
    DEFAULT_BOTS,
    DEFAULT_OFFERS,
    game_metavar,
    game_name,
    start_time,
    unix_time,
)
from arena.cli.class_tournament.flags import add_class
from arena.cli.flags import (
    SERVE_CONCURRENCY,
    TOURNAMENT_CONCURRENCY,
    Flags,
    add_address,
    add_admission,
    add_affinity,
    add_anchor,
    add_bot,
    add_bot_files,
    add_bot_logs,
    add_bot_settings,
    add_database,
    add_game,
    add_limits,
    add_los,
    add_new_database,
    add_openings,
    add_parameters,
    add_sandbox,
    add_seed,
    add_shown_games,
    add_time,
    add_timeout,
    add_trace,
    add_verbosity,
    add_workers,
)
from arena.cli.grading import add_grading
from arena.cli.plot_flags import add_plot
from arena.cli.runs import add_merge, add_runs, add_tags
from arena.cli.sweep.flags import add_sweep
from arena.network.addresses import CONNECTIONS_PER_ADDRESS
from arena.tournament.plan import FORMATS
from bots.arguments import EPILOG, add_arguments
from core import GAMES

SHELLS = ("bash", "zsh", "fish", "tcsh")


def _add_tournament(command: argparse.ArgumentParser) -> None:
    command.usage = "%(prog)s [FILE] [--bots BOT ...] [FLAGS]"
    command.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="TOML file with the flags below as keys"
    )
    _add_usual(command.add_argument_group("most used"))
    bots = command.add_argument_group("bots and their programs")
    add_bot_settings(bots)
    add_bot_files(bots)
    add_sandbox(bots)
    add_affinity(bots)
    add_bot_logs(bots)
    add_trace(bots)
    _add_format(command.add_argument_group("format"))
    openings = command.add_argument_group("openings")
    add_openings(openings)
    limits = command.add_argument_group("limits of a match")
    add_limits(limits, TOURNAMENT_CONCURRENCY)
    _add_in_process(command.add_argument_group("without connections"))
    connections = command.add_argument_group("bots and people that connect")
    _add_start(connections)
    add_address(connections, port=0)
    add_admission(connections)
    _add_output(command.add_argument_group("output"))
    add_class(command.add_argument_group("a class"))


def _add_usual(command: Flags) -> None:
    """Add the flags that most tournaments need."""
    command.add_argument(
        "--bots",
        nargs="+",
        metavar="BOT",
        help="bots, each with an optional NAME= in front: random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], perfect, openspiel:mcts:SIMULATIONS for a tree search of"
        " OpenSpiel, python:MODULE:CLASS for a class with a method choose(position, clock),"
        " cmd:COMMAND for a program that speaks the protocol, stdio:COMMAND for a program that"
        ' reads and writes lines, "program:[depth=N] COMMAND" for a program of the assignment, or'
        " external:NAME for a bot that connects by itself (default: "
        + " ".join(DEFAULT_BOTS)
        + ", without those that cannot play the game)",
    )
    add_game(command)
    add_parameters(command)
    command.add_argument(
        "--format",
        choices=FORMATS,
        default=FORMATS[0],
        help="tournament format (default: %(default)s)",
    )
    command.add_argument(
        "--rounds",
        type=int,
        help="rounds of a Swiss tournament (default: the fewest that find a winner); otherwise,"
        " repetitions of the whole schedule (default: 1; with --sprt, until the test is decided)",
    )
    add_time(command)
    add_seed(command)
    add_new_database(command)
    command.add_argument("--dry-run", action="store_true", help="print the plan without playing")


def _add_in_process(command: Flags) -> None:
    """Add the flags of a tournament without connections."""
    command.add_argument(
        "--in-process",
        action="store_true",
        help="play in processes of workers, without connections: all bots but cmd: and external:",
    )
    add_workers(command, "; implies --in-process")


def _add_format(command: Flags) -> None:
    """Add the details of the format of a tournament."""
    command.add_argument(
        "--seeds", type=int, help="number of bots that play the gauntlet (default: 1)"
    )
    command.add_argument(
        "--pairs",
        type=int,
        help="pairs of matches in each encounter of a Swiss tournament or a knockout (default: 1)",
    )
    command.add_argument(
        "--sprt",
        nargs="+",
        metavar="KEY=VALUE",
        help="end when a sequential test of the first of two bots is decided: elo0=0 elo1=20"
        " alpha=0.05 beta=0.05, or in normalised Elo nelo0=0 nelo1=20",
    )
    add_runs(command)


def _add_start(command: Flags) -> None:
    """Add the flags of a tournament that bots join."""
    command.add_argument("--server", action="store_true", help="let bots join until the start")
    command.add_argument(
        "--at",
        type=start_time,
        metavar="TIME",
        help="start time with --server: 20:00 or 2030-12-31T20:00 (default: as soon as two bots are"
        " connected)",
    )
    command.add_argument(
        "--wait",
        type=float,
        metavar="SECONDS",
        help="seconds to wait for bots that connect by themselves (default: no limit)",
    )


def _add_output(command: Flags) -> None:
    """Add the output of a tournament."""
    add_verbosity(command)
    command.add_argument("--json", action="store_true", help="print the standings as JSON")
    add_anchor(command)
    add_los(command)
    command.add_argument(
        "--events", metavar="FILE", help="write events as JSON lines to FILE; - for standard output"
    )
    add_tags(command)


def _add_serve(command: argparse.ArgumentParser) -> None:
    command.usage = "%(prog)s [FLAGS]"
    usual = command.add_argument_group("most used")
    usual.add_argument(
        "--game",
        nargs="+",
        type=game_name,
        metavar=game_metavar(),
        default=[*GAMES],
        help="games to play (default: all)",
    )
    add_parameters(usual)
    add_time(usual)
    usual.add_argument(
        "--offer",
        nargs="*",
        metavar="BOT",
        help="opponents that people can challenge: random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], perfect, openspiel:mcts:SIMULATIONS or program:COMMAND, each"
        " with an optional NAME= in front; without arguments, disable the built-in opponents"
        " (default: " + " ".join(DEFAULT_OFFERS) + ", without those that play none of the games)",
    )
    add_new_database(usual)
    add_address(usual, port=8765)
    connections = command.add_argument_group("who may connect")
    add_admission(connections)
    connections.add_argument(
        "--connections-per-address",
        type=int,
        metavar="N",
        default=CONNECTIONS_PER_ADDRESS,
        help="maximum number of connections of an address, of bots without a token and again of"
        " spectators (default: %(default)s)",
    )
    connections.add_argument(
        "--trusted",
        nargs="+",
        action="extend",
        default=[],
        metavar="NETWORK=N",
        help="networks with N such connections for each of their addresses, such as"
        " 192.0.2.0/24=1000",
    )
    connections.add_argument(
        "--behind-proxy",
        action="store_true",
        help="take the addresses of clients from the X-Real-IP header of a reverse proxy",
    )
    add_limits(command.add_argument_group("limits of a match"), SERVE_CONCURRENCY)
    programs = command.add_argument_group("programs and logs")
    add_sandbox(programs)
    programs.add_argument(
        "--log", metavar="FILE", help="write a log of JSON lines to FILE; - for standard error"
    )
    add_trace(programs)


def _add_token(command: argparse.ArgumentParser) -> None:
    meanings = {
        "add": "create the token of a bot and print it; it cannot be printed again",
        "list": "print the bots that have a token, with the date of its creation",
        "revoke": "revoke the token of a bot",
    }
    _add_actions(command, meanings, "tokens", "name", "name of the bot")


def _add_ban(command: argparse.ArgumentParser) -> None:
    meanings = {
        "add": "ban a name or a network; a running arena ends its connections",
        "list": "print the names and networks that are banned, with the date of the ban",
        "remove": "remove the ban of a name or a network",
    }
    _add_actions(
        command, meanings, "bans", "entry", "name, address, or network such as 192.0.2.0/24"
    )


def _add_actions(
    command: argparse.ArgumentParser,
    meanings: Mapping[str, str],
    file: str,
    argument: str,
    description: str,
) -> None:
    """Add the actions on a file of names; `list` has no name."""
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, meaning in meanings.items():
        action = actions.add_parser(name, help=meaning, description=meaning)
        if name != "list":
            action.add_argument(argument, metavar="NAME", help=description)
        action.add_argument(
            f"--{file}",
            type=Path,
            default=Path(f"{file}.json"),
            metavar="FILE",
            help=f"file of the {file} (default: %(default)s)",
        )


def _add_rename(command: argparse.ArgumentParser) -> None:
    command.add_argument("db", type=Path, metavar="DB", help="database, also of a running arena")
    command.add_argument("old", metavar="OLD", help="name to replace")
    command.add_argument("new", metavar="NEW", help="name that nobody has")


def _add_prune(command: argparse.ArgumentParser) -> None:
    command.add_argument("db", type=Path, metavar="DB", help="database, also of a running arena")
    command.add_argument(
        "--before",
        type=unix_time,
        required=True,
        metavar="TIME",
        help="remove the matches that ended before: 2030-12-31 or 2030-12-31T20:00, in local time",
    )


def _add_standings(command: argparse.ArgumentParser) -> None:
    add_database(command)
    command.add_argument("--json", action="store_true", help="print the standings as JSON")
    add_anchor(command)
    add_los(command)
    add_bot(command)
    _add_names(command)


def _add_report(command: argparse.ArgumentParser) -> None:
    add_database(command)
    command.add_argument(
        "--output", type=Path, required=True, metavar="FILE", help="HTML file to write"
    )
    add_anchor(command)
    _add_names(command)
    add_shown_games(command)


def _add_view(command: argparse.ArgumentParser) -> None:
    add_database(command)
    add_anchor(command)
    add_address(command, port=8765)


def _add_names(command: argparse.ArgumentParser) -> None:
    """Add the flag that resolves pseudonyms."""
    command.add_argument(
        "--names",
        action="store_true",
        help="list the names of the submissions of an anonymous tournament",
    )


def _add_export(command: argparse.ArgumentParser) -> None:
    add_database(command)
    command.add_argument(
        "--format",
        choices=["pgn", "jsonl", "csv", "parquet"],
        help="output format (default: by the suffix of FILE, else pgn)",
    )
    command.add_argument(
        "--output", type=Path, metavar="FILE", help="file to write (default: standard output)"
    )


def _add_import(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "file", type=Path, metavar="FILE", help="file of records in pgn or jsonl format"
    )
    command.add_argument("db", type=Path, metavar="DB", help="database to create or to fill")
    command.add_argument(
        "--format", choices=["pgn", "jsonl"], help="input format (default: by the suffix of FILE)"
    )


def _add_analyse(command: argparse.ArgumentParser) -> None:
    add_database(command)
    command.add_argument("--json", action="store_true", help="print the accuracies as JSON")


def _add_bot(command: argparse.ArgumentParser) -> None:
    command.epilog = EPILOG
    add_arguments(command)
    command.add_argument(
        "--quiet", action="store_true", help="print no line for connections and results"
    )


def _add_check(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--bot",
        metavar="BOT",
        help="bot to start: random, greedy, spec:DEPTH[@nodes=N], strong[:DEPTH][@nodes=N],"
        " perfect, openspiel:mcts:SIMULATIONS, cmd:COMMAND, stdio:COMMAND or program:COMMAND"
        " (default: wait for a bot to connect)",
    )
    add_sandbox(command)
    command.add_argument(
        "--game",
        type=game_name,
        metavar=game_metavar(),
        help="game to check (default: all that the bot plays)",
    )
    command.add_argument("--json", action="store_true", help="print the results as JSON")
    add_timeout(command)
    command.add_argument(
        "--positions",
        type=int,
        metavar="N",
        help="measure instead in how many of N won positions the bot keeps the win",
    )
    command.add_argument(
        "--seed", type=int, default=1, help="seed of the positions (default: %(default)s)"
    )
    command.add_argument(  # the spelling of version 0.1
        "--time", type=float, dest="timeout", default=argparse.SUPPRESS, help=argparse.SUPPRESS
    )
    command.add_argument(
        "url",
        nargs="?",
        metavar="URL",
        help="URL for the bot to connect to (default: ws://127.0.0.1:8765/play; with --bot, a free"
        " port)",
    )


def _add_check_game(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", type=game_name, metavar="NAME", help="name of the game")
    command.add_argument(
        "--seed", type=int, default=1, help="seed of the random games (default: %(default)s)"
    )


def _add_games(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print the games as JSON")


def _add_trace(command: argparse.ArgumentParser) -> None:
    from arena.cli.commands.trace import add_trace  # slow to import, as below

    add_trace(command)


def _add_practice(command: argparse.ArgumentParser) -> None:
    from arena.cli.commands.practice import add_practice

    add_practice(command)


def _add_completion(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


ADD_ARGUMENTS: Mapping[str, Callable[[argparse.ArgumentParser], None]] = {
    "tournament": _add_tournament,
    "sweep": add_sweep,
    "serve": _add_serve,
    "token": _add_token,
    "ban": _add_ban,
    "rename": _add_rename,
    "prune": _add_prune,
    "standings": _add_standings,
    "report": _add_report,
    "plot": add_plot,
    "view": _add_view,
    "export": _add_export,
    "import": _add_import,
    "merge": add_merge,
    "verify": add_database,
    "analyse": _add_analyse,
    "bot": _add_bot,
    "check": _add_check,
    "check-game": _add_check_game,
    "grade": add_grading,
    "trace": _add_trace,
    "practice": _add_practice,
    "games": _add_games,
    "completion": _add_completion,
}
"""The function that adds the arguments of each command."""
