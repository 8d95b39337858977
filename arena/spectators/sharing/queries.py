"""Matches, their pictures and feeds of results, read and made in a worker process."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from arena.protocol.codec import RequestError
from arena.spectators.sharing.card import card_svg
from arena.spectators.sharing.feed import Entry, atom_feed, find_finished_tournament, json_feed
from arena.spectators.sharing.shared_match import ATOM_PATH, JSON_PATH, SharedMatch
from arena.spectators.stored_matches import load_match, reported_damage
from arena.storage.spectator_reader import DayReader

MAX_DAYS = 30  # in a feed
MATCHES_OF_A_DAY = 20  # that a feed lists
FEEDS = {JSON_PATH: json_feed, ATOM_PATH: atom_feed}


class SharingQueries:
    """Object of the worker process: it reads the database, draws pictures and writes feeds."""

    def __init__(self, path: Path) -> None:
        """Read the database at a path, which is opened with the first match."""
        self._path = path
        self._entries: Sequence[Entry] = ()
        self._entries_version = -1

    @cached_property
    def _database(self) -> DayReader:
        return DayReader(self._path)

    def match(self, match: int) -> SharedMatch:
        """Return a finished match.

        Raises:
            RequestError: It is unknown or damaged.
        """
        return SharedMatch.from_record(load_match(self._database, match))

    def picture(self, match: SharedMatch, ply: int, ending: str) -> bytes:
        """Return the card of a match with the position after a ply, as `.svg` or `.png`.

        Raises:
            RequestError: The match is damaged.
        """
        try:
            card = card_svg(match, ply)
        except (KeyError, TypeError, ValueError, MemoryError) as error:
            raise RequestError("damaged", f"match {match.match} is damaged: {error}") from None
        return card.encode() if ending == ".svg" else png(card)

    def feed(self, path: str, base: str, version: int) -> tuple[bytes, float]:
        """Return the feed at a path, and the Unix time of its latest entry, 0 without any.

        Args:
            path: `JSON_PATH` or `ATOM_PATH`.
            base: The URL of the arena without a path, or "".
            version: The version of the results: they are read again if it is a new one.

        Raises:
            RequestError: The results cannot be read.
        """
        if version != self._entries_version:
            with reported_damage():
                ended = find_finished_tournament(self._database)
                days = self._database.latest_days(MAX_DAYS, MATCHES_OF_A_DAY)
            self._entries = [*([ended] if ended else []), *days]
            self._entries_version = version
        updated_at = max((entry.updated_at for entry in self._entries), default=0.0)
        return FEEDS[path](self._entries, base), updated_at


def png(svg: str) -> bytes:
    """Return an SVG document as a PNG picture. It needs the extra `pictures`."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(svg_string=svg)
