"""Searches by readings of the rules, each done once for all programs."""

from arena.grading.diagnosis.search import Found, Position, TooLarge, search
from arena.grading.diagnosis.variants import RIGHT, Reading

MAX_CASE_NODES = 20_000  # of the right search; larger cases are not examined
MAX_NODES = 60_000  # of a search by a misreading
MAX_GROWTH = 30  # times the nodes of the right search
SPARE_NODES = 50


class Searches:
    """Searches by readings, each done once."""

    def __init__(self, growth: int = MAX_GROWTH) -> None:
        """Create the searches.

        Args:
            growth: How many times the nodes of the right search a misreading may visit.
        """
        self._growth = growth
        self._found: dict[Reading, dict[Position, Found | None]] = {}

    def find(self, position: Position, reading: Reading) -> Found | None:
        """Return what a reading finds; None if its search, or one of its parts', is too large."""
        known = self._found.setdefault(reading, {})
        if position not in known:
            known[position] = self._search(position, reading)
        return known[position]

    def _search(self, position: Position, reading: Reading) -> Found | None:
        limit = MAX_CASE_NODES
        if reading is not RIGHT:
            right = self.find(position, RIGHT)
            assert right, "readings are searched where the right search is small"
            limit = min(MAX_NODES, SPARE_NODES + self._growth * right.visited)
        if not all(self.find(position, part) for part in reading.parts):
            return None
        try:
            return search(position, reading.rules, limit)
        except TooLarge:
            return None
