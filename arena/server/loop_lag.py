"""How late the event loop is, so that nobody need ask whether it was the bot or the arena."""

import asyncio
from collections import deque

BEAT = 0.01  # seconds between two looks


class Lag:
    """Measures, while it runs, by how much the event loop is later than it should be."""

    def __init__(self) -> None:
        self._worst: deque[tuple[float, float]] = deque(maxlen=1000)  # (when, lag), falling lags
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin, if it does not run yet."""
        if not self._timer:
            self._wait(asyncio.get_running_loop().time())

    def stop(self) -> None:
        """Rest until `start`."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def since(self, begin: float, now: float) -> float:
        """The worst lag between two times of the loop, in seconds; up to BEAT may be missing."""
        worst = max(now - max(self._due, begin), 0.0)
        for when, lag in reversed(self._worst):
            if when <= begin:
                break
            worst = max(worst, min(lag, when - begin))  # of what began before, what came after
        return worst

    def _wait(self, now: float) -> None:
        self._due = now + BEAT
        self._timer = asyncio.get_running_loop().call_at(self._due, self._look)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        lag = now - self._due
        # What is both older and smaller than this can never be the worst again.
        while self._worst and self._worst[-1][1] <= lag:
            self._worst.pop()
        self._worst.append((now, lag))
        self._wait(now)
