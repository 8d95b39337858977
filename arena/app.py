"""Composition root: a running arena, wired from a frozen configuration.

The commands, the benchmarks and the tests build their arenas here and nowhere else.
"""

import os
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.configuration import ArenaConfig
from arena.lobby.challenges import Challenges
from arena.model.addresses import AddressLimits, is_loopback
from arena.model.observer import CompositeObserver, Observer, Problems
from arena.network.trace import MessageTrace
from arena.protocol.spectator import About, MatchSummary
from arena.runner.house_bots import HouseBots
from arena.runner.named_bots import supported_games
from arena.server import static
from arena.server.admission import Admission
from arena.server.http import Routes, no_slow_route
from arena.server.match_runner import OutputTail, no_output
from arena.server.moderation import Moderation
from arena.server.server import Server
from arena.spectators.endpoint import SpectatorEndpoint, describe_arena
from arena.spectators.live_match import match_summary
from arena.spectators.live_state import LATEST_RESULTS, LiveState
from arena.spectators.sharing.endpoint import Sharing
from arena.storage.access import AccessFileError, TokenAuthenticator, WatchedFile, load_bans
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import FormatState
from arena.tournament.plan import Plan
from core import GAMES

if TYPE_CHECKING:
    from arena.server.json_log import JsonLog
    from arena.server.metrics import Metrics

Report = Callable[[str], None]
"""Receives messages for the operator."""

Reload = Callable[[], Awaitable[None]]
"""Called when another process has changed the stored matches."""


class ConfigurationError(Exception):
    """A configuration that cannot be used here: an address in use, an unreadable token file."""


def ignore(message: str) -> None:
    """Drop a message for the operator."""


async def _nothing() -> None:
    """Reload nothing."""


class Arena:
    """A wired arena, which listens from `async with` to its end.

    Attributes:
        server: The server of bots, spectators and plain HTTP.
        observers: The observers of the server's events, in order; more can be appended.
        observer: One observer that passes events on to all of them.
        admission: The rules for accepting connections.
        live_state: The matches in progress and the latest results, as spectators see them.
        spectators: The connections of spectators.
        challenges: The challenges between casual players; None if those are not accepted.
        problems: The parts that do not work at the moment.
        url: The URL for bots, once the arena listens.
    """

    def __init__(
        self,
        config: ArenaConfig,
        writer: DatabaseWriter,
        *,
        admission: Admission | None = None,
        observers: Sequence[Observer] = (),
        challenges: Challenges | None = None,
        routes: Routes | None = None,
        format_state: Callable[[], FormatState] = FormatState,
        report: Report = ignore,
        trace: MessageTrace | None = None,
        output_tail: OutputTail = no_output,
        reload: Reload = _nothing,
    ) -> None:
        """Wire the parts; nothing runs yet.

        Args:
            config: The configuration.
            writer: The open database.
            admission: Replaces the admission of the configuration.
            observers: More observers than the arena's own.
            challenges: Replaces the challenges of the configuration.
            routes: Replaces the routes of the configuration.
            format_state: Returns the state of the tournament's format.
            report: Receives messages for the operator.
            trace: Receives the messages of players, if there is one.
            output_tail: Returns the last output of a bot.
            reload: Reads anew what a part outside of the arena knows of the stored matches.

        Raises:
            ConfigurationError: The token file or the log cannot be used.
            DatabaseError: The database cannot be read.
        """
        self._config = config
        self._writer = writer
        self._plan = config.plan
        self._about: About | None = None  # made once: it reads the files of the games
        self._reload_others = reload
        self.url = ""
        self.admission = admission or build_admission(config, report)
        self._house_bots = HouseBots(
            config.house_bots or {}, self.admission, report, config.sandbox, config.games
        )
        if challenges is None and config.house_bots is not None:
            challenges = Challenges(self._challengeable())
        self.challenges = challenges
        self.live_state = load_live_state(writer.path, str(config.time))
        self._metrics = _create_metrics(writer) if config.has_metrics else None
        self._log = _open_log(config.log) if config.log else None
        self.observers = self._all_observers(observers)
        self.observer = CompositeObserver(self.observers)
        self.problems = Problems(self.observer, report)
        self.spectators = self._make_spectators(format_state)
        routes = self._routes(report) if routes is None else routes
        self._sharing = self._share(routes)
        self.server = self._make_server(routes, trace, output_tail)
        self._running = AsyncExitStack()

    def _make_spectators(self, format_state: Callable[[], FormatState]) -> SpectatorEndpoint:
        return SpectatorEndpoint(
            self.live_state,
            self._writer,
            self._describe,
            self.problems,
            format_state,
            self._config.anchor,
            self.challenges,
        )

    def _make_server(
        self, routes: Routes, trace: MessageTrace | None, output_tail: OutputTail
    ) -> Server:
        config = self._config
        return Server(
            self._writer,
            config.games if config.accepts_bots else (),
            config.time,
            config.grace,
            config.max_credit,
            self.observer,
            self.admission,
            routes,
            self.spectators.serve if config.accepts_spectators else None,
            self.challenges,
            trace,
            self._sharing.find if self._sharing else no_slow_route,
            partial(self.problems.report, "descriptors"),
            output_tail,
        )

    async def __aenter__(self) -> Self:
        """Start all parts and listen. Raises ConfigurationError."""
        async with AsyncExitStack() as stack:
            if self._log:
                stack.enter_context(self._log)
            stack.enter_context(self._house_bots)
            if self._metrics:
                await stack.enter_async_context(self._metrics)
            await stack.enter_async_context(self.server)
            if self._config.accepts_spectators:
                await stack.enter_async_context(self.spectators)
            if self._sharing:
                await stack.enter_async_context(self._sharing)
            self.url = await self._listen()
            if self._config.accepts_bots:
                self._writer.prepare()  # as nothing can go wrong any more
                await stack.enter_async_context(self._moderate())
            if self._log:
                self._log.log_start(self.url, str(self._writer.path))
            self._running = stack.pop_all()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._running.__aexit__(kind, error, trace)

    async def ensure_house_bot(self, name: str) -> None:
        """Start a house bot unless it runs, and wait until it is connected or too late."""
        await self._house_bots.ensure_connected(name, self.server, self.url)

    def show_plan(self, plan: Plan) -> None:
        """Show spectators the plan of the tournament, once its entrants are known."""
        self._plan = plan
        self._about = None

    def _all_observers(self, others: Sequence[Observer]) -> list[Observer]:
        live_state = self.live_state if self._config.accepts_spectators else None
        own = (self._metrics, live_state, self._log)
        return [*(observer for observer in own if observer), *others]

    def _routes(self, report: Report) -> Routes:
        metrics = self._metrics.routes() if self._metrics else {}
        if not self._config.has_page:
            return metrics
        games = [GAMES[game] for game in self._config.games]
        return {**metrics, **static.routes(games, report)}

    def _share(self, routes: Routes) -> Sharing | None:
        """Return the pages of shared matches; None without the page that shows them."""
        if not self._config.accepts_spectators or "/" not in routes:
            return None
        report = partial(self.problems.report, "sharing")
        return Sharing(self._writer.path, self.live_state, routes["/"](), report)

    def _challengeable(self) -> dict[str, list[str]]:
        """Return the games that each house bot plays, by its name."""
        bots = self._config.house_bots or {}
        return {name: supported_games(spec, self._config.games) for name, spec in bots.items()}

    def _moderate(self) -> Moderation:
        return Moderation(self.admission, self.server, self.problems, self._writer, self._reload)

    async def _reload(self) -> None:
        """Show the stored matches anew, which another process has changed."""
        await self.spectators.reload(*latest_results(self._writer.path))
        if self._sharing:
            await self._sharing.forget()
        await self._reload_others()

    async def _listen(self) -> str:
        host, port = self._config.host, self._config.port
        try:
            taken = await self.server.listen(host, port)
        except (OSError, OverflowError, UnicodeError) as error:
            raise listen_error(host, port, error) from None
        return f"ws://[{host}]:{taken}/play" if ":" in host else f"ws://{host}:{taken}/play"

    def _describe(self) -> About:
        """Return the first message to spectators."""
        if not self._about:
            config = self._config
            bots = None if config.house_bots is None else self._challengeable()
            self._about = describe_arena(config.games, str(config.time), self._plan, bots)
        return self._about


def build_admission(config: ArenaConfig, report: Report = ignore) -> Admission:
    """Return the admission of an arena.

    Raises:
        ConfigurationError: The arena would be exposed without tokens, the host is unknown, or a
            file cannot be used.
    """
    rules = config.admission
    is_local = is_loopback_only(config.host, config.port)
    if config.accepts_bots and not (rules.tokens or rules.open or is_local):
        raise ConfigurationError(
            f"--host {config.host} exposes the arena: pass --tokens FILE, or --open to disable"
            " authentication"
        )
    try:
        authenticator = TokenAuthenticator(rules.tokens, report) if rules.tokens else None
        bans = WatchedFile(rules.bans, load_bans) if rules.bans else None
    except AccessFileError as error:
        raise ConfigurationError(str(error)) from None
    return Admission(
        authenticator,
        rules.origins,
        rules.connections,
        behind_proxy=rules.behind_proxy,
        any_name=rules.behind_proxy or not is_local,
        limits=AddressLimits(rules.connections_per_address, rules.trusted),
        bans=bans,
    )


def is_loopback_only(host: str, port: int) -> bool:
    """Return whether only this machine can connect. Raises ConfigurationError."""
    if not host:  # all interfaces
        return False
    try:
        found = socket.getaddrinfo(host, None)
    except (OSError, UnicodeError) as error:
        raise listen_error(host, port, error) from None
    return all(is_loopback(str(socket_address[0])) for *_, socket_address in found)


def listen_error(host: str, port: int, error: Exception) -> ConfigurationError:
    """Return the error for an address that cannot be listened on."""
    errno = error.errno if isinstance(error, OSError) else None
    # Numbers below 0 mean a failed look-up of the host.
    reason = os.strerror(errno) if errno and errno > 0 else error
    return ConfigurationError(f"cannot listen on {host} port {port}: {reason}")


def load_live_state(path: Path, control: str) -> LiveState:
    """Return the live state of an arena, with the latest results of a database.

    Args:
        path: The database.
        control: The time control, as text.

    Raises:
        DatabaseError: The database cannot be read.
    """
    return LiveState(control, *latest_results(path), time.monotonic, time.time)


def latest_results(path: Path) -> tuple[list[MatchSummary], int]:
    """Return the latest results in a database, and the number of rated matches.

    Raises:
        DatabaseError: The database cannot be read.
    """
    with DatabaseReader(path) as records:
        latest = records.latest_matches(LATEST_RESULTS)
        return [match_summary(record, plies) for record, plies in latest], records.count_rated()


def _create_metrics(writer: DatabaseWriter) -> "Metrics":
    from arena.server.metrics import Metrics  # imports the library of Prometheus

    return Metrics(writer)


def _open_log(path: str) -> "JsonLog":
    from arena.server.json_log import JsonLog  # imports logging

    try:
        return JsonLog(path)
    except OSError as error:
        raise ConfigurationError(f"cannot write --log {path}: {error.strerror}") from None
