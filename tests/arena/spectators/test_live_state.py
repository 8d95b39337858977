"""What there is to see: whoever is told now and then comes to know the same as who asks once."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import (
    Fault,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedMove,
    RatedResult,
    Tally,
    Termination,
)
from arena.protocol.spectator import Lobby, MoveUpdate, TimeControlInfo
from arena.spectators.live_state import (
    KEPT,
    LOBBY_MATCHES,
    RESULTS,
    LiveState,
    control_of,
    summary_of,
)
from tests.support.arena_server import pairing

SEVEN = pairing("one", "two")


class Happening:
    """A feed, and what happens around it."""

    def __init__(self) -> None:
        self.time = 100.0
        self.feed = LiveState("5+0.05", [], {}, lambda: self.time, lambda: 1e9 + self.time)
        self.plies: dict[int, int] = {}
        self.ids = itertools.count(1)
        self.changes = 0
        self.feed.changed = self.change

    def change(self) -> None:
        self.changes += 1

    def start(self, what: Pairing = SEVEN) -> int:
        match = next(self.ids)
        self.feed.started(match, what)
        self.plies[match] = len(what.opening)
        return match

    def move(self, match: int, move: int = 1, charged: float = 0.25) -> None:
        ply = self.plies[match]
        self.feed.moved(match, PlayedMove(ply, move, charged, 0.0, charged, 0.0))
        self.plies[match] = ply + 1

    def take_back(self, match: int, ply: int) -> None:
        self.feed.taken_back(match, ply)
        self.plies[match] = ply

    def finish(self, match: int, what: Pairing = SEVEN, fault: Fault | None = None) -> None:
        del self.plies[match]
        self.feed.finished(record(match, what, fault))


def record(match: int, what: Pairing = SEVEN, fault: Fault | None = None) -> MatchRecord:
    result = MatchResult(Termination.NO_LEGAL_MOVE, 1, "player 2 (two) cannot move")
    return MatchRecord(match, what, "5+0.05", 1e9, 1e9 + 5, result, (), fault)


class Spectator:
    """Keeps what it is told of the lobby, as the page does."""

    def __init__(self) -> None:
        self.seen = 0
        self.moves: dict[int, list[int]] = {}
        self.bots: list[str] = []
        self.results: list[int] = []

    def look(self, feed: LiveState) -> None:
        news = feed.lobby(self.seen)
        self.seen = feed.stamp
        if news:
            self._hear(news)

    def _hear(self, news: Lobby) -> None:
        if news.full:
            self.moves = {}
        for facts in news.started:
            self.moves[facts.match] = []
        for moves in news.moves:
            self.moves[moves.match][moves.ply :] = moves.moves
        for match in news.over:
            self.moves.pop(match, None)
        if news.bots is not None:
            self.bots = [*news.bots]
        if news.results is not None:
            self.results = [summary.facts.match for summary in news.results]


@pytest.fixture
def here() -> Happening:
    return Happening()


def told(feed: LiveState, seen: int) -> Lobby:
    news = feed.lobby(seen)
    assert news
    return news


def test_a_control_is_told_in_milliseconds() -> None:
    assert control_of("5+0.05") == TimeControlInfo("5+0.05", 5000, 50, False)
    assert control_of("0.5/move") == TimeControlInfo("0.5/move", 500, 0, True)


def test_the_first_look_shows_everything(here: Happening) -> None:
    here.feed.joined("one", "127.0.0.1")
    match = here.start()
    here.move(match, 3)
    news = told(here.feed, 0)
    assert (news.full, news.playing, news.finished, news.bots) == (True, 1, 0, ["one"])
    assert news.started[0].players == ("one", "two")
    assert [*news.moves] == [MoveUpdate(match, 0, [3], [250], 0)]


def test_an_empty_arena_can_be_seen_too(here: Happening) -> None:
    assert told(here.feed, 0) == Lobby(True, 0, (), (), (), [], [], 0)


def test_what_has_been_seen_is_not_told_again(here: Happening) -> None:
    here.start()
    assert here.feed.lobby(here.feed.stamp) is None


def test_later_only_what_is_new_is_told(here: Happening) -> None:
    one, two = here.start(), here.start()
    here.move(one, 3)
    seen = here.feed.stamp
    here.move(two, 1)
    here.time += 1.5
    assert told(here.feed, seen) == Lobby(
        playing=2, moves=[MoveUpdate(two, 0, [1], [250], 1500)], bots=None
    )


def test_an_opening_takes_no_time(here: Happening) -> None:
    match = here.start(pairing("one", "two", opening=(3, 6)))
    here.move(match, 2)
    assert told(here.feed, 0).moves[0] == MoveUpdate(match, 0, [3, 6, 2], [0, 0, 250], 0)


def test_moves_that_are_taken_back_are_cut_off(here: Happening) -> None:
    match = here.start()
    for move in (3, 6, 2):
        here.move(match, move)
    seen = here.feed.stamp
    here.take_back(match, 1)
    assert [*told(here.feed, seen).moves] == [MoveUpdate(match, 1, [], [], 0)]


def test_another_move_replaces_one_that_was_taken_back(here: Happening) -> None:
    match = here.start()
    here.move(match, 3)
    seen = here.feed.stamp
    here.take_back(match, 0)
    here.move(match, 1)
    assert [*told(here.feed, seen).moves] == [MoveUpdate(match, 0, [1], [250], 0)]


def test_the_end_of_a_match_is_told(here: Happening) -> None:
    match = here.start()
    seen = here.feed.stamp
    here.finish(match)
    news = told(here.feed, seen)
    assert ([*news.over], news.playing, news.finished) == ([match], 0, 1)
    assert news.results
    assert news.results[0].result.reason == "player 2 (two) cannot move"


def test_the_last_moves_are_told_with_the_end(here: Happening) -> None:
    match = here.start()
    here.move(match, 3)
    seen = here.feed.stamp
    here.move(match, 1)
    here.finish(match)
    news = told(here.feed, seen)
    assert [*news.moves] == [MoveUpdate(match, 1, [1], [250], None)]
    assert [*news.over] == [match]


def test_a_match_that_nobody_has_seen_is_only_a_result(here: Happening) -> None:
    seen = here.feed.stamp
    match = here.start()
    here.move(match, 3)
    here.finish(match)
    news = told(here.feed, seen)
    assert ([*news.moves], [*news.over]) == ([], [])
    assert news.results


def test_a_fault_is_told_with_its_time(here: Happening) -> None:
    match = here.start()
    here.finish(match, fault=Fault(0, 5, 2.0, 0.0, 2.0, 0.0))
    shown = here.feed.find(match)
    assert shown
    assert shown.result
    assert shown.result.fault == (5, 2000)


def test_nobody_thinks_after_the_end(here: Happening) -> None:
    match = here.start()
    here.finish(match)
    shown = here.feed.find(match)
    assert shown
    assert shown.since(0, here.time).since_ms is None


def test_a_match_that_ended_long_ago_is_forgotten(here: Happening) -> None:
    for _ in range(KEPT + 1):
        here.finish(here.start())
    assert here.feed.find(1) is None
    assert here.feed.find(2)


def test_casual_matches_count_nowhere_but_are_results(here: Happening) -> None:
    casual = Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, casual=True, time="9/move")
    match = here.start(casual)
    here.finish(match, casual)
    news = told(here.feed, 0)
    assert news.finished == 0
    assert news.results
    assert news.results[0].facts.casual


def test_a_match_with_a_time_of_its_own_is_told_with_it(here: Happening) -> None:
    here.start(Pairing(None, ("one", "two"), "take_stones", {"stones": 7}, time="9/move"))
    assert told(here.feed, 0).started[0].control == TimeControlInfo("9/move", 9000, 0, True)


def test_what_was_counted_before_goes_on() -> None:
    outcome = RatedResult("one", "two", 1, Termination.NO_LEGAL_MOVE)
    before = [summary_of(record(1), 3)]
    tallies = {"take_stones": Tally({outcome: 4})}
    feed = LiveState("5+0.05", before, tallies, lambda: 0.0, lambda: 0.0)
    feed.started(2, SEVEN)
    feed.finished(record(2))
    news = told(feed, 0)
    assert news.finished == 5
    assert news.results
    assert [summary.facts.match for summary in news.results] == [2, 1]
    assert tallies["take_stones"][outcome] == 4


def test_only_so_many_matches_are_in_the_lobby(here: Happening) -> None:
    matches = [here.start() for _ in range(LOBBY_MATCHES + 2)]
    news = told(here.feed, 0)
    assert news.playing == LOBBY_MATCHES + 2
    assert [facts.match for facts in news.started] == matches[:LOBBY_MATCHES]


def test_the_next_comes_into_the_lobby_when_one_is_over(here: Happening) -> None:
    matches = [here.start() for _ in range(LOBBY_MATCHES + 2)]
    here.move(matches[-2], 3)
    seen = here.feed.stamp
    here.finish(matches[0])
    here.finish(matches[-1])
    news = told(here.feed, seen)
    assert [*news.over] == [matches[0]]
    assert [facts.match for facts in news.started] == [matches[-2]]
    assert MoveUpdate(matches[-2], 0, [3], [250], 0) in news.moves


def test_who_has_not_looked_for_long_is_told_everything(here: Happening) -> None:
    gone = here.start()
    seen = here.feed.stamp
    here.finish(gone)
    for _ in range(KEPT + 1):
        here.finish(here.start())
    assert told(here.feed, seen).full


def test_every_change_is_announced(here: Happening) -> None:
    here.feed.joined("one", "127.0.0.1")
    here.feed.left("one")
    match = here.start()
    here.move(match)
    before = here.changes
    here.take_back(match, 0)
    here.finish(match)
    assert before >= 4
    assert here.changes == before + 2


def test_the_oldest_match_is_known(here: Happening) -> None:
    assert here.feed.oldest_running is None
    one, two = here.start(), here.start()
    here.finish(one)
    assert here.feed.oldest_running == two


def test_a_name_is_here_as_long_as_anybody_has_it(here: Happening) -> None:
    for _ in range(2):
        here.feed.joined("ann", "127.0.0.1")
    here.feed.left("ann")
    assert told(here.feed, 0).bots == ["ann"]
    here.feed.left("ann")
    assert told(here.feed, 0).bots == []


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5)), max_size=60), st.data())
def test_who_looks_now_and_then_sees_what_who_looks_once_sees(steps: Any, data: Any) -> None:
    here, patient, hasty = Happening(), Spectator(), Spectator()
    for what, number in steps:
        playing = [*here.plies]
        match = playing[number % len(playing)] if playing else None
        if what == 0 or match is None:
            here.start()
        elif what == 1:
            here.finish(match)
        elif what == 2:
            here.take_back(match, data.draw(st.integers(0, here.plies[match])))
        elif what == 3:
            here.feed.joined(f"bot {number}", "127.0.0.1")
        elif what == 4 and f"bot {number}" in (told(here.feed, 0).bots or ()):
            here.feed.left(f"bot {number}")
        else:
            here.move(match, number)
        if data.draw(st.booleans()):
            hasty.look(here.feed)
    hasty.look(here.feed)
    patient.look(here.feed)
    assert (hasty.moves, hasty.bots, hasty.results) == (
        patient.moves,
        patient.bots,
        patient.results,
    )
    assert len(patient.results) <= RESULTS
