"""Command `arena serve`: arena with matchmaking for connected bots."""

import asyncio
import logging
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NoReturn

from arena.app import Arena, ignore
from arena.cli.arguments import UsageError
from arena.cli.output import notify
from arena.cli.serving import (
    admission_for,
    check_bots,
    check_programs,
    new_database_path,
    page_url,
    run_until_terminated,
)
from arena.cli.tournament_configuration import ServeConfig
from arena.lobby.matchmaking import Matchmaker
from arena.network.trace import MessageTrace
from arena.reports.progress import LineProgress
from arena.runner.organiser import run_lobby
from arena.server.admission import Admission
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter

KNOWN_MATCHES = 100_000  # that the matchmaker continues from: a second of work


def run(config: ServeConfig) -> NoReturn:
    """Serve until Ctrl-C or SIGTERM, which is raised."""
    house_bots = config.arena.house_bots or {}
    check_bots(house_bots, next(iter(config.setups)), None, config.arena.sandbox)
    admission = admission_for(config.arena)
    # Standard error holds nothing but JSON with --log -, which has the warnings of loggers.
    report = logging.getLogger(__name__).warning if config.log == "-" else notify
    check_programs(house_bots.values(), config.arena.sandbox, report)
    try:
        trace = MessageTrace(config.trace, report) if config.trace else None
    except OSError as error:
        raise UsageError(f"cannot write --trace {config.trace}: {error.strerror}") from None
    with ExitStack() as stack:
        if trace:
            stack.enter_context(trace)
        path = config.db or new_database_path()
        writer = stack.enter_context(DatabaseWriter(path))
        run_until_terminated(_serve(config, writer, admission, trace, *_matchmaker(path)))
    raise AssertionError("serving ends by an exception")


async def _serve(
    config: ServeConfig,
    writer: DatabaseWriter,
    admission: Admission,
    trace: MessageTrace | None,
    matchmaker: Matchmaker,
    finished: int,
) -> None:
    is_quiet = config.log == "-"  # standard error holds nothing but JSON

    async def reload() -> None:
        stored, _ = await asyncio.to_thread(_matchmaker, writer.path)
        matchmaker.continue_from(stored)

    async with Arena(
        config.arena,
        writer,
        admission=admission,
        observers=[] if is_quiet else [LineProgress(sys.stderr, finished, None)],
        report=ignore if is_quiet else notify,
        trace=trace,
        reload=reload,
    ) as arena:
        if not is_quiet:
            notify(f"bots can join at {arena.url} to play {', '.join(config.setups)}")
            notify(f"people can watch and play at {page_url(arena.url)}")
            notify(f"database {writer.path}, press Ctrl-C to stop")
        assert arena.challenges
        await run_lobby(
            arena.server,
            config.setups,
            matchmaker,
            config.concurrency,
            arena.challenges,
            arena.ensure_house_bot,
        )


def _matchmaker(path: Path) -> tuple[Matchmaker, int]:
    """Return a matchmaker that knows the latest matches, and the number of all rated ones.

    Raises:
        UsageError: The database holds a tournament.
    """
    with DatabaseReader(path) as records:
        if records.plan() is not None:
            raise UsageError(f"--db {path} holds a tournament, choose another database")
        return Matchmaker(records.rated_matches(KNOWN_MATCHES)), records.count_rated()
