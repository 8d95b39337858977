"""Stored matches for clients: errors of the database become replies that do not name its path."""

from collections.abc import Iterator
from contextlib import contextmanager

from arena.model.results import MatchRecord
from arena.protocol.codec import RequestError
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError


def load_match(database: DatabaseReader, match: int) -> MatchRecord:
    """Return a stored match with its moves.

    Raises:
        RequestError: It is unknown, or cannot be read.
    """
    try:
        record = database.match(match)
    except OverflowError:  # the database has ids of 64 bits
        record = None
    except DatabaseError as error:
        raise RequestError("damaged", f"match {match} cannot be read") from error
    if record is None:
        raise unknown_match(match)
    return record


def unknown_match(match: int | None) -> RequestError:
    """Return the reply to a question about a match that is not stored."""
    return RequestError("unknown_match", f"unknown match {match}")


@contextmanager
def reported_damage() -> Iterator[None]:
    """Raise RequestError instead of an error of the database."""
    try:
        yield
    except DatabaseError as error:
        raise RequestError("damaged", "the stored matches cannot be read") from error
