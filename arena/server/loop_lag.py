"""Event-loop lag monitor, which tells a slow bot from a slow arena."""

import asyncio
from collections import defaultdict, deque
from operator import itemgetter
from typing import NamedTuple

SAMPLE_INTERVAL = 0.01  # seconds
MIN_SHARE = 0.5  # of a lag: if its input took at least as much, a client has caused it


class _Sample(NamedTuple):
    when: float
    lag: float
    cause: str  # the client that has caused it, empty if none


class LoopLag:
    """Monitor of the event loop: how late it calls a timer, and which client has caused it."""

    def __init__(self) -> None:
        self._worst: deque[_Sample] = deque(maxlen=1000)  # with falling lags
        self._spent: defaultdict[str, float] = defaultdict(float)  # seconds since the last sample
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
            self._spent.clear()

    def charge(self, client: str, seconds: float) -> None:
        """Count time that the loop has spent on the input of a client."""
        if self._timer:
            self._spent[client] += seconds

    def worst_between(self, begin: float, now: float, excluded: str | None = None) -> float:
        """Return the worst lag between two times of the event loop.

        Args:
            begin: Start of the interval, in seconds of the loop's clock.
            now: The present time of the loop's clock.
            excluded: A client; lags that it has caused are left out.

        Returns:
            Seconds, at most SAMPLE_INTERVAL less than the true lag.
        """
        late = now - (self._due if self._due > begin else begin)
        worst = late if late > 0.0 else 0.0
        if excluded and self._cause(worst) == excluded:
            worst = 0.0
        for when, lag, cause in reversed(self._worst):
            if when <= begin:
                break
            if not excluded or cause != excluded:
                worst = max(worst, min(lag, when - begin))  # only the part after the beginning
        return worst

    def _cause(self, lag: float) -> str:
        """Return the client that has caused a lag since the last sample, empty if none has."""
        client, seconds = max(self._spent.items(), key=itemgetter(1), default=("", 0.0))
        return client if seconds >= MIN_SHARE * lag else ""

    def _schedule(self, now: float) -> None:
        self._due = now + SAMPLE_INTERVAL
        self._timer = asyncio.get_running_loop().call_at(self._due, self._sample)

    def _sample(self) -> None:
        now = asyncio.get_running_loop().time()
        lag = now - self._due
        # A sample that is both older and smaller can never be the worst again. One that is hidden
        # by a lag with a cause could be for its cause alone, which has no claim to it.
        while self._worst and self._worst[-1].lag <= lag:
            self._worst.pop()
        self._worst.append(_Sample(now, lag, self._cause(lag)))
        self._spent.clear()
        self._schedule(now)
