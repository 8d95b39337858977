"""Database reader for puzzles: single matches of a large database, read by their ids."""

import json
from collections.abc import Sequence

from arena.model.results import MatchRecord
from arena.storage.reader import MATCH_COLUMNS, DatabaseReader, match_row, record_of
from arena.storage.rows import Seconds
from arena.storage.schema import IS_RATED

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
