"""Options of `arena tournament` and `arena class`."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from arena.cli import shared_options as shared
from arena.cli.arguments import (
    DEFAULT_BOTS,
    Book,
    UsageError,
    appendable,
    check_different,
    folder_to_fill,
    parse_book,
    parse_numbers,
    parse_part,
    parse_tags,
    start_time,
)
from arena.cli.pseudonyms import names_file
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
from arena.model.setups import setup_text
from arena.model.time_control import UNLIMITED, TimeControl
from arena.options import argument, flag, option, switch
from arena.processors import usable_processors
from arena.ratings import Anchor
from arena.ratings.sprt import Sprt
from arena.runner.bot_settings import Settings, parse_settings
from arena.sandbox.limits import Policy
from arena.tournament.duration import parse_duration
from arena.tournament.plan import FORMATS
from arena.tournament.schedule import WHOLE, Part
from core import GAMES

MAX_PLANNED = 10**12  # rounds, pairs and the like
MAX_WORKERS = 1024  # each is a process
SOONEST = datetime.min  # the start of a tournament as soon as two bots are connected
OF_CONNECTIONS = (
    *("concurrency", "grace", "server", "wait", "tokens", "open", "logs", "affinity"),
)  # options without a meaning in process

CLASS_TIME = "2/move"
DEFAULT_BENCHMARKS = ("random", "greedy", "spec:1", "spec:4", "perfect")

# Headings of the help.
BOTS, FORMAT, OPENINGS = "bots and their programs", "format", "openings"
WITHOUT_CONNECTIONS = "without connections"
CONNECTIONS, OUTPUT, CLASS = "bots and people that connect", "output", "a class"

BOT_FORMS = (
    "bots, each with an optional NAME= in front: random, greedy, spec:DEPTH[@nodes=N],"
    " strong[:DEPTH][@nodes=N], a range such as spec:1-6 or spec:2-8/2 for one of each depth,"
    " perfect, openspiel:mcts:SIMULATIONS for a tree search of"
    " OpenSpiel, python:MODULE:CLASS for a class with a method choose(position, clock),"
    " cmd:COMMAND for a program that speaks the protocol, stdio:COMMAND for a program that"
    ' reads and writes lines, "program:[depth=N] COMMAND" for a program of the assignment, or'
    " external:NAME for a bot that connects by itself"
)


@dataclass(frozen=True)
class TournamentConfig(PlayingCommand):
    """Options of `arena tournament`."""

    command: ClassVar[str] = "tournament"
    usage = "%(prog)s [FILE] [--bots BOT ...] [FLAGS]"
    usual_time: ClassVar[str] = DEFAULT_TIME

    file: Path | None = argument(
        "TOML file with the flags below as keys", required=False, nargs="?", metavar="FILE"
    )
    bots: tuple[str, ...] | None = option(
        f"{BOT_FORMS} (default: {' '.join(DEFAULT_BOTS)}, without those that cannot play the game)",
        group=USUAL,
        metavar="BOT",
    )
    game: str = shared.game(USUAL)
    parameters: Numbers = shared.parameters(USUAL)
    format: str = option(
        "tournament format; a grid compares the bots with each setup and number of opening plies"
        " (default: %(default)s)",
        group=USUAL,
        default=FORMATS[0],
        choices=FORMATS,
    )
    rounds: int | None = option(
        "rounds of a Swiss tournament (default: the fewest that find a winner); otherwise,"
        " repetitions of the whole schedule (default: 1; with --sprt, until the test is decided)",
        group=USUAL,
        least=1,
        most=MAX_PLANNED,
    )
    time: TimeControl | None = shared.time(USUAL, in_process=True)
    seed: int | None = shared.seed(USUAL)
    db: Path | None = shared.new_database(USUAL)
    dry_run: bool = switch("print the plan without playing", group=USUAL)

    bot: Mapping[str, Settings] = option(
        "settings of one of the bots: time=CONTROL for its own clock, dir=DIR for its working"
        " directory, restart=on for a new process for each match, env.NAME=VALUE for its"
        " environment; may be repeated",
        group=BOTS,
        default={},
        convert=parse_settings,
        nargs="+",
        action="append",
        metavar=("NAME", "KEY=VALUE"),
    )
    bot_files: Path | None = shared.bot_files(BOTS)
    sandbox: Policy | None = shared.sandbox(BOTS)
    affinity: bool = switch(
        "let the processes of each match's bots run on a processor of their own (Linux)",
        group=BOTS,
    )
    logs: Path | None = option(
        "append to files in DIR: the standard error of each bot that the tournament starts, the"
        " ignored output lines of stdio: bots, and in messages.jsonl all messages from and to bots"
        " with their times",
        group=BOTS,
        convert=folder_to_fill,
        metavar="DIR",
    )

    seeds: int | None = option(
        "number of bots that play the gauntlet (default: 1)",
        group=FORMAT,
        least=1,
        most=MAX_PLANNED,
    )
    pairs: int | None = option(
        "pairs of matches in each encounter of a Swiss tournament or a knockout (default: 1)",
        group=FORMAT,
        least=1,
        most=MAX_PLANNED,
    )
    sprt: str | None = option(
        "end when a sequential test of the first of two bots is decided: elo0=0 elo1=20"
        " alpha=0.05 beta=0.05, or in normalised Elo nelo0=0 nelo1=20",
        group=FORMAT,
        convert=lambda words: str(Sprt.parse(words)),
        nargs="+",
        metavar="KEY=VALUE",
    )
    extend: bool = switch(
        "extend the tournament of --db: more --rounds, and bots after the stored ones",
        group=FORMAT,
    )
    part: Part = option(
        "play only part K of N of a round robin, a gauntlet or a grid, for arena merge",
        group=FORMAT,
        default=WHOLE,
        type=parse_part,
        metavar="K/N",
    )

    opening_plies: tuple[int, ...] | None = option(
        "random moves at the start of each match (default: as many as different games need,"
        " 0 where the setups suffice); of a grid numbers or ranges FIRST-LAST[/STEP] (default: 2)",
        group=OPENINGS,
        convert=lambda words: parse_numbers("opening-plies", words, MAX_PLANNED),
        type=str,
        metavar="N",
    )
    book: Book | None = option(
        "file of openings, one per line; then order=random to shuffle them, start=N for the number"
        " of the first one, and policy=round or policy=encounter for a new opening in each round,"
        " or in each encounter of two bots (default: order=sequential start=1, and policy=all in"
        " each round)",
        group=OPENINGS,
        convert=parse_book,
        nargs="+",
        metavar=("FILE", "KEY=VALUE"),
    )

    concurrency: int | None = shared.concurrency(2, LIMITS)
    grace: float | None = shared.grace(LIMITS)

    workers: int | None = option(
        "play in N processes of workers, without connections: all bots but cmd: and external:"
        " (default of N: the usable processors)",
        group=WITHOUT_CONNECTIONS,
        least=1,
        most=MAX_WORKERS,
        nargs="?",
        const=usable_processors,
        metavar="N",
    )
    cluster: str | None = shared.cluster("; plays without connections too", WITHOUT_CONNECTIONS)

    server: datetime | None = option(
        "let bots join until the start at TIME: 20:00 or 2030-12-31T20:00 (default of TIME: as soon"
        " as two bots are connected)",
        group=CONNECTIONS,
        type=start_time,
        nargs="?",
        const=SOONEST,
        metavar="TIME",
    )
    wait: float | None = option(
        "seconds to wait for bots that connect by themselves (default: no limit)",
        group=CONNECTIONS,
        least=0,
        metavar="SECONDS",
    )
    host: str = shared.host(CONNECTIONS)
    port: int = shared.port(0, CONNECTIONS)
    tokens: Path | None = shared.tokens(CONNECTIONS)
    open: bool = shared.any_bot(CONNECTIONS)

    quiet: bool = shared.quiet(OUTPUT)
    plain: bool = shared.plain(OUTPUT)
    json: bool = switch("print the standings as JSON", group=OUTPUT)
    anchor: Anchor | None = shared.anchor(OUTPUT)
    events: str | None = option(
        "write events as JSON lines to FILE; - for standard output",
        group=OUTPUT,
        convert=appendable,
        metavar="FILE",
    )
    tag: Mapping[str, str] = shared.pairs(
        "tags of the records, such as Event=Cup and Site=Berlin", "NAME=VALUE", parse_tags, OUTPUT
    )

    @property
    def in_process(self) -> bool:
        """Whether workers play, without connections."""
        return self.workers is not None or self.cluster is not None

    @property
    def at_once(self) -> int:
        """The highest number of simultaneous matches over connections."""
        return self.concurrency or 2

    @property
    def time_control(self) -> TimeControl:
        """The time control of all bots without one of their own."""
        return self.time or TimeControl.parse(UNLIMITED if self.in_process else self.usual_time)

    @cached_property
    def setups(self) -> Setups:
        """The setups of the game; none with a book, which has its own."""
        if self.book:
            return ()
        return self.setups_of([self.game])[self.game]

    @property
    def arena(self) -> ArenaConfig:
        """The arena, without the plan."""
        grace = DEFAULT_GRACE if self.grace is None else self.grace
        admission = AdmissionConfig(self.tokens, self.open)
        return ArenaConfig(
            (self.game,),
            self.time_control,
            grace,
            host=self.host,
            port=self.port,
            admission=admission,
            has_page=True,
            anchor=self.anchor,
        )

    def check(self) -> None:
        """Check what the options mean together. Raises UsageError."""
        if self.in_process:
            for name in OF_CONNECTIONS:
                if getattr(self, name) is not None and getattr(self, name) is not False:
                    raise UsageError(
                        f"{flag(name)} has no meaning in process, where no bot connects"
                    )
        else:
            check_clock(self.time_control)
        names = ("db", "events", "tokens")
        files: dict[str, Path | str | None] = {name: getattr(self, name) for name in names}
        check_different({"FILE": self.file, **files, "book": self.book and self.book.path})
        if self.book:
            plies = {"opening_plies": any(self.opening_plies or ()), **self.parameters}
            for name, value in plies.items():
                if value:
                    raise UsageError(f"{flag(name)} cannot be combined with --book, which sets it")
        if self.format == "grid":
            if self.book:
                raise UsageError("--book cannot be combined with --format grid")
            setups = Counter(tuple(setup.items()) for setup in self.setups)
            [(setup, times)] = setups.most_common(1)
            if times > 1:
                raise UsageError(f"repeated setup: {setup_text(dict(setup))}")
        elif self.opening_plies and len(self.opening_plies) > 1:
            raise UsageError("--opening-plies with several numbers requires --format grid")
        assert self.setups or self.book  # the setups are tried

    def page_notices(self, page: str) -> Iterator[str]:
        """Yield where people can watch, given the address of the page."""
        yield f"people can watch at {page}"

    @property
    def final_notices(self) -> Iterator[str]:
        """The notices after the results."""
        yield from ()


@dataclass(frozen=True, kw_only=True)
class ClassConfig(TournamentConfig):
    """Options of `arena class`: a tournament of submissions."""

    command: ClassVar[str] = "class"
    usage = "%(prog)s DIR [--duration TIME] [FLAGS]"
    usual_time: ClassVar[str] = CLASS_TIME
    without = frozenset({"file", "dry_run", "workers", "cluster", "server"})

    submissions: Path = argument(
        "folder of submissions; their programs play, built as by arena grade",
        metavar="DIR",
    )
    bots: tuple[str, ...] = option(
        f"other {BOT_FORMS} (default: {' '.join(DEFAULT_BENCHMARKS)})",
        group=USUAL,
        default=DEFAULT_BENCHMARKS,
        metavar="BOT",
    )
    time: TimeControl | None = shared.time(USUAL, CLASS_TIME, in_process=False)
    duration: float | None = option(
        "target time of the tournament, such as 45m, 90s, 2h or 1h30m: chooses --rounds (in a"
        " Swiss tournament or a knockout --pairs), --concurrency and --time",
        group=CLASS,
        convert=parse_duration,
        type=str,
        metavar="TIME",
    )
    sandbox: Policy = shared.sandbox(BOTS, Policy.REQUIRE)
    anonymous: bool = switch("let the submissions play under pseudonyms", group=CLASS)

    @property
    def sized_by(self) -> str:
        """The option that gives a tournament of the format its size."""
        return "pairs" if self.format in {"swiss", "knockout"} else "rounds"

    def check(self) -> None:
        """Check what the options mean together. Raises UsageError."""
        super().check()
        if not GAMES[self.game].program:
            raise UsageError(
                f"arena class requires a game with a format of programs, not {self.game}"
            )
        if self.duration is not None:
            for name in (self.sized_by, "sprt"):
                if getattr(self, name) is not None:
                    raise UsageError(f"--{name} cannot be combined with --duration")

    def page_notices(self, page: str) -> Iterator[str]:
        """Yield also the address for the projector of a class."""
        yield from super().page_notices(page)
        yield f"show on a projector: {page}?present"

    @property
    def final_notices(self) -> Iterator[str]:
        """How the result can be shown, and where the names are."""
        yield f"show the result on a projector: arena view {self.db}, with ?present after its URL"
        if self.anonymous and self.db:
            yield f"names are in {names_file(self.db)}: arena standings --names {self.db}"
