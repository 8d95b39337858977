"""A match as a link to it describes it, and the addresses of matches, pictures and feeds. Pure.

The page's own addresses have the same words in the fragment, which no server receives.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple, Self

from arena.model.results import MatchRecord, MatchResult
from core import GAMES

PREFIX = "/match/"
JSON_PATH, ATOM_PATH = "/feed.json", "/feed.xml"
ADDRESS = re.compile(
    r"/match/(?P<match>[1-9]\d{0,18})(?:/(?P<ply>0|[1-9]\d{0,8}))?(?P<ending>\.(?:png|svg))?",
    re.ASCII,
)


class Address(NamedTuple):
    """Address of a match, or of a picture of it.

    Attributes:
        match: The id of the match.
        ply: The number of moves before the position; None for the latest position.
        ending: "" for the page, ".png" or ".svg" for a picture.
    """

    match: int
    ply: int | None
    ending: str

    @classmethod
    def parse(cls, path: str) -> "Address | None":
        """Return the address that a path is, still percent-encoded; None for any other path."""
        found = ADDRESS.fullmatch(path)
        if not found:
            return None
        ply = found["ply"]
        return cls(int(found["match"]), None if ply is None else int(ply), found["ending"] or "")

    def __str__(self) -> str:
        ply = "" if self.ply is None else f"/{self.ply}"
        return f"{PREFIX}{self.match}{ply}{self.ending}"


class SharedMatch(NamedTuple):
    """Facts of a match that pictures and descriptions need.

    Attributes:
        match: The id of the match.
        game: The name of the game, which may be one that is not installed.
        game_title: The title of the game; its name, if it is not installed. It is looked up where
            the match is read: a stored name may be any, and to look it up takes time.
        setup: The parameters of the game and their values.
        players: The names of players 1 and 2.
        moves: The moves so far, from the opening on.
        result: The result; None while the match goes on.
        control: The time control as text.
        started_at: Unix time of the start.
    """

    match: int
    game: str
    game_title: str
    setup: tuple[tuple[str, int], ...]
    players: tuple[str, str]
    moves: tuple[int, ...]
    result: MatchResult | None
    control: str
    started_at: float

    @classmethod
    def from_record(cls, record: MatchRecord) -> Self:
        """Return a finished match, from its record with the moves."""
        pairing = record.pairing
        return cls(
            record.id,
            pairing.game,
            game_title(pairing.game),
            tuple(pairing.setup.items()),
            pairing.players,
            (*pairing.opening, *(move.move for move in record.moves)),
            record.result,
            record.time_control,
            record.started_at,
        )

    @property
    def is_installed(self) -> bool:
        """Whether the game is registered, so that its positions can be drawn."""
        return self.game in GAMES

    @property
    def plies(self) -> int:
        """The number of moves, the opening included."""
        return len(self.moves)

    def shown_ply(self, ply: int | None) -> int:
        """Return the ply that an address shows: the last one for None and for one beyond it.

        A casual match may have become shorter since it was shared.
        """
        return self.plies if ply is None else min(ply, self.plies)

    @property
    def meeting(self) -> str:
        """The players and the result, the winner first, such as "ann beat bob"."""
        return meeting(self.players, self.result)

    @property
    def title(self) -> str:
        """The meeting and the game, as the title of a link."""
        state = "" if self.result else ", live"
        return f"{self.meeting} · {self.game_title}{state}"

    @property
    def details(self) -> Sequence[str]:
        """The setup, the time control and the day, as far as they are known."""
        day = format_day(self.started_at)
        return [text for text in (setup_text(dict(self.setup)), self.control, day) if text]

    def description(self, ply: int) -> str:
        """Return a description of the match, and of the position after a ply, in sentences."""
        moves = f"{self.plies} move{'' if self.plies == 1 else 's'}"
        reason = self.result.reason if self.result else "in progress"
        sentences = [f"{reason[:1].upper()}{reason[1:]}."] if reason else []
        if ply < self.plies:
            sentences.append(f"The position after move {ply}.")
        return " ".join((*sentences, " · ".join((moves, *self.details))))


def meeting(players: tuple[str, str], result: MatchResult | None) -> str:
    """Return two players and the result between them in words, the winner first."""
    one, two = players
    if result is None:
        return f"{one} against {two}"
    if result.winner is None:
        return f"{one} {'drew with' if result.is_draw else 'met'} {two}"
    return f"{one} beat {two}" if result.winner == 1 else f"{two} beat {one}"


def game_title(game: str) -> str:
    """Return the title of a game; its name, if it is not installed."""
    return GAMES[game].title if game in GAMES else game


def setup_text(setup: Mapping[str, int]) -> str:
    """Return a setup as the page shows it: "3 heaps", and "heap 20" of a name without a plural."""
    return ", ".join(
        f"{value} {name}" if name.endswith("s") else f"{name} {value}"
        for name, value in setup.items()
    )


def format_day(time: float) -> str:
    """Return the day of a Unix time in UTC, such as "14 November 2023", or ""."""
    try:
        return format_date(datetime.fromtimestamp(time, UTC))
    except (OverflowError, OSError, ValueError):  # a stored time may be any number
        return ""


def format_date(day: date) -> str:
    """Return a day such as "14 November 2023"."""
    return f"{day.day} {day:%B %Y}"
