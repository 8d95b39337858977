"""Command `arena serve`: arena with matchmaking for connected bots."""

import asyncio
import logging
import sys
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NoReturn

from arena.app import Arena, ignore
from arena.cli import shared_options as shared
from arena.cli.arguments import (
    DEFAULT_OFFERS,
    UsageError,
    appendable,
    check_different,
    game_metavar,
    game_name,
    parse_origins,
    parse_trusted,
    writable,
)
from arena.cli.output import notify
from arena.cli.serving import (
    admission_for,
    check_bots,
    check_programs,
    database_path,
    page_url,
    run_until_terminated,
)
from arena.cli.shared_options import (
    DEFAULT_GRACE,
    DEFAULT_TIME,
    LIMITS,
    USUAL,
    Numbers,
    PlayingCommand,
    Setups,
    check_clock,
)
from arena.configuration import AdmissionConfig, ArenaConfig
from arena.lobby.matchmaking import Matchmaker
from arena.model.addresses import CONNECTIONS_PER_ADDRESS, Network
from arena.model.time_control import CREDIT_RATE, MAX_CREDIT, TimeControl
from arena.network.trace import MessageTrace
from arena.options import option, switch
from arena.reports.progress import LineProgress
from arena.runner.named_bots import parse_house_bots, supported_games
from arena.runner.organiser import run_lobby
from arena.sandbox.limits import Policy
from arena.server.admission import Admission
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from bots.specification import BotSpec
from core import GAMES

WHO, PROGRAMS = "who may connect", "programs and logs"  # headings of the help
KNOWN_MATCHES = 100_000  # that the matchmaker continues from: a second of work


@dataclass(frozen=True)
class ServeConfig(PlayingCommand):
    """Options of `arena serve`."""

    command: ClassVar[str] = "serve"
    usage = "%(prog)s [FLAGS]"

    game: tuple[str, ...] | None = option(
        "games to play (default: all)", group=USUAL, type=game_name, metavar=game_metavar
    )
    parameters: Numbers = shared.parameters(USUAL)
    time: TimeControl | None = shared.time(USUAL, DEFAULT_TIME, in_process=False)
    offer: tuple[str, ...] | None = option(
        "opponents that people can challenge: random, greedy, spec:DEPTH[@nodes=N],"
        " strong[:DEPTH][@nodes=N], a range such as spec:1-6 or spec:2-8/2 for one of each depth,"
        " perfect, openspiel:mcts:SIMULATIONS or program:COMMAND, each with an optional NAME= in"
        " front; without arguments, disable the built-in opponents"
        " (default: " + " ".join(DEFAULT_OFFERS) + ", without those that play none of the games)",
        group=USUAL,
        nargs="*",
        metavar="BOT",
    )
    db: Path | None = shared.new_database(USUAL)
    host: str = shared.host(USUAL)
    port: int = shared.port(8765, USUAL)

    tokens: Path | None = shared.tokens(WHO)
    open: bool = shared.any_bot(WHO)
    bans: Path | None = option(
        "do not admit the names and networks in FILE (see arena ban)",
        group=WHO,
        convert=writable,
        metavar="FILE",
    )
    origin: tuple[str, ...] = option(
        "origins of web pages that may connect, in addition to the arena's own",
        group=WHO,
        default=(),
        convert=parse_origins,
        action="extend",
        metavar="URL",
    )
    connections: int = option(
        "maximum number of connections of bots (default: %(default)s)",
        group=WHO,
        default=AdmissionConfig.connections,
        least=1,
    )
    connections_per_address: int = option(
        "maximum number of connections of an address, of bots without a token and again of"
        " spectators (default: %(default)s)",
        group=WHO,
        default=CONNECTIONS_PER_ADDRESS,
        least=1,
        metavar="N",
    )
    trusted: Mapping[Network, int] = shared.pairs(
        "networks with N such connections for each of their addresses, such as 192.0.2.0/24=1000",
        "NETWORK=N",
        parse_trusted,
        WHO,
    )
    behind_proxy: bool = switch(
        "take the addresses of clients from the X-Real-IP header of a reverse proxy", group=WHO
    )

    concurrency: int = shared.concurrency(100, LIMITS, default=100)
    grace: float = shared.grace(LIMITS, default=DEFAULT_GRACE)
    max_credit: float = option(
        "network delay that a bot of another machine is not charged for in a match, which"
        f" {100 * CREDIT_RATE:g} %% of its turns refill (default: {MAX_CREDIT:g})",
        group=LIMITS,
        default=MAX_CREDIT,
        least=0,
        metavar="SECONDS",
    )

    sandbox: Policy | None = shared.sandbox(PROGRAMS)
    log: str | None = option(
        "write a log of JSON lines to FILE; - for standard error",
        group=PROGRAMS,
        convert=appendable,
        metavar="FILE",
    )
    trace: Path | None = option(
        "append all messages from and to bots to FILE, as JSON lines with their times",
        group=PROGRAMS,
        convert=appendable,
        metavar="FILE",
    )

    @cached_property
    def setups(self) -> Mapping[str, Setups]:
        """The setups of each game that is played: without --game, of all that can be."""
        return self.setups_of(self.game or [name for name in GAMES if not self.refusal(name)])

    @cached_property
    def arena(self) -> ArenaConfig:
        """The arena. Raises UsageError."""
        offers: Collection[str] = DEFAULT_OFFERS if self.offer is None else self.offer
        if self.offer is None:
            offers = [bot for bot in offers if supported_games(BotSpec.parse(bot), self.setups)]
        try:
            house_bots = parse_house_bots([*offers], self.setups)
        except ValueError as error:
            raise UsageError(f"--offer: {error}") from None
        admission = AdmissionConfig(
            self.tokens,
            self.open,
            self.bans,
            self.origin,
            self.connections,
            self.behind_proxy,
            self.connections_per_address,
            self.trusted,
        )
        return ArenaConfig(
            tuple(self.setups),
            self.time or TimeControl.parse(DEFAULT_TIME),
            self.grace,
            self.max_credit,
            self.host,
            self.port,
            admission,
            has_page=True,
            has_metrics=True,
            house_bots=house_bots,
            sandbox=self.sandbox,
            log=self.log,
        )

    def check(self) -> None:
        """Check what the options mean together. Raises UsageError."""
        check_clock(self.arena.time)
        names = ("db", "log", "trace", "tokens", "bans")
        check_different({name: getattr(self, name) for name in names})

    def run(self) -> NoReturn:
        """Serve until Ctrl-C or SIGTERM raises an exception."""
        house_bots = self.arena.house_bots or {}
        check_bots(house_bots, next(iter(self.setups)), None, self.arena.sandbox)
        admission = admission_for(self.arena)
        # With --log -, standard error has only JSON lines, also for warnings.
        report = logging.getLogger(__name__).warning if self.log == "-" else notify
        check_programs(house_bots.values(), self.arena.sandbox, report)
        try:
            trace = MessageTrace(self.trace, report) if self.trace else None
        except OSError as error:
            raise UsageError(f"cannot write --trace {self.trace}: {error.strerror}") from None
        with ExitStack() as stack:
            if trace:
                stack.enter_context(trace)
            path = stack.enter_context(database_path(self.db))
            writer = stack.enter_context(DatabaseWriter(path))
            run_until_terminated(_serve(self, writer, admission, trace, *_matchmaker(path)))
        raise AssertionError("serving ends by an exception")


async def _serve(
    config: ServeConfig,
    writer: DatabaseWriter,
    admission: Admission,
    trace: MessageTrace | None,
    matchmaker: Matchmaker,
    finished: int,
) -> None:
    is_quiet = config.log == "-"  # standard error has only JSON lines

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
