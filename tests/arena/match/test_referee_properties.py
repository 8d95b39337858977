"""Referee: properties of matches with random events."""

from collections.abc import Collection
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.adjudicator import MAX_LAG
from arena.match.referee import Outgoing, Referee
from arena.model.results import MatchResult
from arena.model.time_control import TimeControl
from arena.protocol.player import FromArena, Turn
from tests.support.games.reference import Taken, legal_moves, player_to_move
from tests.support.tournaments.scenarios import (
    ABORTED,
    ILLEGAL_MOVE,
    NO_LEGAL_MOVE,
    TIMEOUT,
    Scenario,
    abort,
    disconnect,
    new_match,
    play,
    reconnect,
    resign,
    send_unreadable,
    take_back,
    tick,
)

# Rules


@st.composite
def openings(draw: st.DrawFn) -> tuple[int, Taken]:
    """Return a number of stones and some legal moves."""
    stones = draw(st.integers(1, 40))
    taken: Taken = ()
    for _ in range(draw(st.integers(0, 12))):
        if legal := legal_moves(stones, taken):
            taken = (*taken, draw(st.sampled_from(legal)))
    return stones, taken


@given(openings())
def test_match_is_over_without_a_legal_move(opening: tuple[int, Taken]) -> None:
    stones, taken = opening
    is_over = Scenario(stones=stones, opening=taken).referee.result is not None
    assert is_over == (legal_moves(stones, taken) == [])


@given(openings().filter(lambda opening: legal_moves(*opening)), st.integers(-2, 42))
def test_legal_moves_are_accepted(opening: tuple[int, Taken], stone: int) -> None:
    stones, taken = opening
    mover = player_to_move(taken)
    referee = Scenario(play(mover, stone), stones=stones, opening=taken).referee
    assert bool(referee.moves) == (stone in legal_moves(stones, taken))


# Random matches


class RandomEvent(NamedTuple):
    """An event `wait` seconds after the previous one; `number` depends on its kind."""

    kind: str
    player: int
    number: int
    wait: float
    credit: float
    lag: float


class RandomMatch(NamedTuple):
    """A finished match, its result after each event, and the messages sent to the players."""

    stones: int
    control: TimeControl
    referee: Referee
    results: list[MatchResult | None]
    sent: list[tuple[int, FromArena]]


QUICK = TimeControl(4, 0.5)
CONTROLS = [QUICK, TimeControl(4, 0.5, margin=0.75), TimeControl(2, per_move=True, margin=0.25)]


def process(referee: Referee, stones: int, event: RandomEvent, now: float) -> Outgoing | None:
    """Process a random event; most moves are legal."""
    taken = tuple(move.move for move in referee.moves)
    legal = legal_moves(stones, taken) or [0]
    events = {
        "move": play(
            player_to_move(taken),
            legal[event.number % len(legal)],
            now,
            event.credit,
            lag=event.lag,
        ),
        "random move": play(event.player, event.number, now, event.credit, lag=event.lag),
        "random ply": play(event.player, legal[0], now, event.credit, ply=event.number),
        "resign": resign(event.player),
        "unreadable": send_unreadable(event.player),
        "disconnect": disconnect(event.player, now),
        "reconnect": reconnect(event.player, now),
        "take back": take_back(event.player, now),
        "tick": tick(now, event.lag),
        "abort": abort("stopped"),
    }
    return events[event.kind](referee)


def play_random_events(
    stones: int,
    control: TimeControl,
    script: list[RandomEvent],
    casual: bool = False,
    grants_takebacks: Collection[int] = (2,),
) -> RandomMatch:
    """Play random events, then wait for the deadline."""
    referee = new_match(stones, control=control, casual=casual, grants_takebacks=grants_takebacks)
    played = RandomMatch(stones, control, referee, [], [])
    now = 0.0
    played.sent.extend(played.referee.start(now))
    for event in script:
        now += event.wait
        played.results.append(played.referee.result)
        played.sent.extend(process(played.referee, stones, event, now) or [])
    played.results.append(played.referee.result)
    if played.referee.deadline is not None:
        played.referee.tick(max(now, played.referee.deadline))
    played.results.append(played.referee.result)
    return played


kinds = ["move"] * 20 + [
    "random move",
    "random ply",
    "unreadable",
    "disconnect",
    "reconnect",
    "reconnect",
    "tick",
] * 2
kinds += ["take back"] * 5
random_events = st.builds(
    RandomEvent,
    st.sampled_from([*kinds, "resign", "abort"]),
    st.sampled_from([1, 2]),
    st.integers(0, 30),
    st.integers(0, 16).map(lambda eighths: eighths / 8),
    st.sampled_from([0.0, 0.03125, 0.0625, 1.0]),
    st.sampled_from([0.0, 0.0, 0.0625, 0.25, 2.0]),
)
scripts = st.integers(1, 30), st.sampled_from(CONTROLS), st.lists(random_events, max_size=40)
for_random_matches = given(st.builds(play_random_events, *scripts))
for_random_casual_matches = given(
    st.builds(play_random_events, *scripts, st.just(True), st.sampled_from([(), (2,), (1, 2)]))
)


@for_random_matches
def test_match_ends_once_with_a_reason(played: RandomMatch) -> None:
    result = played.referee.result
    assert result
    assert len({id(result) for result in played.results if result}) == 1
    ended = [result is not None for result in played.results]
    assert ended == sorted(ended)
    assert (result.winner is None) == (result.termination is ABORTED)
    names = {1: ("player 2 (bert) ",), 2: ("player 1 (anna) ",), None: ("stopped", "the arena ")}
    assert result.reason.startswith(names[result.winner])


def check_moves(played: RandomMatch) -> None:
    """Check that the recorded moves are legal, and that only their end is that of the game."""
    taken = tuple(move.move for move in played.referee.moves)
    assert all(stone in legal_moves(played.stones, taken[:ply]) for ply, stone in enumerate(taken))
    assert [move.ply for move in played.referee.moves] == [*range(len(played.referee.moves))]
    result = played.referee.result
    assert result
    assert (result.termination is NO_LEGAL_MOVE) == (legal_moves(played.stones, taken) == [])


test_recorded_moves_are_legal = for_random_matches(check_moves)
test_moves_after_takebacks_are_legal = for_random_casual_matches(check_moves)


@for_random_matches
def test_charges_are_those_of_the_clocks(played: RandomMatch) -> None:
    assert all(move.charged == move.elapsed - move.credit for move in played.referee.moves)
    assert all(0 <= move.credit <= move.elapsed for move in played.referee.moves)
    first = {turn.ply: turn for _, turn in reversed(played.sent) if isinstance(turn, Turn)}
    for ply, turn in first.items():
        expected = [1000 * max(0.0, bank) for bank in remaining_times(played)[ply]]
        assert turn.clocks_ms == pytest.approx(expected, abs=1.001)
    for move, left in zip(played.referee.moves, remaining_times(played), strict=False):
        assert move.charged < left[move.ply % 2] + played.control.margin + 1e-9
    fault, result = played.referee.fault, played.referee.result
    if fault and result and result.termination is TIMEOUT:
        rest = remaining_times(played)[-1][fault.ply % 2] + played.control.margin
        assert fault.lag < MAX_LAG or fault.lag < fault.charged - rest + 1e-9


def remaining_times(played: RandomMatch) -> list[tuple[float, float]]:
    """Return the remaining times of both players before each move and after the last."""
    left = [played.control.base] * 2
    history = [(left[0], left[1])]
    for move in played.referee.moves:
        if not played.control.per_move:
            left[move.ply % 2] += played.control.increment - move.charged
        history.append((left[0], left[1]))
    return history


@for_random_matches
def test_faults_follow_the_last_move(played: RandomMatch) -> None:
    result = played.referee.result
    assert result
    is_fault = result.termination in {TIMEOUT, ILLEGAL_MOVE} or "flag" in result.reason
    is_fault |= "its time ran out" in result.reason
    assert (played.referee.fault is not None) == is_fault
    fault = played.referee.fault
    assert fault is None or fault.ply == len(played.referee.moves)


@for_random_matches
def test_turns_are_sent_with_the_moves_so_far(played: RandomMatch) -> None:
    turns = [(player, turn) for player, turn in played.sent if isinstance(turn, Turn)]
    assert all(player == turn.you == player_to_move(tuple(turn.moves)) for player, turn in turns)
    taken = [move.move for move in played.referee.moves]
    assert all(turn.moves == taken[: turn.ply] for _, turn in turns)


# Random casual matches


@for_random_casual_matches
def test_turns_after_takebacks_have_moves_and_clocks(played: RandomMatch) -> None:
    taken = [move.move for move in played.referee.moves]
    turns = [turn for _, turn in played.sent if isinstance(turn, Turn)]
    assert not turns or turns[-1].moves == taken[: turns[-1].ply]
    for turn in [turn for _, turn in played.sent if isinstance(turn, Turn)][-1:]:
        mine, other = turn.you - 1, 2 - turn.you
        expected = [1000 * max(0.0, bank) for bank in remaining_times(played)[turn.ply]]
        assert turn.clocks_ms[other] == pytest.approx(expected[other], abs=1.001)
        assert turn.clocks_ms[mine] <= expected[mine]  # its clock runs until the turn is sent again
    for move, left in zip(played.referee.moves, remaining_times(played), strict=False):
        assert move.charged < left[move.ply % 2] + played.control.margin + 1e-9
