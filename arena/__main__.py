"""The arena's command line: arena tournament, serve, standings and analyse."""

import argparse
import asyncio
import itertools
import os
import secrets
import signal
import sys
import time
from collections import Counter
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from arena.analysis import accuracies, judge
from arena.clock import TimeControl
from arena.launch import Processes
from arena.messages import PROTOCOL, Hello, decode_from_bot, encode
from arena.organiser import play_schedule, play_whoever_is_here
from arena.progress import counted, progress
from arena.report import accuracies_as_json, accuracy_table, as_json, crosstable, forfeits
from arena.results import MatchRecord
from arena.server import Arena
from arena.store import Records, Store, StoreError
from arena.tournament import Plan, standings
from core import GAMES
from core.game import Game

EXTERNAL = "external:"
DEFAULT_BOTS = ["random", "greedy", "spec:1", "spec:4", "spec:8"]


class Refused(Exception):
    """Ends the program with a line on standard error and status 2."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """End the program."""
        self.exit(2, f"arena: {message}\n")


def parser() -> Parser:
    """The command line's arguments."""
    result = Parser(prog="arena", description="Referee matches between game-playing bots.")
    commands = result.add_subparsers(required=True, metavar="COMMAND")

    tournament = commands.add_parser("tournament", help="play a round robin and print the table")
    tournament.set_defaults(run=run_tournament)
    tournament.add_argument(
        "--bots",
        nargs="+",
        default=DEFAULT_BOTS,
        metavar="BOT",
        help="random, greedy, spec:DEPTH, perfect, or external:NAME for one that dials in by itself"
        " (default: " + " ".join(DEFAULT_BOTS) + ")",
    )
    tournament.add_argument("--rounds", type=int, default=1, help="round robins (default: 1)")
    tournament.add_argument(
        "--opening-plies", type=int, default=0, help="random moves to begin with (default: 0)"
    )
    tournament.add_argument("--seed", type=int, help="of all that is random (default: drawn)")
    tournament.add_argument("--json", action="store_true", help="print the standings as JSON")
    tournament.add_argument(
        "--game", choices=[*GAMES], default=next(iter(GAMES)), help="(default: %(default)s)"
    )
    _add_playing(tournament, port=0, concurrency=2)

    serve = commands.add_parser("serve", help="let bots join, and pair those that are here")
    serve.set_defaults(run=run_serve)
    serve.add_argument(
        "--game", nargs="+", choices=[*GAMES], default=[*GAMES], help="(default: all)"
    )
    _add_playing(serve, port=8765, concurrency=100)

    analyse = commands.add_parser("analyse", help="judge the moves of all matches by perfect play")
    analyse.set_defaults(run=run_analyse)
    analyse.add_argument("db", type=Path, metavar="DB", help="the database")
    analyse.add_argument("--json", action="store_true", help="print the accuracies as JSON")

    table = commands.add_parser("standings", help="print the table of a database")
    table.set_defaults(run=run_standings)
    table.add_argument("db", type=Path, metavar="DB", help="the database")
    table.add_argument("--json", action="store_true", help="print the standings as JSON")
    return result


def _add_playing(command: argparse.ArgumentParser, port: int, concurrency: int) -> None:
    for name, meaning in {
        name: parameter.meaning
        for game in GAMES.values()
        for name, parameter in game.parameters.items()
    }.items():
        command.add_argument(f"--{name}", type=int, nargs="+", metavar="N", help=meaning)
    command.add_argument(
        "--time",
        default="5+0.05",
        metavar="BASE+INCREMENT",
        help="in seconds (default: %(default)s)",
    )
    command.add_argument(
        "--concurrency",
        type=int,
        default=concurrency,
        help="matches at once (default: %(default)s)",
    )
    command.add_argument(
        "--grace",
        type=float,
        default=5.0,
        help="seconds that a bot may be disconnected in a match (default: 5)",
    )
    command.add_argument("--db", type=Path, help="database (default: a new one in results/)")
    command.add_argument("--host", default="127.0.0.1", help="to listen on (default: 127.0.0.1)")
    command.add_argument(
        "--port",
        type=int,
        default=port,
        help="to listen on, 0 for a free one (default: %(default)s)",
    )


def run_tournament(arguments: argparse.Namespace) -> int:
    """Play a tournament, or the rest of one."""
    bots = dict(_named(arguments.bots))
    _check_numbers(arguments)
    plan = Plan(
        game=arguments.game,
        bots=tuple(bots),
        setups=_setups([arguments.game], arguments)[arguments.game],
        time=str(_time(arguments)),
        seed=secrets.randbits(32) if arguments.seed is None else arguments.seed,
        rounds=arguments.rounds,
        opening_plies=arguments.opening_plies,
    )
    path = arguments.db or _new_database()
    with Store(path) as store:
        stored, finished = _stored(store, plan, keep_seed=arguments.seed is None)
        plan = stored or plan
        _say(f"seed {plan.seed}, database {path}")
        if finished:
            _say(f"{len(finished)} of {plan.matches} matches are finished, going on")
        if len(finished) < plan.matches:
            _run(_play_tournament(arguments, store, plan, finished, bots, is_new=stored is None))
    return _print_standings(path, arguments.json)


def _stored(store: Store, plan: Plan, keep_seed: bool) -> tuple[Plan | None, set[int]]:
    """The plan in the store, if it has one, and the numbers of its matches that are finished.

    Raises Refused if it differs from this plan, but for the seed where it is to be kept.
    """
    with Records(store.path) as records:
        text = records.plan()
        finished = records.finished()
    if text is None:
        if finished:
            raise Refused(f"{store.path} holds matches that are no tournament's")
        return None, finished
    stored = Plan.from_json(text)
    differences = [
        difference
        for difference in stored.differences(plan)
        if not (keep_seed and difference.startswith("seed "))
    ]
    if differences:
        raise Refused(f"{store.path} holds another tournament: {'; '.join(differences)}")
    return stored, finished


async def _play_tournament(
    arguments: argparse.Namespace,
    store: Store,
    plan: Plan,
    finished: set[int],
    bots: Mapping[str, str],
    is_new: bool,
) -> None:
    control = TimeControl.parse(plan.time)
    rest = (pairing for pairing in plan.schedule() if pairing.number not in finished)
    with Processes() as processes:
        async with Arena(store, [plan.game], control, arguments.grace) as arena:
            url = await _listen(arena, arguments)
            for place, (name, bot) in enumerate(bots.items()):
                if bot.startswith(EXTERNAL):
                    _say(f"waiting for {name} to join at {url}")
                else:
                    processes.launch(name, bot, url, plan.seed + place)

            def check() -> None:
                for failure in processes.failures():
                    raise Refused(failure)

            await arena.joined([*bots], check)
            if is_new:  # only now, so that a misspelt bot does not bind the database
                store.save_plan(plan.to_json())
            with progress(sys.stderr, len(finished), plan.matches) as shown:
                await play_schedule(arena, rest, arguments.concurrency, shown)
            for failure in processes.failures():
                _say(failure)


def run_serve(arguments: argparse.Namespace) -> None:
    """Serve until Ctrl-C, which goes on as an exception."""
    _check_numbers(arguments)
    setups = _setups(arguments.game, arguments)
    control = _time(arguments)
    path = arguments.db or _new_database()

    async def serve(store: Store, played: Counter[tuple[str, str, str]]) -> None:
        async with Arena(store, setups, control, arguments.grace) as arena:
            url = await _listen(arena, arguments)
            _say(f"bots can join at {url} to play {', '.join(setups)}")
            _say(f"database {path}, Ctrl-C ends it")
            with progress(sys.stderr, played.total(), None) as shown:
                await play_whoever_is_here(arena, setups, played, arguments.concurrency, shown)

    with Store(path) as store:
        with Records(path) as records:
            if records.plan() is not None:
                raise Refused(f"{path} holds a tournament, choose another database")
            played = Counter(
                (*record.pairing.players, record.pairing.game)
                for record in records.matches()
                if record.winner
            )
        _run(serve(store, played))


def run_standings(arguments: argparse.Namespace) -> int:
    """Print a table."""
    return _print_standings(arguments.db, arguments.json)


def run_analyse(arguments: argparse.Namespace) -> int:
    """Judge the moves of the matches that have not been analysed, and print all accuracies."""
    with Records(arguments.db) as records:
        _analyse(records, arguments.db)
        verdicts = records.verdicts()
        tables = {
            game: accuracies(matches, verdicts)
            for game, matches in _by_game(records).items()
            if GAMES[game].solver
        }
    if arguments.json:
        print(accuracies_as_json(tables), flush=True)
        return 0
    parts = [f"{game}\n\n{accuracy_table(table)}" for game, table in tables.items()]
    print("\n".join(parts), end="", flush=True)
    return 0


def _analyse(records: Records, path: Path) -> None:
    known = records.verdicts()
    new = []
    for game, matches in _by_game(records).items():
        if GAMES[game].solver:
            new += [record for record in matches if record.winner and record.id not in known]
        else:
            _say(f"{game} has no solver, its matches are not analysed")
    if not new:
        return
    with Store(path) as store:
        kept = [
            store.save_verdicts(record.id, judge(replace(record, moves=records.moves(record.id))))
            for record in counted(sys.stderr, new)
        ]
    for future in kept:
        future.result()


def _by_game(records: Records) -> dict[str, list[MatchRecord]]:
    """The matches of each game, in order of the games' names."""
    found: dict[str, list[MatchRecord]] = {}
    for record in records.matches():
        found.setdefault(record.pairing.game, []).append(record)
    return dict(sorted(found.items()))


def _print_standings(path: Path, wants_json: bool) -> int:
    with Records(path) as records:
        text = records.plan()
        plan = Plan.from_json(text) if text else None
        matches = _by_game(records)
        verdicts = records.verdicts()
    if plan:
        matches.setdefault(plan.game, [])
    tables = {
        game: standings(played, plan.bots if plan else ()) for game, played in matches.items()
    }
    judged = {game: accuracies(played, verdicts) for game, played in matches.items()}
    if wants_json:
        facts = {
            "seed": plan.seed if plan else None,
            "time": plan.time if plan else None,
            "matches": plan.matches if plan else None,
            "finished": sum(line.wins for table in tables.values() for line in table),
        }
        print(as_json(tables, judged, facts), flush=True)
        return 0
    about = f", time {plan.time}, seed {plan.seed}" if plan else ""
    of = f" of {plan.matches}" if plan else ""
    parts = [
        f"{game}{about}: {sum(line.wins for line in table)}{of} matches\n\n"
        f"{crosstable(table, judged[game])}"
        for game, table in tables.items()
    ]
    if lost := forfeits(record for played in matches.values() for record in played):
        parts.append(lost)
    print("\n".join(parts) or "no matches\n", end="", flush=True)
    return 0


async def _listen(arena: Arena, arguments: argparse.Namespace) -> str:
    """Start listening. Returns the URL for bots. Raises Refused."""
    try:
        port = await arena.listen(arguments.host, arguments.port)
    except (OSError, OverflowError, UnicodeError) as error:
        errno = error.errno if isinstance(error, OSError) else None
        # The numbers below 0 are those of a failed look-up of the host.
        reason = os.strerror(errno) if errno and errno > 0 else error
        raise Refused(
            f"cannot listen on {arguments.host} port {arguments.port}: {reason}"
        ) from None
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    return f"ws://{host}:{port}/play"


def _named(bots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A name for each bot: its own, and a number for the second and later of a kind."""
    if len(bots) < 2:
        raise Refused(f"a tournament needs at least 2 bots, not {len(bots)}")
    seen: Counter[str] = Counter()
    names = set()
    for bot in bots:
        seen[bot] += 1
        name = bot.removeprefix(EXTERNAL)
        if name == bot and seen[bot] > 1:
            name = f"{bot}#{seen[bot]}"
        if name in names:
            raise Refused(f"two bots are named {name}")
        try:
            decode_from_bot(encode(Hello(PROTOCOL, name, [])))  # or it could never join
        except ValueError as error:
            raise Refused(f"bot {bot!r}: {error}") from None
        names.add(name)
        yield name, bot


def _setups(
    games: Sequence[str], arguments: argparse.Namespace
) -> dict[str, tuple[dict[str, int], ...]]:
    """All combinations of each game's parameters, each checked."""
    known = {name for game in games for name in GAMES[game].parameters}
    for name in {name for game in GAMES.values() for name in game.parameters} - known:
        if getattr(arguments, name) is not None:
            raise Refused(f"{' and '.join(games)} has no {name}")
    return {game: _setups_of(GAMES[game], arguments) for game in games}


def _setups_of(game: Game, arguments: argparse.Namespace) -> tuple[dict[str, int], ...]:
    choices = []
    for name, parameter in game.parameters.items():
        values = getattr(arguments, name) or parameter.usual
        for value in values:
            if value < parameter.minimum:
                raise Refused(f"{name} must be at least {parameter.minimum}, not {value}")
        choices.append([(name, value) for value in values])
    setups = tuple(dict(setup) for setup in itertools.product(*choices))
    for setup in setups:
        try:
            game.position(**setup)
        except (ValueError, MemoryError) as error:
            raise Refused(f"{setup}: {error}") from None
    return setups


def _time(arguments: argparse.Namespace) -> TimeControl:
    try:
        return TimeControl.parse(arguments.time)
    except ValueError as error:
        raise Refused(str(error)) from None


def _check_numbers(arguments: argparse.Namespace) -> None:
    limits = {"rounds": 1, "opening_plies": 0, "concurrency": 1, "grace": 0}
    for name, least in limits.items():
        value = getattr(arguments, name, least)
        if not value >= least:
            flag = name.replace("_", "-")
            raise Refused(f"--{flag} must be at least {least}, not {value}")


def _new_database() -> Path:
    """A file that is not there yet, named after the time."""
    folder = Path("results")
    folder.mkdir(exist_ok=True)
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    names = itertools.chain([stamp], (f"{stamp}-{number}" for number in itertools.count(2)))
    return next(path for name in names if not (path := folder / f"{name}.db").exists())


def _run(coroutine: Coroutine[object, object, None]) -> None:
    """Run to the end. SIGTERM stops it in the same order as Ctrl-C."""

    async def until_terminated() -> None:
        task = asyncio.current_task()
        assert task
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await coroutine

    asyncio.run(until_terminated())


def _say(text: str) -> None:
    print(f"arena: {text}", file=sys.stderr, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status."""
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments)  # type: ignore[no-any-return]
    except Refused as error:
        _say(str(error))
        return 2
    except StoreError as error:
        _say(str(error))
        return 1
    except OSError as error:
        sys.stdout = None  # or the interpreter tries, and fails, to flush it once more at its end
        _say(f"cannot write: {error.strerror}")
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):
        _say("stopped; the same command on the same database goes on")
        return 130


if __name__ == "__main__":
    sys.exit(main())
