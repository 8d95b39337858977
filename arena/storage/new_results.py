"""Rated results as they are stored, each of them once."""

from collections.abc import Iterator, Sequence

from arena.storage.reader import DatabaseReader


class NewResults:
    """Cursor in the rated results of a database, where matches end in any order of their ids."""

    def __init__(self, database: DatabaseReader) -> None:
        """Start before the first result; nothing is read yet."""
        self._database = database
        self._last_id = 0  # of the matches that have been seen
        self._running: list[int] = []  # of these

    def read(self) -> Iterator[tuple[str, Sequence[tuple[str, str, int | None, str]]]]:
        """Yield the results that were stored since the last call.

        After an error, some of them are lost.

        Yields:
            A game, and a batch of its results: tuples of the fields of RatedResult.

        Raises:
            DatabaseError: If the database cannot be read.
        """
        database, seen = self._database, (self._last_id, self._running)
        with database.snapshot():
            self._last_id, self._running = database.last_id(), database.running(*seen)
            for game in database.games_since(*seen):
                for batch in database.rated_results(game, *seen):
                    yield game, batch
