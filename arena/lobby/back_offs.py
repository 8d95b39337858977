"""Back-offs: pauses that grow with each failure. Pure."""

from collections import defaultdict
from collections.abc import Container, Hashable

MIN_BACKOFF = 1.0  # seconds, doubled by each failure
MAX_FAILURES = 10.0  # that count: more would only take longer to make up for
SUCCESSES_PER_FAILURE = 8  # so that failures between successes lead to pauses too


class BackOffs:
    """Back-offs by key, for example by the name of a bot.

    The first failure of a key leads to a pause of MIN_BACKOFF, each further one to a pause twice as
    long. Failures during a pause have begun before it and do not count. A success makes up for an
    eighth of a failure.
    """

    def __init__(self, maximum: float) -> None:
        """Start without pauses.

        Args:
            maximum: The longest pause in seconds.
        """
        self._maximum = maximum
        self._failures: defaultdict[Hashable, float] = defaultdict(float)
        self._ends: dict[Hashable, float] = {}  # of the pauses

    def is_paused(self, key: Hashable, now: float) -> bool:
        """Return whether a pause of a key has not ended at the time `now`."""
        return self._ends.get(key, now) > now

    def has_failures(self, key: Hashable) -> bool:
        """Return whether failures of a key are left that no successes have made up for."""
        return key in self._failures

    def fail(self, key: Hashable, now: float) -> None:
        """Count a failure and begin a pause, unless the key is paused."""
        if not self.is_paused(key, now):
            delay = min(MIN_BACKOFF * 2.0 ** self._failures[key], self._maximum)
            self._ends[key] = now + delay
            self._failures[key] = min(self._failures[key] + 1.0, MAX_FAILURES)

    def succeed(self, key: Hashable) -> None:
        """Count a success, which does not end a pause."""
        if key in self._failures:
            self._failures[key] -= 1 / SUCCESSES_PER_FAILURE
            if self._failures[key] <= 0.0:
                del self._failures[key]

    def forget_failures(self, key: Hashable) -> None:
        """Forget the failures of a key, which does not end a pause."""
        self._failures.pop(key, None)

    def forget_others(self, keys: Container[Hashable]) -> None:
        """Forget the failures of all keys but these, which does not end a pause."""
        for key in [key for key in self._failures if key not in keys]:
            del self._failures[key]

    def next_end(self, now: float) -> float | None:
        """Return when the next pause ends, or None."""
        self._ends = {key: end for key, end in self._ends.items() if end > now}
        return min(self._ends.values(), default=None)
