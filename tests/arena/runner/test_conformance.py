"""Conformance test: the order of the reports, skipped items, and restarts after failures."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import Script
from arena.runner.conformance import ConformanceTest, ItemReport, ScriptRunner
from tests.support.cases import loop_over
from tests.support.simulation.simulated_bot import SimulatedBot, first_legal_move, run_script

T = TypeVar("T")


class SimulatedRunner(ScriptRunner):
    """Runner of scripts against a simulated bot, which counts its restarts."""

    def __init__(self, bot: SimulatedBot) -> None:
        super().__init__("bot", None, is_builtin=False)
        self.restarts = 0
        self._simulated = bot

    def restart_program(self) -> bool:
        self.restarts += 1
        return True

    async def run(self, script: Script[T]) -> T:
        return run_script(script, self._simulated)


def check(bot: SimulatedBot) -> tuple[dict[int, ItemReport], SimulatedRunner]:
    """Run all items on a bot; return the reports by number, and the runner."""
    bot.frames.append(
        ('{"type":"hello","protocol":1,"name":"bot","games":["take_stones"],"matches":2}', 0.0)
    )
    runner = SimulatedRunner(bot)
    test = ConformanceTest(runner, ScriptedReferee(1.0, None, "bot"), lambda _: None)
    reports = asyncio.run(test.run())
    return {report.number: report for report in reports}, runner


def test_a_correct_bot_passes_all_items() -> None:
    reports, runner = check(SimulatedBot(first_legal_move))
    assert {report.state for report in reports.values()} == {"ok"}
    assert runner.restarts == 0


def test_reports_are_made_in_the_order_of_their_numbers() -> None:
    numbers: list[int] = []
    bot = SimulatedBot(first_legal_move)
    bot.absence = "none"
    referee = ScriptedReferee(1.0, None, "bot")
    test = ConformanceTest(
        SimulatedRunner(bot), referee, lambda report: numbers.append(report.number)
    )
    asyncio.run(test.run())
    assert numbers == [*range(1, 16)]


def test_without_a_hello_all_other_items_are_skipped() -> None:
    bot = SimulatedBot(first_legal_move)
    bot.absence = "none"
    reports, _ = check(bot)
    assert (reports[1].state, reports[1].received) == ("FAILED", "none")
    assert {(reports[number].state, reports[number].detail) for number in range(2, 16)} == {
        ("skipped", "no hello")
    }


def answers_only_as_player_2(turn: dict[str, Any]) -> list[str]:
    return first_legal_move(turn) if turn["ply"] else []


def test_failures_skip_items_or_are_warnings() -> None:
    reports, _ = check(SimulatedBot(answers_only_as_player_2))
    assert reports[2].state == "FAILED"
    assert (reports[3].state, reports[3].detail) == ("skipped", "requires item 2")
    reports, runner = check(SimulatedBot(first_legal_move, resumes=False))
    assert reports[13].state == "warning"
    assert (reports[14].state, reports[15].state) == ("ok", "ok")
    assert runner.restarts == 1
    reports, runner = check(SimulatedBot(repeats(first_legal_move)))
    assert reports[9].state == "FAILED"
    assert reports[11].state == "ok"
    assert runner.restarts >= 1


@loop_over(("status", "state"), [(0, "ok"), (1, "FAILED")])
def test_the_exit_status_of_the_program_is_checked(status: int, state: str) -> None:
    reports, _ = check(SimulatedBot(first_legal_move, status=status))
    assert reports[14].state == state


def repeats(answer: Callable[[dict[str, Any]], list[str]]) -> Callable[..., list[str]]:
    return lambda turn: 2 * answer(turn)
