"""Matches in process: their ends, and that the records are those of the referee."""

from dataclasses import replace
from itertools import count
from mmap import mmap

import pytest

from arena.bulk.batch import Batch
from arena.bulk.job import Job
from arena.bulk.turn_watch import SIZE, TurnWatch
from arena.model.results import MatchRecord, MatchResult, Pairing, Termination
from arena.storage.verify import find_differences
from core import GAMES
from tests.support.cases import loop_over
from tests.support.computing.bulk import make_batch, make_job, play_here
from tests.support.computing.bulk_bots import (
    Catches,
    First,
    Fragile,
    Interrupts,
    Resigns,
    Talks,
    Unborn,
)
from tests.support.polling import TEST_TIMEOUT


def play(job: Job, **fields: object) -> MatchRecord:
    """Play one match of anna and bert; `fields` are those of the pairing."""
    [pairing] = make_batch().pairings
    [record] = play_here(job, Batch(1, (replace(pairing, **fields),)))  # type: ignore[arg-type]
    assert find_differences(record) == []
    return record


def test_the_moves_are_those_of_the_bots() -> None:
    record = play(make_job("greedy", First))
    position = GAMES["take_stones"].position(stones=20)
    for ply, played in enumerate(record.moves):
        if ply % 2:
            assert played.move == position.legal_moves()[0]
        position.play(played.move)
        assert (played.ply, played.credit, played.lag) == (ply, 0, 0)
        assert played.charged == played.elapsed > 0
    loser = position.player_to_move
    reason = f"player {loser} ({['anna', 'bert'][loser - 1]}) cannot move"
    assert record.result == MatchResult(Termination.NO_LEGAL_MOVE, 3 - loser, reason)
    assert (record.id, record.time_control) == (0, "1000")
    assert record.started_at < record.finished_at


def test_a_clock_that_is_set_back_lengthens_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    times = count(2e9, -1.0)
    monkeypatch.setattr("time.time", lambda: next(times))
    record = play(make_job("greedy", First))
    assert 0 < record.finished_at - record.started_at < TEST_TIMEOUT


def test_a_pairing_is_played_as_it_is() -> None:
    assert [played.ply for played in play(make_job(), opening=(3, 6)).moves][:2] == [2, 3]
    assert play(make_job(), time="77").time_control == "77"
    pairing = Pairing(5, ("bert", "anna"), "isolation", {})
    [record] = play_here(make_job(), Batch(1, (pairing,)))
    assert record.pairing is pairing
    assert find_differences(record) == []


def test_games_depend_only_on_the_number() -> None:
    batch = make_batch(20)
    one = [record.moves for record in play_here(make_job(), batch)]
    two = play_here(make_job(), Batch(2, batch.pairings[::-1]))[::-1]
    moves = [[move.move for move in match] for match in one]
    assert moves == [[move.move for move in record.moves] for record in two]
    assert len({*map(tuple, moves)}) > 10


@pytest.mark.parametrize(
    ("bot", "termination", "words"),
    [
        (Interrupts, Termination.DISCONNECT, "failed: Interrupts.choose raised"),
        (Fragile, Termination.DISCONNECT, "failed: ValueError: "),
        (Resigns, Termination.RESIGNATION, "resigned"),
        (Talks, Termination.MALFORMED, "sent 3 unreadable messages"),
    ],
)
@pytest.mark.parametrize("player", [1, 2])
def test_bots_lose_by_faults(bot: type, termination: Termination, words: str, player: int) -> None:
    job = make_job(bot, "greedy") if player == 1 else make_job("greedy", bot)
    result = play(job).result
    assert (result.termination, result.winner) == (termination, 3 - player)
    assert result.reason.startswith(f"player {player} ({['anna', 'bert'][player - 1]}) {words}")
    assert result.reason.isprintable()


class Answers:
    """Bot that gives an answer."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def __call__(self, *_: object) -> object:
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


class Mute(Exception):
    """Exception without a text."""

    def __str__(self) -> str:
        raise RuntimeError


class Noted(Exception):
    """Exception whose notes are none."""

    __notes__ = 5  # type: ignore[assignment]


class Number:
    """Number that is no int."""

    def __index__(self) -> int:
        return 1


ANSWERS = [
    (2, Termination.ILLEGAL_MOVE, "made an illegal move 1: stone 2 cannot be the first"),
    (10**4000, Termination.ILLEGAL_MOVE, "made an illegal move 1"),
    (10**5000, Termination.MALFORMED, "sent 3"),
    (True, Termination.MALFORMED, "sent 3"),
    (2.0, Termination.MALFORMED, "sent 3"),
    (SystemExit(), Termination.DISCONNECT, "failed: SystemExit"),
    (ValueError("a\nb" * 1000), Termination.DISCONNECT, "failed: ValueError: a ba b"),
    (ValueError("\x1b[31m"), Termination.DISCONNECT, "failed: ValueError: \\x1b[31m"),
    (Mute(), Termination.DISCONNECT, "failed: an exception without a text"),
    (Noted(), Termination.DISCONNECT, "failed: Noted"),
]


@pytest.mark.parametrize(("answer", "termination", "words"), ANSWERS, ids=range(len(ANSWERS)))
def test_answers(
    answer: object, termination: Termination, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.bulk.players.create_strategy", lambda *_: Answers(answer))
    result = play(make_job()).result
    assert (result.termination, result.winner) == (termination, 2)
    assert f"player 1 (anna) {words}" in result.reason
    assert len(result.reason) < 400
    monkeypatch.setattr("arena.bulk.players.create_strategy", lambda *_: Answers(Number()))
    assert play(make_job()).moves[0].move == 1  # any integer is a move


def test_games_that_are_over_or_fail() -> None:
    record = play(make_job(Fragile, Fragile), setup={"stones": 1})
    assert record.result == MatchResult(Termination.NO_LEGAL_MOVE, 2, "player 1 (anna) cannot move")
    result = play(make_job(), setup={"stones": -1}).result
    assert result.termination is Termination.ABORTED
    assert result.reason.startswith("ValueError: ")


def test_a_bot_is_created_before_its_clock_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 100.5, 101.5, 102.5, 103.5, 104.5])
    monkeypatch.setattr("arena.bulk.match_player.time.perf_counter", lambda: next(times))
    elapsed = [
        move.elapsed for move in play(make_job("greedy", "greedy"), setup={"stones": 9}).moves
    ]
    assert elapsed[:2] == [0.5, 1.0]


@pytest.mark.parametrize("player", [1, 2])
def test_a_constructor_that_hangs_loses(monkeypatch: pytest.MonkeyPatch, player: int) -> None:
    monkeypatch.setattr("arena.bulk.turn_watch.CREATION_SECONDS", 0.1)
    job = make_job(Unborn, "greedy") if player == 1 else make_job("greedy", Unborn)
    watch = TurnWatch(mmap(-1, SIZE))
    watch.arm()
    [record] = play_here(job, make_batch(), watch)
    watch.disarm()
    result = record.result
    assert (result.termination, result.winner) == (Termination.DISCONNECT, 3 - player)
    assert result.reason.endswith(" failed: not created within 0.1 s")


@loop_over(
    "time, termination, end",
    ("0.2", Termination.TIMEOUT, "has used up its time"),
    ("unlimited", Termination.DISCONNECT, "failed: no answer within 0.1 s"),
)
def test_a_bot_that_catches_the_end_of_its_time_loses(
    monkeypatch: pytest.MonkeyPatch, time: str, termination: Termination, end: str
) -> None:
    monkeypatch.setattr("arena.bulk.turn_watch.WAITING_SECONDS", 0.1)
    watch = TurnWatch(mmap(-1, SIZE))
    watch.arm()
    [record] = play_here(make_job("greedy", Catches, time=time), make_batch(), watch)
    watch.disarm()
    assert (record.result.termination, record.result.winner) == (termination, 1)
    assert record.result.reason.endswith(end)


def test_a_late_move_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([100.0, 109.0])
    monkeypatch.setattr("arena.bulk.match_player.time.perf_counter", lambda: next(times))
    record = play(make_job(time="5"))
    assert record.result.termination is Termination.TIMEOUT
    assert record.fault
    assert (record.fault.elapsed, record.fault.move is None) == (9.0, False)
