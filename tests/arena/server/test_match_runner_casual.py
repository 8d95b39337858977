"""Running casual matches: takebacks, time controls and longer disconnections."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.match import referee
from arena.match.referee import Referee
from arena.model.observer import Observer
from arena.model.results import Pairing, Termination
from arena.model.time_control import TimeControl
from arena.protocol.player import Claim, Move, Resign, TakeBack
from arena.server.match_runner import CASUAL_GRACE, MatchRunner, no_output
from arena.server.sessions import Session
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.servers.arena_server import pairing, read_matches
from tests.support.tournaments.observers import RecordingObserver


class OfflineMatch(RecordingObserver):
    """A match with 7 stones between two players without connections."""

    def __init__(
        self, db: Path, writer: DatabaseWriter, pairing: Pairing, grants_takebacks: bool
    ) -> None:
        super().__init__(db)
        now = asyncio.get_running_loop().time()
        self.one, self.two = (Session(name, now) for name in pairing.players)
        self.two.grants_takebacks = grants_takebacks
        self.runner = MatchRunner(writer, TimeControl(20), 5.0, 0.0, self, self.fail, no_output)
        self.task = asyncio.create_task(self.runner.play(pairing, [self.one, self.two]))
        self.begun = asyncio.Event()

    def fail(self, error: Exception) -> None:
        raise error

    def started(self, match: int, pairing: Pairing) -> None:
        super().started(match, pairing)
        self.begun.set()

    @property
    def referee(self) -> Referee:
        return self.runner.running["1"].referee

    def receive(self, player: Session, message: Move | Resign | TakeBack | Claim) -> bool:
        return self.runner.receive(player, message, asyncio.get_running_loop().time(), 0.0)

    def move(self, player: Session, move: int) -> bool:
        return self.receive(player, Move("1", self.referee.ply, move))

    def take_back(self, player: Session, accept: bool = True) -> bool:
        return self.receive(player, TakeBack("1", accept))


@asynccontextmanager
async def offline_match(
    db: Path, casual: bool = True, time: str | None = None, grants_takebacks: bool = False
) -> AsyncIterator[OfflineMatch]:
    """Start a match; cancel it at the end."""
    pairing = Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, (), casual, time)
    with DatabaseWriter(db) as writer:
        match = OfflineMatch(db, writer, pairing, grants_takebacks)
        await match.begun.wait()
        yield match
        match.task.cancel()
        await asyncio.wait([match.task])


async def test_a_takeback_is_observed(db: Path) -> None:
    async with offline_match(db, grants_takebacks=True) as match:
        for bot, stone in [(match.one, 3), (match.two, 6), (match.one, 2), (match.two, 4)]:
            match.move(bot, stone)
        match.take_back(match.one)
        assert match.lines[4:] == [("moved", 1, match.lines[4][2]), ("taken back", 1, 2)]


async def test_a_move_that_a_takeback_cancels_is_useful_but_not_observed(db: Path) -> None:
    async with offline_match(db, grants_takebacks=True) as match:
        match.move(match.one, 3)
        match.take_back(match.one)
        assert match.move(match.two, 6)
        assert [line[0] for line in match.lines] == ["started", "moved", "taken back"]


async def test_a_takeback_needs_the_consent_of_the_opponent(db: Path) -> None:
    async with offline_match(db) as match:
        match.move(match.one, 3)
        assert match.take_back(match.one)
        assert not match.take_back(match.one)  # the opponent is asked once
        assert match.take_back(match.two, accept=False)
        assert match.take_back(match.one)
        assert match.take_back(match.two)
        assert match.lines[2:] == [("taken back", 1, 0)]


async def test_a_rated_match_has_no_takebacks(db: Path) -> None:
    async with offline_match(db, casual=False, grants_takebacks=True) as match:
        match.move(match.one, 3)
        assert not match.take_back(match.one)
        assert match.referee.ply == 1


async def test_moves_that_were_taken_back_are_not_stored(db: Path) -> None:
    async with offline_match(db, time="20", grants_takebacks=True) as match:
        for bot, stone in [(match.one, 3), (match.two, 6)]:
            match.move(bot, stone)
        match.take_back(match.one)
        for bot, stone in [(match.one, 1), (match.two, 4), (match.one, 2), (match.two, 6)]:
            match.move(bot, stone)
        match.move(match.one, 3)
        record = await match.task
    assert [move.move for move in record.moves] == [1, 4, 2, 6, 3]
    assert read_matches(db) == [record]


@loop_over(("time", "control"), [(None, "20+0"), ("7/move", "7/move"), ("7", "7")])
async def test_a_pairing_can_have_its_own_time_control(
    db: Path, time: str | None, control: str
) -> None:
    async with offline_match(db, time=time) as match:
        match.receive(match.one, Resign("1"))
        assert (await match.task).time_control == control


async def test_an_invalid_time_control_is_an_error(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        runner = MatchRunner(writer, TimeControl(20), 5.0, 0.0, Observer(), print, no_output)
        with pytest.raises(ValueError, match="time 'soon' is not BASE"):
            await runner.play(replace(pairing("one", "two"), time="soon"), [])
    assert read_matches(db) == []


async def test_the_absence_of_the_opponent_can_be_claimed(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with offline_match(db, time="1000") as match:
        assert not match.receive(match.one, Claim("1", "win"))
        monkeypatch.setattr(referee, "CLAIM_SHARE", 0.0)
        assert match.receive(match.one, Claim("1", "win"))
        assert (await match.task).result.termination is Termination.DISCONNECT


@loop_over(("casual", "grace"), [(True, CASUAL_GRACE), (False, 5.0)])
async def test_casual_players_may_be_disconnected_longer(
    db: Path, casual: bool, grace: float
) -> None:
    async with offline_match(db, casual, time="1000") as match:
        assert match.referee.deadline == match.one.disconnected_at + grace
