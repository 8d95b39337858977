"""Entrants of a tournament: processes of its bots, and bots that connect by themselves.

With --affinity, each match has a processor of its own, on which the processes of its bots run.
"""

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Self

from websockets.frames import CloseCode

from arena.model.observer import Observer
from arena.model.results import MatchRecord, Pairing
from arena.runner.bot_log import BotLog
from arena.runner.bot_settings import NO_SETTINGS, USUAL, ProcessSettings, Settings
from arena.runner.named_bots import NO_FOLDERS, Bots, bot_words
from arena.runner.processes import JOIN_SECONDS, SUPERVISE_INTERVAL, Process, Processes
from arena.sandbox.limits import Policy
from arena.sandbox.process import descendants
from arena.server.admission import Admission, RefusedClaim
from arena.server.server import Server
from bots.specification import BUILT_IN, USERS_CODE, BotSpec, Kind

CONNECT_SECONDS = 10.0  # after which a bot's next match begins without its new process
TRIAL_SECONDS = 60.0  # timeout for all bots together
JOIN_SECONDS_PER_BOT = 1.0  # at least, as all start at once: a class may have 150 programs
LINES_ADVICE = " (a program that reads and writes lines is stdio:COMMAND, not cmd:COMMAND)"
MAX_UNEXPECTED = 20  # names that are reported: a client can connect under any number of names


class Restarts(Observer):
    """Replaces the process of a bot after each match; until the new one connects, the bot waits.

    The bot plays one match at a time. Its old process gets the end of its connection, as at the end
    of a tournament, and has a second to exit.
    """

    def __init__(self, names: Collection[str], processes: Processes, server: Server) -> None:
        """Restart nothing yet.

        Args:
            names: The bots that get a new process for each match.
            processes: The processes of all bots.
            server: The server that they are connected to.
        """
        self._names = frozenset(names)
        self._processes = processes
        self._server = server
        self._waiting: dict[str, asyncio.TimerHandle] = {}  # the end of the wait, by name
        self._closing: set[asyncio.Task[None]] = set()

    def is_ready(self, name: str) -> bool:
        """Return whether a bot can begin a match."""
        if name not in self._names:
            return True
        is_idle = not self._server.sessions.get_or_create(name).assigned_matches
        return is_idle and name not in self._waiting

    def finished(self, record: MatchRecord) -> None:
        """Renew the processes of both players, once they have received the end of the match."""
        loop = asyncio.get_running_loop()
        for name in self._names.intersection(record.pairing.players):
            self._waiting[name] = loop.call_later(CONNECT_SECONDS, self._end_wait, name)
            loop.call_soon(self._renew, name)

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002
        """End the wait for a bot: its new process has connected."""
        process = self._processes.find(name)
        if name in self._waiting and process and not process.is_renewing:
            self._end_wait(name)

    def _renew(self, name: str) -> None:
        if connection := self._server.sessions.get_or_create(name).connection:
            task = asyncio.create_task(connection.close(CloseCode.NORMAL_CLOSURE))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        process = self._processes.find(name)
        assert process, "the arena has started it"
        process.renew()

    def _end_wait(self, name: str) -> None:
        self._waiting.pop(name).cancel()
        self._server.announce_change()


def find_invalid_bot(
    bots: Bots,
    game: str,
    bot_files: Path | None,
    sandbox: Policy | None = None,
    folders: Mapping[str, Path] = NO_FOLDERS,
) -> str | None:
    """Create each bot in a child process, as it has the code of a user.

    Args:
        bots: The specification of each bot, by name.
        game: The name of the game that the bots are to play.
        bot_files: The folder of users' modules and programs; None is the working directory.
        sandbox: The sandbox of users' programs; None isolates only program: bots.
        folders: The folders of bots that have another one, by name.

    Returns:
        The failure of the first bot that cannot be created; None if all can.
    """
    deadline = time.monotonic() + TRIAL_SECONDS
    with ExitStack() as stack:
        trials = []
        placed = [(spec, folders.get(name, bot_files)) for name, spec in bots.items()]
        for spec, folder in dict.fromkeys(placed):
            if spec.kind not in BUILT_IN:
                trial = Process(spec.text, _command(spec, game, folder, sandbox), {})
                trial.request_stop()  # bots must not wait for input
                stack.callback(trial.end)
                trials.append(trial)
        for trial in trials:
            trial.wait(deadline - time.monotonic())
            if trial.status is None:
                return f"bot {trial.name!r} was not created within {TRIAL_SECONDS:g} s"
            if trial.status:
                trial.end()  # now all of its output has been read
                failure = str(trial.failure)
                named = repr(trial.name) in failure
                return failure if named else f"bot {trial.name!r}: {failure}"
    return None


def _command(spec: BotSpec, game: str, bot_files: Path | None, sandbox: Policy | None) -> list[str]:
    words = [*bot_words(spec, sandbox), "--games", game, "--dry-run"]
    if bot_files and spec.kind in USERS_CODE:
        return [*words, "--bot-files", str(bot_files)]
    return words


class InvalidEntrant(Exception):
    """A bot that cannot play in this tournament: it has left before it was connected."""


class Entrants:
    """The bots of a tournament; their processes run from `with` to its end.

    A name of a bot that the tournament starts belongs to its process: nothing else can connect
    under it. A process that tries to use another name is reported, and loses its matches.

    Attributes:
        processes: The processes of the bots.
        report: Receives messages for the operator.
    """

    def __init__(
        self,
        bots: Bots,
        admission: Admission,
        report: Callable[[str], None],
        sandbox: Policy | None = None,
        logs: Mapping[str, BotLog] = MappingProxyType({}),
        settings: Mapping[str, Settings] = NO_SETTINGS,
        games: Sequence[str] = (),
    ) -> None:
        """Reserve the names of the bots that the tournament starts.

        Args:
            bots: The specification of each bot, by name.
            admission: The admission, which reserves the names.
            report: Receives messages for the operator.
            sandbox: The sandbox of users' programs; None isolates only program: bots.
            logs: The logs of the bots that the tournament starts.
            settings: The settings of single bots, by name.
            games: The names of the games that the arena plays; none for all registered ones.
        """
        self.report = report
        self._bots = bots
        self._settings = {
            name: ProcessSettings.of(settings[name]) if name in settings else USUAL for name in bots
        }
        self._names = admission.bot_names
        self._tokens = {
            name: self._names.reserve(name)
            for name, spec in bots.items()
            if spec.kind is not Kind.EXTERNAL
        }
        self._logs = logs
        self.processes = Processes(sandbox, logs, games)
        self._exited: set[str] = set()  # bots with a process that has ended at least once
        self._reported_claims = 0

    def __enter__(self) -> Self:
        self.processes.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.processes.__exit__(*error)

    def launch(self, url: str, seed: int, matches: int, bot_files: Path | None = None) -> None:
        """Start the processes.

        Args:
            url: The URL to connect to.
            seed: The seed of the tournament; each bot gets another one.
            matches: The highest number of simultaneous matches of a bot.
            bot_files: The folder of users' modules and programs; None is the working directory.
        """
        for place, (name, spec) in enumerate(self._bots.items()):
            if name in self._tokens:
                token = self._tokens[name]
                self.processes.launch(
                    name,
                    spec,
                    url,
                    seed + place,
                    matches,
                    token,
                    bot_files=bot_files,
                    settings=self._settings[name],
                )

    def output_tail(self, name: str, since: float) -> str:
        """Return the last output of a bot since a Unix time; nothing of one that is not started."""
        return self._logs[name].since(since) if name in self._logs else ""

    def restarts(self, server: Server) -> Restarts:
        """Return the restarts of the bots that get a new process for each match.

        Args:
            server: The server that they observe.
        """
        names = [name for name, settings in self._settings.items() if settings.restarts]
        return Restarts(names, self.processes, server)

    async def wait(self, server: Server, timeout: float | None) -> bool:
        """Wait until all bots are connected, but for a limited time for the next process.

        Args:
            server: The server.
            timeout: The seconds to wait for external bots; None waits without a limit.

        Returns:
            False if external bots have not connected in time, which is reported; else True.

        Raises:
            InvalidEntrant: The process of a bot has ended before it was connected.
        """
        loop = asyncio.get_running_loop()
        start = joined_at = loop.time()
        join_seconds = max(JOIN_SECONDS, JOIN_SECONDS_PER_BOT * len(self._tokens))
        awaited = len(self._bots)
        while missing := [
            name for name in server.sessions.expect(self._bots) if name not in self._exited
        ]:
            cheats = {claim.owner for claim in self._names.refused}  # None may be any program
            for name, failure in self.processes.failures().items():
                has_failed = name in missing and not cheats & {None, name}
                if has_failed or self._bots[name].is_strategy:
                    raise InvalidEntrant(f"bot {name} has left: {failure}")
            self.supervise()
            now = loop.time()
            if len(missing) < awaited:
                awaited, joined_at = len(missing), now
            external = [name for name in missing if name not in self._tokens]
            if external and timeout is not None and now - start >= timeout:
                self.report(f"not connected after {timeout:g} s: {', '.join(external)}")
                return False
            if not external and now - joined_at >= join_seconds:
                names = ", ".join(missing)
                advice = any(self._bots[name].kind is Kind.CMD for name in missing) * LINES_ADVICE
                self.report(
                    f"not connected after {join_seconds:g} s, continuing without {names}{advice}"
                )
                return True
            await server.wait_for_change(timeout=SUPERVISE_INTERVAL)
        return True

    def supervise(self) -> None:
        """Restart ended processes after their delay, and report problems."""
        self._exited.update(self.processes.failures())
        for message in self.processes.supervise():
            self.report(message)
        for claim in self._names.refused[self._reported_claims :]:
            self.report(_describe(claim))
        self._reported_claims = len(self._names.refused)

    def report_finally(self) -> None:
        """Report the processes that have ended and all refused uses of a name."""
        for name, failure in self.processes.failures().items():
            self.report(f"bot {name} has left: {failure}")
        for notice in self.processes.notices():
            self.report(notice)
        for claim in self._names.refused:
            self.report(_describe(claim))


def _describe(claim: RefusedClaim) -> str:
    if claim.owner is None:
        return f"a program without the token of bot {claim.name} connected as it, and was refused"
    return f"bot {claim.owner} connected as {claim.name}, and was refused"


class UnexpectedBots(Observer):
    """Reports bots that connect but are not in the tournament.

    Attributes:
        expected: The names of the bots in the tournament; None if any bot may join.
        report: Receives messages for the operator.
    """

    def __init__(self, expected: Collection[str] | None, report: Callable[[str], None]) -> None:
        self.expected = expected
        self.report = report
        self._reported: set[str] = set()

    def joined(self, name: str, address: str) -> None:  # noqa: ARG002
        """Report a name once, unless the bot is expected."""
        is_expected = self.expected is None or name in self.expected
        if is_expected or name in self._reported or len(self._reported) >= MAX_UNEXPECTED:
            return
        self._reported.add(name)
        self.report(f"a bot named {name} connected, but is not in this tournament")


class Affinity(Observer):
    """Lets the processes of the bots in a match run on the processor of the match alone.

    A bot in several matches has the processors of all of them. Bots that connect by themselves are
    left as they are.
    """

    def __init__(self, processes: Processes, processors: Iterable[int]) -> None:
        """Pin nothing yet.

        Args:
            processes: The processes of the bots.
            processors: The numbers of the processors, at least as many as simultaneous matches.
        """
        self._processes = processes
        self._free = deque(processors)
        self._matches: dict[int, tuple[int, Pairing]] = {}  # the processor, by match

    def started(self, match: int, pairing: Pairing) -> None:
        """Give a match a processor of its own."""
        self._matches[match] = self._free.popleft(), pairing
        self._pin(pairing)

    def finished(self, record: MatchRecord) -> None:
        """Take the processor of a match back."""
        processor, pairing = self._matches.pop(record.id)
        self._free.append(processor)
        self._pin(pairing)

    def _pin(self, pairing: Pairing) -> None:
        """Move the players of a match to the processors of their matches."""
        for name in pairing.players:
            own = {number for number, other in self._matches.values() if name in other.players}
            process = self._processes.find(name)
            if own and process and process.pid:
                pin(process.pid, own)


def pin(pid: int, processors: Iterable[int]) -> None:
    """Let a process and its descendants run on some processors alone, on Linux."""
    for each in descendants(pid):
        with suppress(OSError):  # it has ended
            for thread in Path(f"/proc/{each}/task").iterdir():
                with suppress(OSError):
                    os.sched_setaffinity(int(thread.name), processors)
