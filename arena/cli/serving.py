"""Steps shared by the commands that run an arena."""

import asyncio
import itertools
import signal
import time
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from arena.app import ConfigurationError, build_admission
from arena.cli.arguments import UsageError
from arena.cli.output import background_notices, notify
from arena.configuration import ArenaConfig
from arena.runner.entrants import InvalidEntrant, find_invalid_bot
from arena.runner.named_bots import NO_FOLDERS, Bots, programs_sandbox
from arena.sandbox.limits import Policy
from arena.sandbox.sandbox import SandboxUnavailable
from arena.server.admission import Admission
from arena.storage.connection import size_of
from bots.specification import BotSpec, Kind

T = TypeVar("T")

STARTED_KINDS = (Kind.PYTHON, Kind.STDIO, Kind.OPENSPIEL)  # only a trial can check their code
IN_PROCESS_KINDS = (*STARTED_KINDS, Kind.PROGRAM)  # the same where workers create programs too
WILDCARDS = {"0.0.0.0", "::"}  # hosts to listen on that no browser can connect to


def admission_for(config: ArenaConfig) -> Admission:
    """Return the admission of an arena, before anything is stored. Raises UsageError."""
    try:
        return build_admission(config, notify)
    except ConfigurationError as error:
        raise UsageError(str(error)) from None


def check_programs(
    specs: Iterable[BotSpec], policy: Policy | None, report: Callable[[str], object] = notify
) -> None:
    """Check that the programs of bots can run in their sandbox, when all else is valid.

    Args:
        specs: The specifications of the bots.
        policy: The sandbox of users' programs; None isolates only program: bots.
        report: Receives a line if programs run without the protection that they should have.

    Raises:
        UsageError: The policy requires bubblewrap, which does not work here.
    """
    try:
        notice = programs_sandbox(specs, policy).notice
    except SandboxUnavailable as error:
        raise UsageError(str(error)) from None
    if notice:
        report(notice)


def check_bots(
    bots: Bots,
    game: str,
    bot_files: Path | None,
    policy: Policy | None,
    kinds: Collection[Kind] = STARTED_KINDS,
    folders: Mapping[str, Path] = NO_FOLDERS,
) -> None:
    """Check that bots can be created, before anything is stored or listens.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game.
        bot_files: The folder of users' modules and programs; None is the working directory.
        policy: The sandbox of users' programs; None isolates only program: bots.
        kinds: The kinds of the bots that are created once.
        folders: The folders of bots that have another one, by name.

    Raises:
        UsageError: A bot cannot be created.
    """
    tried = {name: spec for name, spec in bots.items() if spec.kind in kinds}
    if invalid := find_invalid_bot(tried, game, bot_files, policy, folders):
        raise UsageError(invalid)


def page_url(url: str) -> str:
    """Return the URL of the web page of an arena, given its URL for bots."""
    address = urlsplit(url)
    host = "localhost" if address.hostname in WILDCARDS else address.netloc.rpartition(":")[0]
    return f"http://{host}:{address.port}/"


@contextmanager
def database_path(db: Path | None) -> Iterator[Path]:
    """Yield the path of the database that a command writes: DB, or a new one in results/.

    A new one is named after the time. An empty file takes the name, so that no other command
    chooses it, and is removed if nothing is stored. After Ctrl-C, what is stored can be continued.
    """
    path = db or _new_file()
    try:
        yield path
    except (KeyboardInterrupt, asyncio.CancelledError) as error:
        if size_of(path):
            error.add_note(continuation(path))
        raise
    finally:
        if not (db or size_of(path)):
            path.unlink(missing_ok=True)


def continuation(db: Path) -> str:
    """Return how to go on with a database."""
    return f"run the same command with --db {db} to continue"


def _new_file() -> Path:
    folder = Path("results")
    folder.mkdir(exist_ok=True)
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    path = folder / f"{stamp}.db"
    numbers = itertools.count(2)
    while True:
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            path = folder / f"{stamp}-{next(numbers)}.db"
        else:
            return path


def run_until_terminated(coroutine: Coroutine[object, object, T]) -> T:
    """Run a coroutine and return its result; SIGTERM cancels it, as Ctrl-C does.

    A paused reader of standard error does not stop the coroutine.

    Raises:
        UsageError: The configuration of the arena or one of its bots cannot be used.
    """

    async def until_terminated() -> T:
        task = asyncio.current_task()
        assert task
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await coroutine

    try:
        with background_notices():
            return asyncio.run(until_terminated())
    except (ConfigurationError, InvalidEntrant) as error:
        raise UsageError(str(error)) from None
