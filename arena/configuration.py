"""Configuration of an arena, as commands and tests produce it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.model.addresses import CONNECTIONS_PER_ADDRESS, NO_NETWORKS, Network
from arena.model.time_control import MAX_CREDIT, TimeControl
from arena.runner.named_bots import Bots
from arena.sandbox.limits import Policy
from arena.tournament.plan import Plan


@dataclass(frozen=True)
class AdmissionConfig:
    """Rules for accepting connections.

    Attributes:
        tokens: The file of the bots' tokens; None disables authentication.
        open: Whether other machines may connect without tokens.
        bans: The file of the names and networks that are not admitted; None admits all.
        origins: The origins of other web pages that may connect.
        connections: The highest number of open connections of bots.
        behind_proxy: Whether X-Real-IP holds the address of a client.
        connections_per_address: The highest number of open connections of an address.
        trusted: The same of the addresses in some networks.
    """

    tokens: Path | None = None
    open: bool = False
    bans: Path | None = None
    origins: tuple[str, ...] = ()
    connections: int = 1000
    behind_proxy: bool = False
    connections_per_address: int = CONNECTIONS_PER_ADDRESS
    trusted: Mapping[Network, int] = field(default_factory=lambda: NO_NETWORKS)


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
        admission: The rules for accepting connections.
        accepts_bots: Whether /play is served.
        accepts_spectators: Whether /watch is served.
        has_page: Whether the web page is served.
        has_metrics: Whether /metrics and /healthz are served.
        house_bots: The specification of each bot that can be challenged, by name; None if casual
            players are not accepted.
        sandbox: The sandbox of users' programs; None isolates only program: bots.
        plan: The plan of the tournament that is played or shown.
        anchor: The bot with the fixed rating, and that rating in Elo.
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
