"""Database reader for one bot: its results by setup, and moves of its latest matches."""

import json
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.model.results import FORFEITS
from arena.storage.reader import DatabaseReader
from arena.storage.rows import Seconds, SetupText, Winner
from arena.storage.schema import IS_RATED

LATEST = 200_000  # matches of the database that are looked through: 0.1 s, measured
OWN_MOVE = "player1 = ? AND ply % 2 = 0 OR player2 = ? AND ply % 2 = 1"
AMONG = "id IN (SELECT value FROM json_each(?))"


class SetupResult(NamedTuple):
    """Number of matches of a bot with the same setup, side and winner.

    Attributes:
        setup: The setup, as JSON.
        side: 1 or 2.
        winner: 1 or 2; None for a draw.
        matches: The number of matches.
        since: The end of the first of them. Unix time, seconds.
    """

    setup: SetupText
    side: int
    winner: Winner
    matches: int
    since: Seconds


class OwnMove(NamedTuple):
    """Move of a bot: its match, the number of moves before it, and its charged seconds."""

    match: int
    ply: int
    charged: Seconds


class Judged(NamedTuple):
    """Analysed match of a bot.

    Attributes:
        match: Its id.
        players: The names of players 1 and 2.
        setup: The setup, as JSON.
        opening: The number of opening moves.
        winner: 1 or 2; None for a draw.
        verdicts: A letter for each move after the opening.
    """

    match: int
    players: tuple[str, str]
    setup: str
    opening: int
    winner: int | None
    verdicts: str


class BotReader(DatabaseReader):
    """Read access to the rated matches of one bot in one game, the latest ones first."""

    def setup_results(self, bot: str, game: str, latest: int = LATEST) -> list[SetupResult]:
        """Return the results of a bot by setup, side and winner.

        Args:
            bot: The bot.
            game: The game.
            latest: Number of stored matches that are looked through, of all games.
        """
        found = self._rows(
            SetupResult,
            "SELECT setup, iif(player1 = ?, 1, 2) AS side, winner, count(*), min(finished_at)"
            f" FROM matches WHERE {IS_RATED} AND id > (SELECT max(id) FROM matches) - ?"
            " AND game = ? AND ? IN (player1, player2) GROUP BY setup, side, winner",
            *(bot, latest, game, bot),
        )
        return [*found]

    def latest_ids(self, bot: str, game: str, limit: int, latest: int = LATEST) -> list[int]:
        """Return the ids of at most `limit` of these matches, the latest first."""
        found = self._rows(
            tuple[int],
            f"SELECT id FROM matches WHERE {IS_RATED} AND id > (SELECT max(id) FROM matches) - ?"
            " AND game = ? AND ? IN (player1, player2) ORDER BY id DESC LIMIT ?",
            *(latest, game, bot, limit),
        )
        return [match for (match,) in found]

    def own_moves(self, bot: str, matches: Collection[int], limit: int) -> list[OwnMove]:
        """Return at most `limit` moves of a bot in matches, the latest matches first."""
        found = self._rows(
            OwnMove,
            "SELECT id, ply, charged FROM matches JOIN moves ON match = id"
            f" WHERE {AMONG} AND ({OWN_MOVE}) ORDER BY id DESC, ply LIMIT ?",
            *(json.dumps([*matches]), bot, bot, limit),
        )
        return [*found]

    def judged(self, matches: Collection[int]) -> list[Judged]:
        """Return the analysed ones of matches, the latest first."""
        found = self._rows(
            tuple[int, str, str, SetupText, int, Winner, str],
            "SELECT id, player1, player2, setup, json_array_length(opening), winner, verdicts"
            f" FROM matches JOIN verdicts ON match = id WHERE {AMONG} ORDER BY id DESC",
            json.dumps([*matches]),
        )
        return [
            Judged(match, (one, two), setup, opening, winner, verdicts)
            for match, one, two, setup, opening, winner, verdicts in found
        ]

    def reported(
        self, bot: str, matches: Collection[int], limit: int
    ) -> list[tuple[int | None, int | None]]:
        """Return depth and nodes of at most `limit` infos of a bot, None where it gave none."""
        found = self._rows(
            tuple[int | None, int | None],
            "SELECT json_extract(info, '$.depth'), json_extract(info, '$.nodes')"
            f" FROM matches JOIN infos ON match = id WHERE {AMONG} AND ({OWN_MOVE})"
            " ORDER BY id DESC, ply LIMIT ?",
            *(json.dumps([*matches]), bot, bot, limit),
        )
        return [*found]

    def forfeits_of(self, bot: str, game: str, opponents: Sequence[str]) -> Counter[str]:
        """Return the numbers of rated matches that a bot has forfeited, by termination.

        They are found in the tallies of the bot with each opponent: no match is read.
        """
        tallies = "SELECT termination, matches FROM json_each(?) JOIN tallies ON game = ? AND"
        found: Counter[str] = Counter()
        for termination, matches in self._rows(
            tuple[str, int],
            f"{tallies} player1 = ? AND player2 = value AND winner = 2"
            f" UNION ALL {tallies} player1 = value AND player2 = ? AND winner = 1",
            *2 * (json.dumps([*opponents]), game, bot),
        ):
            if termination in FORFEITS:
                found[termination] += matches
        return found
