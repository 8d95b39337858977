"""Bots of a job: their seeds, the clocks that they read, and their positions."""

from math import inf

import pytest

from arena.bulk.players import Players, bot_seed
from arena.match.adjudicator import Adjudicator
from arena.model.time_control import TimeControl
from bots.client import ClockReading
from core.game import Position
from tests.support.cases import loop_over
from tests.support.computing.bulk import make_batch, make_job


def test_a_seed_depends_on_all_of_its_origins() -> None:
    seeds = {
        bot_seed(seed, name, match)
        for seed in (1, 11)
        for name in ("a", "b", "1/a")
        for match in (1, 2, 11, 100)
    }
    assert len(seeds) == 24
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert bot_seed(1, "anna", 2) == 17559592544229171746  # in every version


class Recorder:
    """Bot that keeps the clocks that it reads."""

    def __init__(self) -> None:
        self.readings: list[ClockReading] = []

    def __call__(self, position: Position, clock: ClockReading) -> int:
        self.readings.append(clock)
        position.play(move := position.legal_moves()[0])
        return move


@loop_over(
    "time, readings",
    ("5+0.5", [ClockReading(5.0, 5.0, 0.5), ClockReading(4.5, 5.5, 0.5)]),
    ("5/move", 2 * [ClockReading(5.0, 5.0, 0.0, per_move=True)]),
    ("unlimited", 2 * [ClockReading(inf, inf, 0.0, per_move=True)]),
    ("7 nodes", 2 * [ClockReading(inf, inf, 0.0, per_move=True, nodes=7)]),
)
def test_a_bot_reads_its_clocks(
    time: str, readings: list[ClockReading], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = Recorder()
    monkeypatch.setattr("arena.bulk.players.create_strategy", lambda *_: bot)
    player = Players(make_job(time=time)).create("anna", 1)
    match = Adjudicator(make_batch().pairings[0], TimeControl.parse(time))
    match.set_up()
    match.begin_turn(1.0)
    match.play(player(match), 2.0)
    match.play(player(match), 2.0)
    player(match)
    assert bot.readings[0] == readings[0]
    assert bot.readings[2] == readings[1]


def test_each_bot_reads_its_own_time_control(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Recorder()
    monkeypatch.setattr("arena.bulk.players.create_strategy", lambda *_: bot)
    player = Players(make_job()).create("anna", 1)
    match = Adjudicator(
        make_batch().pairings[0], TimeControl.parse("5+0.5"), second=TimeControl.parse("7 nodes")
    )
    match.set_up()
    match.begin_turn(1.0)
    match.play(player(match), 2.0)
    player(match)
    assert bot.readings == [
        ClockReading(5.0, inf, 0.5),
        ClockReading(inf, 4.5, 0.0, per_move=True, nodes=7),
    ]


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_a_pure_bot_leaves_the_position_as_it_was(bot: str) -> None:
    match = Adjudicator(make_batch().pairings[0], TimeControl.parse("5"))
    match.set_up()
    position, before = match.position, match.position.copy()
    assert Players(make_job(bot)).create("anna", 1)(match) in before.legal_moves()
    assert match.position is position
    assert position == before
