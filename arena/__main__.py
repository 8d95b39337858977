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
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena.analysis import accuracies, judge
from arena.arguments import (
    EXTERNAL,
    Refused,
    check_numbers,
    named,
    parser,
    setups_of,
    time_control,
)
from arena.clock import TimeControl
from arena.launch import Processes
from arena.organiser import play_schedule, play_whoever_is_here
from arena.progress import counted, progress
from arena.ratings import islands, rate
from arena.report import (
    accuracies_as_json,
    accuracy_table,
    apart,
    as_json,
    crosstable,
    first_move,
    forfeits,
)
from arena.results import MatchRecord
from arena.server import Arena
from arena.store import Records, Store, StoreError
from arena.tournament import Plan, standings
from core import GAMES


def run_tournament(arguments: argparse.Namespace) -> None:
    """Play a tournament, or the rest of one."""
    bots = dict(named(arguments.bots))
    check_numbers(arguments)
    plan = Plan(
        game=arguments.game,
        bots=tuple(bots),
        setups=setups_of([arguments.game], arguments)[arguments.game],
        time=str(time_control(arguments)),
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
    _print_standings(path, arguments.json)


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
    check_numbers(arguments)
    setups = setups_of(arguments.game, arguments)
    control = time_control(arguments)
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


def run_standings(arguments: argparse.Namespace) -> None:
    """Print a table."""
    _print_standings(arguments.db, arguments.json)


def run_analyse(arguments: argparse.Namespace) -> None:
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
        return
    parts = [f"{game}\n\n{accuracy_table(table)}" for game, table in tables.items()]
    print("\n".join(parts), end="", flush=True)


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


def _print_standings(path: Path, wants_json: bool) -> None:
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
    ratings = {game: rate(played) for game, played in matches.items()}
    if wants_json:
        facts = {
            "seed": plan.seed if plan else None,
            "time": plan.time if plan else None,
            "matches": plan.matches if plan else None,
            "finished": sum(line.wins for table in tables.values() for line in table),
        }
        print(as_json(tables, ratings, judged, facts), flush=True)
        return
    about = f", time {plan.time}, seed {plan.seed}" if plan else ""
    of = f" of {plan.matches}" if plan else ""
    parts = [
        f"{game}{about}: {sum(line.wins for line in table)}{of} matches\n\n"
        f"{crosstable(table, ratings[game], judged[game])}"
        f"\n{first_move(ratings[game])}{apart(islands(matches[game]))}"
        for game, table in tables.items()
    ]
    if lost := forfeits(record for played in matches.values() for record in played):
        parts.append(lost)
    print("\n".join(parts) or "no matches\n", end="", flush=True)


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


COMMANDS = {
    "tournament": run_tournament,
    "serve": run_serve,
    "analyse": run_analyse,
    "standings": run_standings,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status."""
    try:
        arguments = parser().parse_args(argv)
        COMMANDS[arguments.command](arguments)
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
