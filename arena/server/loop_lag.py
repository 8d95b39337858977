"""Event-loop lag monitor, which tells a slow bot from a slow arena."""

import asyncio
from collections import deque

SAMPLE_INTERVAL = 0.01  # seconds


class LoopLag:
    """Measures, while it runs, how late the event loop calls a timer."""

    def __init__(self) -> None:
        self._worst: deque[tuple[float, float]] = deque(maxlen=1000)  # (time, lag), falling lags
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start measuring, unless it runs already."""
        if not self._timer:
            self._schedule(asyncio.get_running_loop().time())

    def stop(self) -> None:
        """Stop measuring until the next `start`."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def worst_between(self, begin: float, now: float) -> float:
        """Return the worst lag between two times of the event loop.

        Args:
            begin: Start of the interval, in seconds of the loop's clock.
            now: The present time of the loop's clock.

        Returns:
            Seconds, at most SAMPLE_INTERVAL less than the true lag.
        """
        worst = max(now - max(self._due, begin), 0.0)
        for when, lag in reversed(self._worst):
            if when <= begin:
                break
            worst = max(worst, min(lag, when - begin))  # only the part after the beginning counts
        return worst

    def _schedule(self, now: float) -> None:
        self._due = now + SAMPLE_INTERVAL
        self._timer = asyncio.get_running_loop().call_at(self._due, self._sample)

    def _sample(self) -> None:
        now = asyncio.get_running_loop().time()
        lag = now - self._due
        # A sample that is both older and smaller can never be the worst again.
        while self._worst and self._worst[-1][1] <= lag:
            self._worst.pop()
        self._worst.append((now, lag))
        self._schedule(now)
