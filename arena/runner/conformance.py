"""Conformance test of a bot: runs all check items and reports their results."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from arena.conformance.checks import CHECK_ITEMS, CheckItem
from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import CheckFailed, CheckSkipped, printable
from arena.runner.script_runner import ScriptRunner

ITEM_TIMEOUT = 120.0  # seconds
TOTAL_TIMEOUT = 600.0  # seconds for all items after the first hello


class ItemReport(NamedTuple):
    """Result of a check item.

    Attributes:
        number: The number of the item.
        title: The title of the item.
        state: ok, FAILED, warning or skipped.
        detail: A summary if it is ok, the reason if it is skipped.
        sent: After a failure: the last frame that was sent.
        expected: After a failure: the expected behaviour.
        received: After a failure: the actual behaviour.
    """

    number: int
    title: str
    state: str
    detail: str = ""
    sent: str = ""
    expected: str = ""
    received: str = ""


class ConformanceTest:
    """All check items, run one after the other.

    Args:
        runner: The runner of their scripts.
        referee: The referee that the scripts use.
        report: Called with each report, in the order of the items' numbers.

    Attributes:
        reports: The reports so far, by the numbers of their items.
    """

    def __init__(
        self, runner: ScriptRunner, referee: ScriptedReferee, report: Callable[[ItemReport], object]
    ) -> None:
        self.reports: dict[int, ItemReport] = {}
        self._runner = runner
        self._referee = referee
        self._report = report
        self._needs_restart = self._is_lost = False
        self._deadline: float | None = None

    async def run(self) -> list[ItemReport]:
        """Run all items; return their reports, sorted by number.

        Raises:
            InvalidBotArguments: If a built-in bot rejects its arguments.
        """
        next_number = 1
        for item in CHECK_ITEMS:
            self.reports[item.number] = await self._run_item(item)
            while next_number in self.reports:
                self._report(self.reports[next_number])
                next_number += 1
        return [self.reports[number] for number in sorted(self.reports)]

    async def _run_item(self, item: CheckItem) -> ItemReport:
        skipped = ItemReport(item.number, item.title, "skipped")
        missing = [number for number in item.requires if self.reports[number].state != "ok"]
        if item is not CHECK_ITEMS[0] and not self._referee.hello:
            return skipped._replace(detail="no hello")
        if missing:
            return skipped._replace(detail=f"requires item {missing[0]}")
        if self._needs_restart and not self._is_lost:
            await self._restart()
        if self._is_lost:
            return skipped._replace(detail="the bot has not reconnected")
        return await self._run_script(item)

    async def _restart(self) -> None:
        """Begin with a new program or connection, so that one failure does not cause another."""
        try:
            if self._runner.restart_program():
                await self._runner.run(self._referee.receive_hello_again())
            self._needs_restart = False
        except CheckFailed:
            self._is_lost = True

    async def _run_script(self, item: CheckItem) -> ItemReport:
        report = ItemReport(item.number, item.title, "ok")
        timeout = self._timeout(item)
        self._runner.last_sent = ""
        try:
            async with asyncio.timeout(timeout):
                return report._replace(detail=await self._runner.run(item.script(self._referee)))
        except CheckSkipped as reason:
            return report._replace(state="skipped", detail=str(reason))
        except CheckFailed as error:
            failure = error
        except TimeoutError:
            failure = CheckFailed(f"an end within {timeout:g} s", "none")
        self._needs_restart = True
        return report._replace(
            state="FAILED" if item.is_required else "warning",
            sent=printable(self._runner.last_sent),
            expected=failure.expected,
            received=failure.received,
        )

    def _timeout(self, item: CheckItem) -> float | None:
        """Return the seconds for an item; the first has timeouts of its own."""
        if item is CHECK_ITEMS[0]:
            return None
        now = asyncio.get_running_loop().time()
        self._deadline = self._deadline or now + TOTAL_TIMEOUT
        return max(0.0, min(ITEM_TIMEOUT, self._deadline - now))
