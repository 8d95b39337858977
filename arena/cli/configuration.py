"""Configuration of each command, frozen: what the parsed arguments mean."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from arena.cli.arguments import (
    UsageError,
    check_minimums,
    parse_anchor,
    parse_origins,
    parse_setups,
    parse_time_control,
)
from arena.model.time_control import TimeControl
from arena.ratings.sprt import Sprt
from arena.runner.bot_spec import parse_house_bots
from core import GAMES

Setups = tuple[dict[str, int], ...]
Anchor = tuple[str, float]


@dataclass(frozen=True)
class Address:
    """Host and port to listen on."""

    host: str
    port: int


@dataclass(frozen=True)
class AdmissionOptions:
    """Bots and web pages that may connect to an arena.

    Attributes:
        tokens: The file of the bots' tokens, if there is one.
        open: Whether the arena may be exposed without tokens.
        origins: The origins of web pages that may connect.
        connections: The highest number of open connections of bots.
        behind_proxy: Whether X-Real-IP holds the address of a client.
    """

    tokens: Path | None
    open: bool
    origins: tuple[str, ...]
    connections: int
    behind_proxy: bool = False


@dataclass(frozen=True)
class ServeConfig:
    """Configuration of `arena serve`.

    Attributes:
        setups: The setups of each game that is played.
        house_bots: The specification of each bot that can be challenged, by name.
        time: The time control.
        grace: The seconds that a bot may be disconnected in a match.
        concurrency: The highest number of simultaneous matches.
        db: The database; None creates one.
        log: The file of the JSON log, "-" for standard error.
        address: The address to listen on.
        admission: The bots and web pages that may connect.
    """

    command: ClassVar[str] = "serve"
    setups: Mapping[str, Setups]
    house_bots: Mapping[str, str]
    time: TimeControl
    grace: float
    concurrency: int
    db: Path | None
    log: str | None
    address: Address
    admission: AdmissionOptions


@dataclass(frozen=True)
class TournamentConfig:
    """Configuration of `arena tournament`; None stands for a default that depends on others.

    Attributes:
        bots: The specifications of the bots.
        setups: The setups of the game.
        time: The time control.
        sprt: The sequential test, as text.
        server: Whether the bots that are connected at the start take part.
        at: The time of the start, local.
        grace: The seconds that a bot may be disconnected in a match.
        concurrency: The highest number of simultaneous matches.
        db: The database; None creates one.
        events: The file of the event stream, "-" for standard output.
        address: The address to listen on.
        admission: The bots and web pages that may connect.

    The others are named after their flags.
    """

    command: ClassVar[str] = "tournament"
    bots: tuple[str, ...] | None
    format: str
    rounds: int | None
    seeds: int | None
    pairs: int | None
    sprt: str | None
    game: str
    setups: Setups
    opening_plies: int
    book: Path | None
    time: TimeControl
    seed: int | None
    server: bool
    at: datetime | None
    dry_run: bool
    json: bool
    anchor: Anchor | None
    los: bool
    events: str | None
    quiet: bool
    plain: bool
    grace: float
    concurrency: int
    db: Path | None
    address: Address
    admission: AdmissionOptions


@dataclass(frozen=True)
class ViewConfig:
    """Configuration of `arena view`."""

    command: ClassVar[str] = "view"
    db: Path
    anchor: Anchor | None
    address: Address


@dataclass(frozen=True)
class StandingsConfig:
    """Configuration of `arena standings`."""

    command: ClassVar[str] = "standings"
    db: Path
    anchor: Anchor | None = None
    json: bool = False
    los: bool = False


@dataclass(frozen=True)
class ReportConfig:
    """Configuration of `arena report`."""

    command: ClassVar[str] = "report"
    db: Path
    output: Path
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
class CheckConfig:
    """Configuration of `arena check`.

    Attributes:
        bot: The specification of the bot to start; None waits for one.
        game: The only game to check; None checks all that the bot plays.
        json: Whether the results are printed as JSON.
        timeout: The seconds to wait for an answer.
        url: The URL that the bot connects to; None takes the default.
    """

    command: ClassVar[str] = "check"
    bot: str | None
    game: str | None
    json: bool
    timeout: float
    url: str | None


UNCHANGED = (
    *("format", "rounds", "seeds", "pairs", "game", "opening_plies", "book", "seed", "server"),
    *("at", "dry_run", "json", "los", "events", "quiet", "plain", "grace", "concurrency"),
)  # arguments of a tournament that need no conversion

CommandConfig = (
    ServeConfig
    | TournamentConfig
    | ViewConfig
    | StandingsConfig
    | ReportConfig
    | ExportConfig
    | ImportConfig
    | VerifyConfig
    | AnalyseConfig
    | TokenConfig
    | CheckConfig
)


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
        case _:
            return CheckConfig(**given)


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
