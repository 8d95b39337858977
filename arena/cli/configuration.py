"""Frozen configuration of each command."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from arena.model.time_control import TimeControl

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
        wait: The seconds to wait for bots that connect by themselves; None waits without a limit.
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
    wait: float | None
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
    | CheckGameConfig
)
