"""Composition root: a running arena, wired from a frozen configuration.

The commands, the benchmarks and the tests build their arenas here and nowhere else.
"""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from arena.lobby.challenges import Challenges
from arena.model.clock import MAX_CREDIT
from arena.model.observer import CompositeObserver, Observer
from arena.model.problems import Problems
from arena.model.time_control import TimeControl
from arena.network.addresses import AddressLimits
from arena.network.trace import Trace
from arena.protocol.spectator import About, MatchSummary
from arena.runner.house_bots import HouseBots
from arena.runner.named_bots import Bots, supported_games
from arena.sandbox.sandbox import Policy
from arena.server import static
from arena.server.admission import Admission
from arena.server.http import Routes, no_slow_route
from arena.server.moderation import Moderation
from arena.server.server import Arena
from arena.sharing.endpoint import Sharing
from arena.spectators.about import describe_arena
from arena.spectators.endpoint import SpectatorEndpoint
from arena.spectators.live_match import match_summary
from arena.spectators.live_state import LATEST_RESULTS, LiveState
from arena.storage.access_file import AccessFileError, WatchedFile
from arena.storage.bans import load_bans
from arena.storage.reader import DatabaseReader
from arena.storage.tokens import TokenAuthenticator
from arena.storage.writer import DatabaseWriter
from arena.tournament.format_state import FormatState
from arena.tournament.plan import Plan
from core import GAMES

if TYPE_CHECKING:
    from arena.server.json_log import JsonLog
    from arena.server.metrics import Metrics

Report = Callable[[str], None]
"""Receives messages for the operator."""


class ConfigurationError(Exception):
    """A configuration that cannot be used here: an address in use, an unreadable token file."""


@dataclass(frozen=True)
class AdmissionConfig:
    """Rules by which connections are accepted.

    Attributes:
        tokens: The file of the bots' tokens; None disables authentication.
        bans: The file of the names and networks that are not admitted; None admits all.
        origins: The origins of web pages that may connect, besides the arena's own.
        connections: The highest number of open connections of bots.
        behind_proxy: Whether X-Real-IP holds the address of a client.
        any_name: Whether requests may name any host in their Host header.
        limits: The limits of connections of addresses; None takes the usual ones.
    """

    tokens: Path | None = None
    bans: Path | None = None
    origins: tuple[str, ...] = ()
    connections: int = 1000
    behind_proxy: bool = False
    any_name: bool = False
    limits: AddressLimits | None = None


@dataclass(frozen=True)
class ArenaConfig:
    """Configuration of an arena.

    Attributes:
        games: The names of the games that are played or shown.
        time: The time control of matches.
        grace: The seconds that a bot may be disconnected in a match.
        max_credit: The seconds of network credit that each player of a match has in reserve.
        host: The host to listen on.
        port: The port to listen on; 0 takes a free one.
        admission: The rules by which connections are accepted.
        accepts_bots: Whether /play is served.
        accepts_spectators: Whether /watch is served.
        has_page: Whether the web page is served.
        has_metrics: Whether /metrics and /healthz are served.
        house_bots: The specification of each bot that can be challenged, by name; None if casual
            players are not accepted.
        sandbox: The sandbox of users' programs; None isolates those of program: alone.
        plan: The plan of the tournament that is played or shown.
        anchor: The bot whose rating is fixed, and its rating in Elo.
        log: The file of the JSON log, "-" for standard error.
    """

    games: tuple[str, ...]
    time: TimeControl
    grace: float = 5.0
    max_credit: float = MAX_CREDIT
    host: str = "127.0.0.1"
    port: int = 0
    admission: AdmissionConfig = field(default_factory=AdmissionConfig)
    accepts_bots: bool = True
    accepts_spectators: bool = True
    has_page: bool = False
    has_metrics: bool = False
    house_bots: Bots | None = None
    sandbox: Policy | None = None
    plan: Plan | None = None
    anchor: tuple[str, float] | None = None
    log: str | None = None


def ignore(message: str) -> None:
    """Drop a message for the operator."""


class App:
    """A wired arena, which listens from `async with` to its end.

    Attributes:
        server: The server of bots, spectators and plain HTTP.
        observers: The observers of the server's events, in order; more can be appended.
        observer: One observer that passes events on to all of them.
        admission: The rules by which connections are accepted.
        live_state: The matches in progress and the latest results, as spectators see them.
        spectators: The connections of spectators.
        challenges: The challenges between casual players; None if those are not accepted.
        problems: The parts that do not work at the moment.
        plan: The plan that spectators see; it changes once the entrants are known.
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
        trace: Trace | None = None,
    ) -> None:
        """Wire the parts; nothing runs yet.

        Args:
            config: The configuration.
            writer: The open database.
            admission: Replaces the admission of the configuration.
            observers: Observers besides the arena's own.
            challenges: Replaces the challenges of the configuration.
            routes: Replaces the routes of the configuration.
            format_state: Returns the state of the tournament's format.
            report: Receives messages for the operator.
            trace: Receives the messages of players, if there is one.

        Raises:
            ConfigurationError: The token file or the log cannot be used.
            DatabaseError: The database cannot be read.
        """
        self._config = config
        self._writer = writer
        self.plan = config.plan
        self.url = ""
        self.admission = admission or build_admission(config.admission, report)
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
        self.spectators = SpectatorEndpoint(
            self.live_state,
            writer,
            self._describe,
            self.problems,
            format_state,
            config.anchor,
            challenges,
        )
        routes = self._routes(report) if routes is None else routes
        self._sharing = self._share(routes)
        self.server = self._make_server(routes, trace)
        self._running = AsyncExitStack()

    def _make_server(self, routes: Routes, trace: Trace | None) -> Arena:
        config = self._config
        return Arena(
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

    async def _listen(self) -> str:
        host, port = self._config.host, self._config.port
        try:
            taken = await self.server.listen(host, port)
        except (OSError, OverflowError, UnicodeError) as error:
            raise listen_error(host, port, error) from None
        return f"ws://[{host}]:{taken}/play" if ":" in host else f"ws://{host}:{taken}/play"

    def _describe(self) -> About:
        """Return the first message to spectators."""
        config = self._config
        bots = None if config.house_bots is None else self._challengeable()
        return describe_arena(config.games, str(config.time), self.plan, bots)


def build_admission(config: AdmissionConfig, report: Report = ignore) -> Admission:
    """Return the admission of an arena. Raises ConfigurationError."""
    try:
        authenticator = TokenAuthenticator(config.tokens, report) if config.tokens else None
        bans = WatchedFile(config.bans, load_bans) if config.bans else None
    except AccessFileError as error:
        raise ConfigurationError(str(error)) from None
    return Admission(
        authenticator,
        config.origins,
        config.connections,
        behind_proxy=config.behind_proxy,
        any_name=config.any_name,
        limits=config.limits,
        bans=bans,
    )


def listen_error(host: str, port: int, error: Exception) -> ConfigurationError:
    """Return the error for an address that cannot be listened on."""
    errno = error.errno if isinstance(error, OSError) else None
    # Numbers below 0 are those of a failed look-up of the host.
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
