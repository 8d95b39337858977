"""Conversion of parsed arguments to the frozen configuration of a command."""

from argparse import Namespace
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from arena.cli.arguments import (
    DEFAULT_OFFERS,
    UsageError,
    check_folders,
    check_minimums,
    parse_anchor,
    parse_numbers,
    parse_origins,
    parse_setups,
    parse_time_control,
    parse_trusted,
)
from arena.cli.class_tournament.flags import DEFAULT_CLASS_TIME, class_options
from arena.cli.configuration import (
    AnalyseConfig,
    BanConfig,
    BotConfig,
    CheckConfig,
    CheckGameConfig,
    CommandConfig,
    CompletionConfig,
    ExportConfig,
    GamesConfig,
    ImportConfig,
    InProcessOptions,
    MergeConfig,
    PlotConfig,
    PruneConfig,
    RenameConfig,
    ReportConfig,
    ServeConfig,
    StandingsConfig,
    SweepConfig,
    TokenConfig,
    TournamentConfig,
    VerifyConfig,
    ViewConfig,
)
from arena.cli.flags import (
    BOOK_DEFAULTS,
    DEFAULT_CONNECTIONS,
    DEFAULT_GRACE,
    DEFAULT_TIME,
    SERVE_CONCURRENCY,
    TOURNAMENT_CONCURRENCY,
)
from arena.cli.grading import configure_grading
from arena.cli.runs import tags_of
from arena.cli.sweep.flags import DEFAULT_DEPTHS, SEARCHING_BOT, SWEEP_SUFFIXES
from arena.configuration import AdmissionConfig, ArenaConfig
from arena.model.clock import MAX_CREDIT
from arena.model.time_control import UNLIMITED, TimeControl
from arena.ratings.sprt import Sprt
from arena.runner.bot_settings import Settings, parse_settings
from arena.runner.named_bots import parse_house_bots, supported_games
from bots.specification import BotSpec
from core import GAMES

T = TypeVar("T")

UNCHANGED = (
    *("format", "rounds", "seeds", "pairs", "game", "opening_plies", "book", "seed", "server"),
    *("at", "wait", "dry_run", "json", "los", "events", "quiet", "plain", "bot_files", "sandbox"),
    *("bot_logs", "trace", "book_order", "book_start", "book_policy", "affinity"),
)  # arguments of a tournament that need no conversion
UNCHANGED_IN_SWEEP = (
    *("bot_files", "sandbox", "game", "pairs", "seed", "db", "dry_run", "json", "quiet", "plain"),
)
MINIMUMS = {
    "rounds": 1,
    "seeds": 1,
    "pairs": 1,
    "opening_plies": 0,
    "book_start": 1,
    "concurrency": 1,
    "connections": 1,
    "connections_per_address": 1,
    "grace": 0,
    "max_credit": 0,
    "wait": 0,
    "margin": 0,
    "workers": 1,
}  # of the values of a tournament and of `arena serve`
PLANNED, MAX_PLANNED = ("rounds", "seeds", "pairs", "opening_plies"), 10**12
SOCKET_FLAGS = (
    *(
        "concurrency",
        "grace",
        "max_credit",
        "server",
        "at",
        "wait",
        "tokens",
        "bans",
        "open",
        "connections",
        "origin",
    ),
    *("bot_logs", "trace", "affinity"),
)  # which have no meaning in process


WRITTEN_FILES = {
    "serve": ("db", "log", "trace", "bans"),
    "tournament": ("db", "events", "trace", "bans"),
    "sweep": ("db",),
    "report": ("output",),
    "export": ("output",),
    "plot": ("output",),
    "merge": ("output",),
}  # flags of each command


def configure(arguments: Namespace) -> CommandConfig:
    """Return the configuration that the parsed arguments mean. Raises UsageError."""
    given = dict(vars(arguments))
    _check_paths(given)
    match given.pop("command"):
        case "serve":
            return _serve(arguments)
        case "tournament":
            return _tournament(arguments)
        case "sweep":
            return _sweep(arguments)
        case "view":
            return ViewConfig(**given | {"anchor": parse_anchor(arguments.anchor)})
        case "standings":
            return StandingsConfig(**given | {"anchor": parse_anchor(arguments.anchor)})
        case "report":
            return ReportConfig(**given | {"anchor": parse_anchor(arguments.anchor)})
        case "plot":
            return PlotConfig(**given | {"anchor": parse_anchor(arguments.anchor)})
        case "export":
            return ExportConfig(**given)
        case "import":
            return ImportConfig(**given)
        case "merge":
            return MergeConfig(**given | {"db": tuple(arguments.db)})
        case "verify":
            return VerifyConfig(**given)
        case "analyse":
            return AnalyseConfig(**given)
        case "token":
            return TokenConfig(**given)
        case "bot":
            return BotConfig(**given)
        case "ban":
            return BanConfig(**given)
        case "rename":
            return RenameConfig(**given)
        case "prune":
            return PruneConfig(**given)
        case "check":
            return CheckConfig(**given)
        case "games":
            return GamesConfig(**given)
        case "completion":
            return CompletionConfig(**given)
        case "grade":
            return configure_grading(given)
        case _:
            return CheckGameConfig(**given)


def _check_paths(given: Mapping[str, Any]) -> None:
    """Check the folders of files to write, and the folder of users' bots. Raises UsageError."""
    check_folders({f"--{name}": given[name] for name in WRITTEN_FILES.get(given["command"], ())})
    folder = given.get("bot_files")
    if folder is not None and not folder.is_dir():
        raise UsageError(f"--bot-files {folder} is not a folder")


def _serve(arguments: Namespace) -> ServeConfig:
    _check_numbers(arguments)
    setups = parse_setups(arguments.game, _parameters(arguments))
    time = _time_control(arguments, None)
    try:
        house_bots = parse_house_bots(_offers(arguments.offer, setups), setups)
    except ValueError as error:
        raise UsageError(f"--offer: {error}") from None
    admission = replace(
        _admission(arguments),
        behind_proxy=arguments.behind_proxy,
        connections_per_address=arguments.connections_per_address,
        trusted=parse_trusted(arguments.trusted),
    )
    arena = replace(
        _arena(arguments, tuple(setups), time, admission),
        has_metrics=True,
        house_bots=house_bots,
        sandbox=arguments.sandbox,
        log=arguments.log,
    )
    concurrency = _given(arguments.concurrency, SERVE_CONCURRENCY)
    return ServeConfig(setups, concurrency, arguments.db, arguments.trace, arena)


def _offers(given: Sequence[str] | None, games: Collection[str]) -> Sequence[str]:
    """Return the given house bots, or the default ones that can play one of the games."""
    if given is not None:
        return given
    return [bot for bot in DEFAULT_OFFERS if supported_games(BotSpec.parse(bot), games)]


def _tournament(arguments: Namespace) -> TournamentConfig:
    _check_numbers(arguments)
    try:
        sprt = str(Sprt.parse(arguments.sprt)) if arguments.sprt else None
    except ValueError as error:
        raise UsageError(str(error)) from None
    setups = parse_setups([arguments.game], _parameters(arguments))[arguments.game]
    _check_book(arguments)
    in_process = _in_process(arguments)
    options = class_options(arguments)
    time = _time_control(arguments, in_process, DEFAULT_CLASS_TIME if options else DEFAULT_TIME)
    arena = _arena(arguments, (arguments.game,), time, _admission(arguments))
    return TournamentConfig(
        bots=None if arguments.bots is None else tuple(arguments.bots),
        class_options=options,
        sprt=sprt,
        setups=() if arguments.book else setups,
        in_process=in_process,
        concurrency=_given(arguments.concurrency, TOURNAMENT_CONCURRENCY),
        db=arguments.db,
        arena=replace(arena, anchor=parse_anchor(arguments.anchor)),
        extend=arguments.extend,
        part=arguments.part,
        tags=tags_of(arguments.event, arguments.site),
        settings=_settings(arguments.bot or ()),
        **{name: getattr(arguments, name) for name in UNCHANGED},
    )


def _settings(words: Sequence[Sequence[str]]) -> Mapping[str, Settings]:
    """Return the settings of single bots. Raises UsageError."""
    try:
        return parse_settings(words)
    except ValueError as error:
        raise UsageError(f"--bot {error}") from None


def _sweep(arguments: Namespace) -> SweepConfig:
    check_minimums({"pairs": (arguments.pairs, 1), "workers": (arguments.workers, 1)})
    _check_planned({"pairs": arguments.pairs})
    workers = InProcessOptions(arguments.workers, arguments.cluster)
    for path in arguments.output:
        if path.suffix not in SWEEP_SUFFIXES:
            raise UsageError(f"--output {path} must end in {' or '.join(SWEEP_SUFFIXES)}")
    return SweepConfig(
        bots=_sweep_bots(arguments.bots, arguments.depths),
        setups=parse_setups([arguments.game], _parameters(arguments))[arguments.game],
        opening_plies=parse_numbers("opening-plies", arguments.opening_plies, 0),
        time=_time_control(arguments, workers),
        workers=workers,
        anchor=parse_anchor(arguments.anchor),
        output=tuple(arguments.output),
        **{name: getattr(arguments, name) for name in UNCHANGED_IN_SWEEP},
    )


def _sweep_bots(bots: Sequence[str], depths: Sequence[str] | None) -> tuple[str, ...]:
    """Return the specifications of the bots, with one for each depth instead of the bare name."""
    if depths and SEARCHING_BOT not in bots:
        raise UsageError(f"--depths requires the bot {SEARCHING_BOT} in --bots")
    numbers = parse_numbers("depths", depths or DEFAULT_DEPTHS, 1)
    expanded = [f"{SEARCHING_BOT}:{depth}" for depth in numbers]
    found = [each for bot in bots for each in (expanded if bot == SEARCHING_BOT else [bot])]
    if repeated := [bot for index, bot in enumerate(found) if bot in found[:index]]:
        raise UsageError(f"--bots: repeated {repeated[0]!r}")
    return tuple(found)


def _check_numbers(arguments: Namespace) -> None:
    given = vars(arguments)
    check_minimums({name: (given.get(name), least) for name, least in MINIMUMS.items()})
    _check_planned({name: given.get(name) for name in PLANNED})


def _check_planned(given: Mapping[str, int | None]) -> None:
    """Check the numbers that a plan is made of. Raises UsageError."""
    for name, value in given.items():
        if (value or 0) > MAX_PLANNED:
            raise UsageError(f"--{name.replace('_', '-')} must be at most {MAX_PLANNED}")


def _in_process(arguments: Namespace) -> InProcessOptions | None:
    """Return the workers of a tournament in process; None if bots connect."""
    if not (arguments.in_process or arguments.workers or arguments.cluster is not None):
        return None
    for name in SOCKET_FLAGS:
        if getattr(arguments, name) not in (None, False, []):
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} has no meaning in process, where no bot connects")
    return InProcessOptions(arguments.workers, arguments.cluster)


def _time_control(
    arguments: Namespace, in_process: InProcessOptions | None, default: str = DEFAULT_TIME
) -> TimeControl:
    text = _given(arguments.time, UNLIMITED if in_process else default)
    control = parse_time_control(text, getattr(arguments, "margin", 0.0))
    if not (control.has_clock or in_process):
        raise UsageError(f"--time {text!r} requires arena tournament --in-process")
    return control


def _given(value: T | None, default: T) -> T:
    return default if value is None else value


def _check_book(arguments: Namespace) -> None:
    if not arguments.book:
        for name, default in BOOK_DEFAULTS.items():
            if getattr(arguments, name) != default:
                raise UsageError(f"--{name.replace('_', '-')} requires --book")
        return
    for name in ("opening_plies", *GAMES[arguments.game].parameters):
        if getattr(arguments, name):
            raise UsageError(
                f"--{name.replace('_', '-')} cannot be combined with --book, which sets it"
            )


def _parameters(arguments: Namespace) -> dict[str, Sequence[str] | None]:
    """Return the values given for the parameters of all games."""
    names = {name for game in GAMES.values() for name in game.parameters}
    return {name: getattr(arguments, name) for name in sorted(names)}


def _arena(
    arguments: Namespace, games: tuple[str, ...], time: TimeControl, admission: AdmissionConfig
) -> ArenaConfig:
    return ArenaConfig(
        games,
        time,
        _given(arguments.grace, DEFAULT_GRACE),
        _given(arguments.max_credit, MAX_CREDIT),
        arguments.host,
        arguments.port,
        admission,
        has_page=True,
    )


def _admission(arguments: Namespace) -> AdmissionConfig:
    return AdmissionConfig(
        arguments.tokens,
        arguments.open,
        arguments.bans,
        parse_origins(arguments.origin),
        _given(arguments.connections, DEFAULT_CONNECTIONS),
    )
