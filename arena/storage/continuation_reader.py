"""Database reader for openings: the moves that followed the same beginning, and their results."""

from collections.abc import Collection, Sequence

from arena.storage.reader import DatabaseReader
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
