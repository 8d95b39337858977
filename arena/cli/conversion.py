"""Conversion of parsed arguments to the frozen configuration of a command."""

from argparse import Namespace
from collections.abc import Sequence

from arena.cli.arguments import (
    UsageError,
    check_minimums,
    parse_anchor,
    parse_origins,
    parse_setups,
    parse_time_control,
)
from arena.cli.configuration import (
    Address,
    AdmissionOptions,
    AnalyseConfig,
    CheckConfig,
    CheckGameConfig,
    CommandConfig,
    ExportConfig,
    ImportConfig,
    ReportConfig,
    ServeConfig,
    StandingsConfig,
    TokenConfig,
    TournamentConfig,
    VerifyConfig,
    ViewConfig,
)
from arena.ratings.sprt import Sprt
from arena.runner.bot_spec import parse_house_bots
from core import GAMES

UNCHANGED = (
    *("format", "rounds", "seeds", "pairs", "game", "opening_plies", "book", "seed", "server"),
    *("at", "wait", "dry_run", "json", "los", "events", "quiet", "plain", "grace", "concurrency"),
)  # arguments of a tournament that need no conversion


def configure(arguments: Namespace) -> CommandConfig:
    """Return the configuration that the parsed arguments mean. Raises UsageError."""
    given = dict(vars(arguments))
    match given.pop("command"):
        case "serve":
            return _serve(arguments)
        case "tournament":
            return _tournament(arguments)
        case "view":
            anchor = parse_anchor(arguments.anchor)
            return ViewConfig(arguments.db, anchor, Address(arguments.host, arguments.port))
        case "standings":
            return StandingsConfig(**given | {"anchor": parse_anchor(arguments.anchor)})
        case "report":
            return ReportConfig(**given | {"anchor": parse_anchor(arguments.anchor)})
        case "export":
            return ExportConfig(**given)
        case "import":
            return ImportConfig(**given)
        case "verify":
            return VerifyConfig(**given)
        case "analyse":
            return AnalyseConfig(**given)
        case "token":
            return TokenConfig(**given)
        case "check":
            return CheckConfig(**given)
        case _:
            return CheckGameConfig(**given)


def _serve(arguments: Namespace) -> ServeConfig:
    _check_minimums(arguments)
    setups = parse_setups(arguments.game, _parameters(arguments))
    time = parse_time_control(arguments.time, arguments.margin)
    try:
        house_bots = parse_house_bots(arguments.offer, setups)
    except ValueError as error:
        raise UsageError(f"--offer: {error}") from None
    return ServeConfig(
        setups=setups,
        house_bots=house_bots,
        time=time,
        grace=arguments.grace,
        concurrency=arguments.concurrency,
        db=arguments.db,
        log=arguments.log,
        address=Address(arguments.host, arguments.port),
        admission=_admission(arguments, arguments.behind_proxy),
    )


def _tournament(arguments: Namespace) -> TournamentConfig:
    _check_minimums(arguments)
    try:
        sprt = str(Sprt.parse(arguments.sprt)) if arguments.sprt else None
    except ValueError as error:
        raise UsageError(str(error)) from None
    setups = parse_setups([arguments.game], _parameters(arguments))[arguments.game]
    if arguments.book:
        _check_book(arguments)
    return TournamentConfig(
        bots=None if arguments.bots is None else tuple(arguments.bots),
        sprt=sprt,
        setups=() if arguments.book else setups,
        time=parse_time_control(arguments.time, arguments.margin),
        anchor=parse_anchor(arguments.anchor),
        db=arguments.db,
        address=Address(arguments.host, arguments.port),
        admission=_admission(arguments),
        **{name: getattr(arguments, name) for name in UNCHANGED},
    )


def _check_minimums(arguments: Namespace) -> None:
    limits = {
        "rounds": 1,
        "seeds": 1,
        "pairs": 1,
        "opening_plies": 0,
        "concurrency": 1,
        "connections": 1,
        "grace": 0,
        "wait": 0,
        "margin": 0,
    }
    given = vars(arguments)
    check_minimums({name: (given.get(name), least) for name, least in limits.items()})


def _check_book(arguments: Namespace) -> None:
    for name in ("opening_plies", *GAMES[arguments.game].parameters):
        if getattr(arguments, name):
            raise UsageError(
                f"--{name.replace('_', '-')} cannot be combined with --book, which sets it"
            )


def _parameters(arguments: Namespace) -> dict[str, Sequence[str] | None]:
    """Return the values given for the parameters of all games."""
    names = {name for game in GAMES.values() for name in game.parameters}
    return {name: getattr(arguments, name) for name in sorted(names)}


def _admission(arguments: Namespace, behind_proxy: bool = False) -> AdmissionOptions:
    return AdmissionOptions(
        arguments.tokens,
        arguments.open,
        parse_origins(arguments.origin),
        arguments.connections,
        behind_proxy,
    )
