"""Options of the commands that read and write databases and files, and of those about one bot."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, get_args

from arena.cli import shared_options as shared
from arena.cli.arguments import (
    SHOWN_GAMES,
    UsageError,
    game_metavar,
    game_name,
    shown_games,
    unix_time,
    writable,
)
from arena.cli.shared_options import Anchor
from arena.cli.teaching_configuration import PracticeConfig, TraceConfig
from arena.cli.tournament_configuration import ClassConfig, ServeConfig, TournamentConfig
from arena.grading.scheme import LINES, Matching, Scheme, parse_weights
from arena.options import Options, argument, option, switch
from arena.processors import usable_processors
from arena.reports.plots import KINDS
from arena.sandbox.sandbox import Policy, parse_policy
from bots.arguments import BotOptions

SHELLS = ("bash", "zsh", "fish", "tcsh")
SEED, DEFAULT_SEED = "ARENA_SEED", 1  # variable of the environment
MAX_HARDEST = 60  # seconds of the largest case
MAX_CASES = 1000
MAX_JOBS = 256
MAX_POINTS = 1_000_000


@dataclass(frozen=True)
class StandingsConfig(Options):
    """Options of `arena standings`."""

    command: ClassVar[str] = "standings"
    db: Path = shared.database()
    json: bool = switch("print the standings as JSON")
    anchor: Anchor | None = shared.anchor()
    los: bool = switch("print the likelihood of superiority of each pair of bots")
    bot: str | None = option(
        "bot whose results against each other bot are listed, instead of the crosstable",
        metavar="NAME",
    )
    names: bool = switch("list the names of the submissions of an anonymous tournament")


@dataclass(frozen=True)
class ReportConfig(Options):
    """Options of `arena report`; `games` is None unless it was given."""

    command: ClassVar[str] = "report"
    db: Path = shared.database()
    output: Path = option(
        "HTML file to write, or of a grid the table FILE.csv",
        required=True,
        metavar="FILE",
        convert=writable,
    )
    anchor: Anchor | None = shared.anchor()
    names: bool = switch("list the names of the submissions of an anonymous tournament")
    games: int | None = option(
        f"games on the page, the first ones: none, all or a number (default: {SHOWN_GAMES})",
        metavar="N",
        type=shown_games,
    )


@dataclass(frozen=True)
class PlotConfig(Options):
    """Options of `arena plot`."""

    command: ClassVar[str] = "plot"
    db: Path = shared.database()
    kind: str | None = option(
        "what to plot: ratings by number of matches, points by opening and side, lengths"
        " of games, or times of moves (default: all in one picture; of a grid, strength by depth"
        " and its cells)",
        choices=KINDS,
    )
    game: str | None = option(
        "game to plot (default: the one with the most matches)", metavar="GAME"
    )
    output: Path | None = option(
        "SVG file to write (default: standard output)", metavar="FILE", convert=writable
    )
    anchor: Anchor | None = shared.anchor()


@dataclass(frozen=True)
class ViewConfig(Options):
    """Options of `arena view`."""

    command: ClassVar[str] = "view"
    db: Path = shared.database()
    anchor: Anchor | None = shared.anchor()
    host: str = shared.host()
    port: int = shared.port(8765)


@dataclass(frozen=True)
class ExportConfig(Options):
    """Options of `arena export`."""

    command: ClassVar[str] = "export"
    db: Path = shared.database()
    format: str | None = option(
        "output format (default: by the suffix of FILE, else pgn)",
        choices=["pgn", "jsonl", "csv", "parquet"],
    )
    output: Path | None = option(
        "file to write (default: standard output)", metavar="FILE", convert=writable
    )


@dataclass(frozen=True)
class ImportConfig(Options):
    """Options of `arena import`."""

    command: ClassVar[str] = "import"
    file: Path = argument("file of records in pgn or jsonl format", metavar="FILE")
    db: Path = argument("database to create or to fill", metavar="DB")
    format: str | None = option(
        "input format (default: by the suffix of FILE)", choices=["pgn", "jsonl"]
    )


@dataclass(frozen=True)
class MergeConfig(Options):
    """Options of `arena merge`."""

    command: ClassVar[str] = "merge"
    db: tuple[Path, ...] = argument("databases to merge", metavar="DB")
    output: Path = option("database to create", required=True, metavar="FILE", convert=writable)
    independent: bool = switch("merge the matches of different tournaments, without their plans")


@dataclass(frozen=True)
class VerifyConfig(Options):
    """Options of `arena verify`."""

    command: ClassVar[str] = "verify"
    db: Path = shared.database()


@dataclass(frozen=True)
class AnalyseConfig(Options):
    """Options of `arena analyse`."""

    command: ClassVar[str] = "analyse"
    db: Path = shared.database()
    json: bool = switch("print the accuracies as JSON")


@dataclass(frozen=True)
class RenameConfig(Options):
    """Options of `arena rename`."""

    command: ClassVar[str] = "rename"
    db: Path = argument("database, also of a running arena", metavar="DB")
    old: str = argument("name to replace", metavar="OLD")
    new: str = argument("name that nobody has", metavar="NEW")


@dataclass(frozen=True)
class PruneConfig(Options):
    """Options of `arena prune`; `before` is a Unix time."""

    command: ClassVar[str] = "prune"
    db: Path = argument("database, also of a running arena", metavar="DB")
    before: float = option(
        "remove the matches that ended before: 2030-12-31 or 2030-12-31T20:00, in local time",
        required=True,
        metavar="TIME",
        type=unix_time,
    )


@dataclass(frozen=True)
class TokenConfig(Options):
    """Options of `arena token`."""

    command: ClassVar[str] = "token"
    action: str = argument(
        "what to do with the tokens",
        actions={
            "add": "create the token of a bot and print it; it cannot be printed again",
            "list": "print the bots that have a token, with the date of its creation",
            "revoke": "revoke the token of a bot",
        },
    )
    tokens: Path = shared.access_file("tokens", "tokens.json")
    name: str | None = argument("name of the bot", required=False, metavar="NAME", not_for="list")


@dataclass(frozen=True)
class BanConfig(Options):
    """Options of `arena ban`."""

    command: ClassVar[str] = "ban"
    action: str = argument(
        "what to do with the bans",
        actions={
            "add": "ban a name or a network; a running arena ends its connections",
            "list": "print the names and networks that are banned, with the date of the ban",
            "remove": "remove the ban of a name or a network",
        },
    )
    bans: Path = shared.access_file("bans", "bans.json")
    entry: str | None = argument(
        "name, address, or network such as 192.0.2.0/24",
        required=False,
        metavar="NAME",
        not_for="list",
    )


@dataclass(frozen=True)
class BotConfig(BotOptions):
    """Options of `arena bot`."""

    command: ClassVar[str] = "bot"
    quiet: bool = switch("print no line for connections and results")


@dataclass(frozen=True)
class CheckConfig(Options):
    """Options of `arena check`."""

    command: ClassVar[str] = "check"
    bot: str | None = option(
        "bot to start: random, greedy, spec:DEPTH[@nodes=N], strong[:DEPTH][@nodes=N],"
        " perfect, openspiel:mcts:SIMULATIONS, cmd:COMMAND, stdio:COMMAND or program:COMMAND"
        " (default: wait for a bot to connect)",
        metavar="BOT",
    )
    sandbox: Policy | None = shared.sandbox()
    game: str | None = option(
        "game to check (default: all that the bot plays)", type=game_name, metavar=game_metavar
    )
    json: bool = switch("print the results as JSON")
    timeout: float = shared.timeout()
    positions: int | None = option(
        "measure instead in how many of N won positions the bot keeps the win", metavar="N"
    )
    seed: int = option("seed of the positions (default: %(default)s)", default=1)
    url: str | None = argument(
        "URL for the bot to connect to (default: ws://127.0.0.1:8765/play; with --bot, a free"
        " port)",
        required=False,
        nargs="?",
        metavar="URL",
    )


@dataclass(frozen=True)
class CheckGameConfig(Options):
    """Options of `arena check-game`."""

    command: ClassVar[str] = "check-game"
    game: str = argument("name of the game", type=game_name, metavar="NAME")
    seed: int = option("seed of the random games (default: %(default)s)", default=1)


@dataclass(frozen=True)
class GamesConfig(Options):
    """Options of `arena games`."""

    command: ClassVar[str] = "games"
    json: bool = switch("print the games as JSON")


@dataclass(frozen=True)
class CompletionConfig(Options):
    """Options of `arena completion`."""

    command: ClassVar[str] = "completion"
    shell: str = argument(", ".join(SHELLS), choices=SHELLS, metavar="SHELL")


@dataclass(frozen=True)
class GradeConfig(Options):
    """Options of `arena grade`."""

    command: ClassVar[str] = "grade"
    submissions: Path = argument(
        "folder of submissions, or one submission: a folder, a zip file or a single file",
        metavar="SUBMISSIONS",
    )
    cases: int = option(
        "number of cases: the assignment's four, then drawn ones (default: %(default)s)",
        default=20,
        least=1,
        most=MAX_CASES,
    )
    seed: int = option(
        "seed of the drawn cases; programs that are not isolated can read a command line, but"
        f" not the environment of another user (default: ${SEED}, or {DEFAULT_SEED})",
        default=DEFAULT_SEED,
        environment=SEED,
    )
    hardest: float = option(
        "time that an ordinary solution in Java, 300,000 nodes per second, needs for the"
        " largest case (default: 1)",
        default=1.0,
        above=0,
        most=MAX_HARDEST,
        metavar="SECONDS",
    )
    timeout: float = shared.timeout()
    jobs: int = option(
        "submissions that are run at the same time (default: one for each processor)",
        default=usable_processors(),
        least=1,
        most=MAX_JOBS,
    )
    weights: tuple[float, ...] = option(
        f"weights of the lines {', '.join(LINES)} (default: 1 each)",
        default=Scheme.weights,
        convert=parse_weights,
        type=str,
        metavar="LINE=WEIGHT",
    )
    match: Matching = option(
        "compare lines exactly, or without regard to white space, case and other lines"
        " (default: tolerant)",
        default=Matching.TOLERANT,
        convert=Matching,
        choices=[each.value for each in Matching],
    )
    points: float = option(
        "points of a submission without errors (default: 100)",
        default=100.0,
        above=0,
        most=MAX_POINTS,
    )
    sandbox: Policy = option(
        "protection from the programs: require bubblewrap, use it where it works (auto), or"
        " none (default: %(default)s)",
        default=Policy.REQUIRE,
        type=parse_policy,
        choices=[*Policy],
    )
    output: Path | None = option(
        "folder to write: grades.csv, index.html for the teacher, and pages for each student;"
        " the same command continues a grading that was stopped",
        metavar="REPORT",
    )
    gradescope: Path | None = option(
        "write the results for Gradescope's autograder (results.json); SUBMISSIONS is then one"
        " submission",
        metavar="FILE",
        convert=writable,
    )
    junit: Path | None = option("write the results as JUnit XML", metavar="FILE", convert=writable)
    page: str | None = option(
        "page of an arena that the positions in the reports link to (default: no links)",
        metavar="URL",
    )
    dry_run: bool = switch("print the submissions that are found, and what would be built of each")

    @property
    def scheme(self) -> Scheme:
        """The marking scheme."""
        return Scheme(self.weights, self.match, self.points)

    def check(self) -> None:
        """Check what argparse cannot. Raises UsageError."""
        if self.page and not self.page.startswith(("http://", "https://")):
            raise UsageError(
                f"--page must be an address with http:// or https://, not {self.page!r}"
            )


CommandConfig = (
    ServeConfig
    | TournamentConfig
    | ClassConfig
    | ViewConfig
    | StandingsConfig
    | ReportConfig
    | PlotConfig
    | ExportConfig
    | ImportConfig
    | MergeConfig
    | VerifyConfig
    | AnalyseConfig
    | TokenConfig
    | BotConfig
    | BanConfig
    | RenameConfig
    | PruneConfig
    | CheckConfig
    | CheckGameConfig
    | GamesConfig
    | CompletionConfig
    | GradeConfig
    | TraceConfig
    | PracticeConfig
)
CONFIGURATIONS: Mapping[str, type[CommandConfig]] = {
    kind.command: kind for kind in get_args(CommandConfig)
}
"""The options of each command."""
