"""Database readers for the questions of spectators: continuations of a beginning, and puzzles."""

import json
from collections.abc import Collection, Sequence

from arena.model.results import MatchRecord
from arena.storage.bot_reader import BotReader
from arena.storage.reader import MATCH_COLUMNS, DatabaseReader, match_row, record_of
from arena.storage.rows import Seconds
from arena.storage.schema import IS_RATED

LATEST = 50_000  # matches of the database that are looked through: 0.3 s after 12 moves, measured


class ContinuationReader(DatabaseReader):
    """Read access to the moves that followed a beginning, of rated matches."""

    def continuations(
        self, game: str, setups: Collection[str], moves: Sequence[int], latest: int = LATEST
    ) -> list[tuple[int, int, int, int]]:
        """Return how the latest matches went on that began with the same moves.

        Args:
            game: The game.
            setups: The texts of the setup in the database.
            moves: The first moves, including the opening's.
            latest: Number of stored matches that are looked through, of all games.

        Returns:
            Each next move with the numbers of matches that player 1 won, that were drawn and that
            player 2 won, ascending by the move.
        """
        known = " AND ".join(f"{_move(ply)} = ?" for ply in range(len(moves))) or "TRUE"
        texts = ", ".join("?" for _ in setups)
        found = self._rows(
            tuple[int, int, int, int],
            "SELECT next, sum(winner IS 1), sum(winner IS NULL), sum(winner IS 2) FROM ("
            f"SELECT {_move(len(moves))} AS next, winner FROM matches WHERE {IS_RATED}"
            f" AND id > (SELECT max(id) FROM matches) - ? AND game = ? AND setup IN ({texts})"
            f" AND {known}) WHERE next IS NOT NULL GROUP BY next ORDER BY next",
            latest,
            game,
            *setups,
            *moves,
        )
        return [*found]


def _move(ply: int) -> str:
    """Return an expression for the move of a match at a ply: openings are stored apart."""
    played = f"(SELECT move FROM moves WHERE match = id AND ply = {ply})"
    return f"coalesce(json_extract(opening, '$[{ply}]'), {played})"


ID_BITS = 62  # of the highest id that is looked for


class PuzzleReader(DatabaseReader):
    """Read access to the matches that puzzles are chosen from: few rows of any database."""

    def last_before(self, time: float) -> int:
        """Return an id up to which the matches were started before a time; 0 without any.

        Matches get their ids in the order of their starts, so that it is found by bisection, in at
        most ID_BITS + 1 rows. It does not change when matches are added that start later.

        Args:
            time: Unix time.
        """
        last = 0
        for bit in reversed(range(ID_BITS + 1)):
            found = self._rows(
                tuple[Seconds],
                "SELECT started_at FROM matches WHERE id >= ? ORDER BY id LIMIT 1",
                last + (1 << bit),
            )
            if any(started < time for (started,) in [*found]):
                last += 1 << bit
        return last

    def rated_among(
        self, ids: Sequence[int], ended_before: float
    ) -> list[tuple[MatchRecord, str | None]]:
        """Return the rated matches among some ids, in the order of these, without their moves.

        Args:
            ids: The ids; there may be no matches with some of them.
            ended_before: Only matches that ended before this Unix time.

        Returns:
            Each record with the verdicts on its moves; None if it was not analysed.
        """
        rows = self._rows(
            match_row(str | None),
            f"SELECT {MATCH_COLUMNS}, verdicts FROM matches LEFT JOIN verdicts ON id = match"
            f" WHERE id IN (SELECT value FROM json_each(?)) AND {IS_RATED} AND finished_at < ?",
            json.dumps([*ids]),
            ended_before,
        )
        found = {columns[0]: (record_of(columns), verdicts) for *columns, verdicts in [*rows]}
        return [found[match] for match in ids if match in found]


class SpectatorReader(ContinuationReader, PuzzleReader, BotReader):
    """Read access to matches and sums of them, over one connection to the database."""
