"""Frozen configuration of each command."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from arena.configuration import ArenaConfig
from arena.grading.scheme import Scheme
from arena.model.time_control import TimeControl
from arena.sandbox.sandbox import Policy
from arena.tournament.schedule import Part
from bots.arguments import BotOptions

Setups = tuple[dict[str, int], ...]
Anchor = tuple[str, float]
Range = tuple[int, int]


@dataclass(frozen=True)
class ServeConfig:
    """Configuration of `arena serve`.

    Attributes:
        setups: The setups of each game that is played.
        concurrency: The highest number of simultaneous matches.
        db: The database; None creates one.
        trace: The file of the messages of bots and casual players; None writes none.
        arena: The arena.
    """

    command: ClassVar[str] = "serve"
    setups: Mapping[str, Setups]
    concurrency: int
    db: Path | None
    trace: Path | None
    arena: ArenaConfig


@dataclass(frozen=True)
class InProcessOptions:
    """Workers of a tournament in process.

    Attributes:
        workers: The number of workers; None takes the usable processors.
        cluster: The address of a cluster, "local" for one on this machine; None for processes.
    """

    workers: int | None = None
    cluster: str | None = None


@dataclass(frozen=True)
class ClassOptions:
    """Options of a tournament of submissions.

    Attributes:
        submissions: The folder of submissions.
        duration: The seconds that the tournament is to take; None leaves its size as it is.
        anonymous: Whether the submissions play under pseudonyms.
        has_time: Whether the time control is given, and not to be chosen.
        has_concurrency: Whether the concurrency is given.
    """

    submissions: Path
    duration: float | None
    anonymous: bool
    has_time: bool
    has_concurrency: bool


@dataclass(frozen=True)
class TournamentConfig:
    """Configuration of `arena tournament`; None stands for a default that depends on others.

    Attributes:
        bots: The specifications of the bots.
        class_options: The options of a tournament of submissions; None for others.
        in_process: The workers of a tournament without connections; None for bots that connect.
        bot_files: The folder of the modules of Python bots, in which programs run.
        settings: The settings of single bots, by name.
        affinity: Whether the processes of each match have a processor of their own.
        setups: The setups of the game.
        sandbox: The sandbox of users' programs; None isolates only program: bots.
        sprt: The sequential test, as text.
        server: Whether the bots that are connected at the start take part.
        at: The time of the start, local.
        wait: The seconds to wait for bots that connect by themselves; None waits without a limit.
        concurrency: The highest number of simultaneous matches.
        db: The database; None creates one.
        events: The file of the event stream, "-" for standard output.
        bot_logs: The folder of the bots' standard error; None writes none.
        trace: The file of the messages of bots; None writes none.
        arena: The arena, whose plan is made from the rest.
        extend: Whether the stored tournament is extended.
        part: The part of the tournament that is played.
        tags: The tags of all records.

    The others are named after their flags.
    """

    command: ClassVar[str] = "tournament"
    bots: tuple[str, ...] | None
    class_options: ClassOptions | None
    in_process: InProcessOptions | None
    bot_files: Path | None
    sandbox: Policy | None
    format: str
    rounds: int | None
    seeds: int | None
    pairs: int | None
    sprt: str | None
    game: str
    setups: Setups
    opening_plies: int | None
    book: Path | None
    book_order: str
    book_start: int
    book_policy: str
    seed: int | None
    server: bool
    at: datetime | None
    wait: float | None
    dry_run: bool
    json: bool
    los: bool
    events: str | None
    bot_logs: Path | None
    trace: Path | None
    quiet: bool
    plain: bool
    concurrency: int
    db: Path | None
    arena: ArenaConfig
    extend: bool
    part: Part
    tags: Mapping[str, str]
    settings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    affinity: bool = False


@dataclass(frozen=True)
class SweepConfig:
    """Configuration of `arena sweep`.

    Attributes:
        bots: The specifications of the bots, one for each depth.
        bot_files: The folder of the modules of Python bots, in which programs run.
        sandbox: The sandbox of users' programs; None isolates only program: bots.
        setups: The setups of the game.
        opening_plies: The numbers of random moves at the start of a match.
        time: The time control.
        workers: The workers that play.
        db: The database; None creates one.
        output: The files to write: pages, pictures and tables, by their suffixes.

    The others are named after their flags.
    """

    command: ClassVar[str] = "sweep"
    bots: tuple[str, ...]
    bot_files: Path | None
    sandbox: Policy | None
    game: str
    setups: Setups
    opening_plies: tuple[int, ...]
    pairs: int
    time: TimeControl
    seed: int | None
    workers: InProcessOptions
    anchor: Anchor | None
    db: Path | None
    output: tuple[Path, ...]
    dry_run: bool
    json: bool
    quiet: bool
    plain: bool


@dataclass(frozen=True)
class ViewConfig:
    """Configuration of `arena view`: a database, and where its page is served."""

    command: ClassVar[str] = "view"
    db: Path
    anchor: Anchor | None
    host: str
    port: int


@dataclass(frozen=True)
class StandingsConfig:
    """Configuration of `arena standings`; `names` resolves the pseudonyms of submissions.

    `bot` is the bot to list the results of; None lists all bots'.
    """

    command: ClassVar[str] = "standings"
    db: Path
    anchor: Anchor | None = None
    json: bool = False
    los: bool = False
    names: bool = False
    bot: str | None = None


@dataclass(frozen=True)
class ReportConfig:
    """Configuration of `arena report`; `names` resolves the pseudonyms of submissions.

    `games` is the highest number of games on the page; None shows all.
    """

    command: ClassVar[str] = "report"
    db: Path
    output: Path
    anchor: Anchor | None = None
    names: bool = False
    games: int | None = None


@dataclass(frozen=True)
class PlotConfig:
    """Configuration of `arena plot`.

    Attributes:
        db: The database.
        kind: The kind of plot; None draws all.
        game: The game; None takes the one with the most matches.
        output: The file to write; None for standard output.
        anchor: The bot with the fixed rating.
    """

    command: ClassVar[str] = "plot"
    db: Path
    kind: str | None = None
    game: str | None = None
    output: Path | None = None
    anchor: Anchor | None = None


@dataclass(frozen=True)
class ExportConfig:
    """Configuration of `arena export`; the format may follow from the output file."""

    command: ClassVar[str] = "export"
    db: Path
    format: str | None = None
    output: Path | None = None


@dataclass(frozen=True)
class ImportConfig:
    """Configuration of `arena import`; the format may follow from the file."""

    command: ClassVar[str] = "import"
    file: Path
    db: Path
    format: str | None = None


@dataclass(frozen=True)
class MergeConfig:
    """Configuration of `arena merge`; `independent` matches are of different tournaments."""

    command: ClassVar[str] = "merge"
    db: tuple[Path, ...]
    output: Path
    independent: bool = False


@dataclass(frozen=True)
class VerifyConfig:
    """Configuration of `arena verify`."""

    command: ClassVar[str] = "verify"
    db: Path


@dataclass(frozen=True)
class AnalyseConfig:
    """Configuration of `arena analyse`."""

    command: ClassVar[str] = "analyse"
    db: Path
    json: bool = False


@dataclass(frozen=True)
class TokenConfig:
    """Configuration of `arena token`; `list` has no name."""

    command: ClassVar[str] = "token"
    action: str
    tokens: Path
    name: str | None = None


@dataclass(frozen=True)
class BotConfig(BotOptions):
    """Configuration of `arena bot`.

    Attributes:
        quiet: Whether nothing but problems is printed.
    """

    command: ClassVar[str] = "bot"
    quiet: bool


@dataclass(frozen=True)
class BanConfig:
    """Configuration of `arena ban`; `list` has no entry."""

    command: ClassVar[str] = "ban"
    action: str
    bans: Path
    entry: str | None = None


@dataclass(frozen=True)
class RenameConfig:
    """Configuration of `arena rename`: a name, and the pseudonym that replaces it."""

    command: ClassVar[str] = "rename"
    db: Path
    old: str
    new: str


@dataclass(frozen=True)
class PruneConfig:
    """Configuration of `arena prune`: matches that ended before this Unix time are removed."""

    command: ClassVar[str] = "prune"
    db: Path
    before: float


@dataclass(frozen=True)
class CheckConfig:
    """Configuration of `arena check`.

    Attributes:
        bot: The specification of the bot to start; None waits for one.
        sandbox: The sandbox of the user's program; None isolates only program: bots.
        game: The only game to check; None checks all that the bot plays.
        json: Whether the results are printed as JSON.
        timeout: The seconds to wait for an answer.
        url: The URL that the bot connects to; None takes the default.
        positions: The number of won positions to ask for; None checks the protocol instead.
        seed: The seed of these positions.
    """

    command: ClassVar[str] = "check"
    bot: str | None
    sandbox: Policy | None
    game: str | None
    json: bool
    timeout: float
    url: str | None
    positions: int | None
    seed: int


@dataclass(frozen=True)
class CheckGameConfig:
    """Configuration of `arena check-game`.

    Attributes:
        game: The name of the game.
        seed: The seed of the random games.
    """

    command: ClassVar[str] = "check_game"  # the module of the command
    game: str
    seed: int


@dataclass(frozen=True)
class GamesConfig:
    """Configuration of `arena games`."""

    command: ClassVar[str] = "games"
    json: bool = False


@dataclass(frozen=True)
class CompletionConfig:
    """Configuration of `arena completion`."""

    command: ClassVar[str] = "completion"
    shell: str


@dataclass(frozen=True)
class GradeConfig:
    """Configuration of `arena grade`.

    Attributes:
        submissions: The folder of submissions, or one submission.
        output: The folder of the reports; None writes none.
        cases: The number of cases.
        seed: The seed of the cases that are drawn.
        hardest: The seconds that an ordinary solution in Java needs for the largest case.
        timeout: The time limit of a case in seconds.
        jobs: The number of submissions that are run at the same time.
        scheme: The marking scheme.
        sandbox: The protection from the programs.
        gradescope: The file of the results for Gradescope.
        junit: The file of the results as JUnit XML.
        page: The address of an arena's page, for links to positions; None links to none.
        dry_run: Whether only the submissions and their programs are shown.
    """

    command: ClassVar[str] = "grade"
    submissions: Path
    output: Path | None
    cases: int
    seed: int
    hardest: float
    timeout: float
    jobs: int
    scheme: Scheme
    sandbox: Policy
    gradescope: Path | None
    junit: Path | None
    page: str | None
    dry_run: bool


@dataclass(frozen=True)
class TraceConfig:
    """Configuration of `arena trace`.

    Attributes:
        tree: The file of a tree, "-" for standard input; None searches a position of `game`.
        game: The name of the game.
        setup: The parameters of the game that are given.
        moves: The moves from the start of the game to the position.
        board: The file of a board, instead of setup and moves.
        player: The player to move on that board.
        plain: Whether the search sees the end of a game only when it is over.
        depth: The depth in plies, 0 for the leaves or the end of the game.
        variant: What is searched with; the numbers of several are laid side by side.
        steps: Whether all steps are listed.
        format: The output format.
        limit: The number of steps after which a search ends.
    """

    command: ClassVar[str] = "trace"
    tree: str | None
    game: str | None
    setup: Sequence[tuple[str, int]]
    moves: Sequence[int]
    board: str | None
    player: int | None
    plain: bool
    depth: int
    variant: Sequence[str]
    steps: bool
    format: str
    limit: int


@dataclass(frozen=True)
class PracticeConfig:
    """Configuration of `arena practice`.

    Attributes:
        seed: The seed of the random numbers.
        count: The number of exercises.
        cutoffs: The least number of nodes of each exercise at which branches are pruned.
        depth: The depth of the trees, or of the search of a position, in plies.
        solutions: Whether the solutions are printed.
        format: The output format.
        paper: The format of the paper.
        title: The title of the sheet.
        branching: The least and the greatest number of children of a node.
        values: The least and the greatest value of a leaf.
        player: The player at the root.
        game: The name of the game of the positions; None draws trees.
        setup: The parameters of the game that are given.
        plies: The least and the greatest number of moves before a position.
    """

    command: ClassVar[str] = "practice"
    seed: int = 1
    count: int = 4
    cutoffs: int = 1
    depth: int = 3
    solutions: bool = False
    format: str = "html"
    paper: str = "a4"
    title: str = "Alpha-beta"
    branching: Range | None = None
    values: Range | None = None
    player: str | None = None
    game: str | None = None
    setup: Sequence[tuple[str, int]] = ()
    plies: Range | None = None


CommandConfig = (
    ServeConfig
    | TournamentConfig
    | SweepConfig
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
