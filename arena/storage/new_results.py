"""Rated results as they are stored, each of them once."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.model.results import PairScore
from arena.storage.reader import DatabaseReader


class Results(NamedTuple):
    """Results of one game.

    Attributes:
        game: The name of the game.
        results: Tuples of the fields of RatedResult.
        times: How often each of them is counted; None for once.
        scores: The changed scores of pairs.
    """

    game: str
    results: Sequence[tuple[str, str, int | None, str]]
    times: Sequence[int] | None
    scores: Sequence[PairScore]


class NewResults:
    """Cursor in the rated results of a database, where matches end in any order of their ids."""

    def __init__(self, database: DatabaseReader) -> None:
        """Start before the first result; nothing is read yet."""
        self._database = database
        self._last_id = 0  # of the matches that have been seen
        self._last_score = 0
        self._running: list[int] = []  # of the matches that have been seen

    def read(self) -> Iterator[Results]:
        """Yield the results that were stored since the last call.

        After an error, some of them are lost.

        Raises:
            DatabaseError: If the database cannot be read.
        """
        database, seen = self._database, (self._last_id, self._running)
        with database.snapshot():
            self._last_id, self._running = database.last_id(), database.running(*seen)
            if seen == (0, []):
                for game, tally in database.tallies().items():
                    yield Results(game, [*tally], [*tally.values()], ())
            else:
                for game in database.games_since(*seen):
                    for batch in database.rated_results(game, *seen):
                        yield Results(game, batch, None, ())
            last = self._last_score
            for game in database.games():
                number, scores = database.pair_scores(game, last)
                self._last_score = max(self._last_score, number)
                yield Results(game, (), None, scores)
