"""An event loop with a simulated clock."""

import asyncio


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Event loop with a simulated clock, which runs one iteration per call."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def run_once(self, now: float) -> None:
        self.now = now
        self.run_until_complete(asyncio.sleep(0))
