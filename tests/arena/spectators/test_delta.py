"""What there is to tell from a place on: checked as a viewer reads it."""

import json
from typing import Any

import pytest

from arena.spectators.delta import NOWHERE, News, Place, Solved
from arena.spectators.live_state import KEPT
from tests.arena.spectators.test_live_state import Happening


class Reader:
    """Follows a match, and keeps what it is told."""

    def __init__(self, news: News, match: int | None) -> None:
        self._news = news
        self.place = Place(match)
        self.moves: list[int] = []
        self.winners: list[int] = []
        self.types: list[str] = []

    def read(self) -> list[Any]:
        frames, self.place = self._news.after(self.place)
        messages = [json.loads(frame) for frame in frames]
        for message in messages:
            self.types.append(message["type"])
            if message["type"] in {"match", "moves"}:
                self.moves[message["moves"]["ply"] :] = message["moves"]["moves"]
                del self.winners[message["moves"]["ply"] + 1 :]
            if message["type"] == "winners":
                assert message["ply"] <= len(self.winners)
                self.winners[message["ply"] :] = message["winners"]
            elif message["type"] == "match":
                self.winners = message["winners"] or []
        return messages


@pytest.fixture
def here() -> Happening:
    return Happening()


@pytest.fixture
def news(here: Happening) -> News:
    return News(here.feed, lambda: here.time)


def test_who_follows_nothing_is_told_nothing(news: News) -> None:
    assert news.after(NOWHERE) == ([], NOWHERE)


def test_a_match_is_told_whole_and_then_its_news(here: Happening, news: News) -> None:
    match = here.start()
    here.move(match, 3)
    reader = Reader(news, match)
    reader.read()
    here.move(match, 6)
    reader.read()
    assert (reader.types, reader.moves) == (["match", "moves"], [3, 6])
    assert not reader.read()


def test_who_wins_is_told_once_it_is_known(here: Happening, news: News) -> None:
    match = here.start()
    reader = Reader(news, match)
    reader.read()
    here.move(match, 3)
    news.keep_winners(match, Solved([3], [2, 2]))
    reader.read()
    assert (reader.types, reader.winners) == (["match", "moves", "winners"], [2, 2])


def test_who_wins_is_told_with_the_whole_match(here: Happening, news: News) -> None:
    match = here.start()
    here.move(match, 3)
    news.keep_winners(match, Solved([3], [2, 2]))
    reader = Reader(news, match)
    reader.read()
    assert (reader.types, reader.winners) == (["match"], [2, 2])


def test_what_was_worked_out_for_other_moves_is_not_told(here: Happening, news: News) -> None:
    match = here.start()
    for move in (3, 6, 2):
        here.move(match, move)
    news.keep_winners(match, Solved([3, 6, 2], [2, 2, 1, 1]))
    reader = Reader(news, match)
    reader.read()
    here.take_back(match, 1)
    here.move(match, 1)
    reader.read()
    assert (reader.moves, reader.winners) == ([3, 1], [2, 2])
    news.keep_winners(match, Solved([3, 1], [2, 2, 1]))
    reader.read()
    assert reader.winners == [2, 2, 1]


def test_the_end_is_told_once(here: Happening, news: News) -> None:
    match = here.start()
    reader = Reader(news, match)
    reader.read()
    here.finish(match)
    reader.read()
    assert reader.types == ["match", "moves", "result"]
    assert not reader.read()
    late = Reader(news, match)
    [whole] = late.read()
    assert whole["result"]["winner"] == 1
    assert not late.read()


def test_a_match_that_ended_long_ago_leads_nowhere(here: Happening, news: News) -> None:
    match = here.start()
    reader = Reader(news, match)
    reader.read()
    here.finish(match)
    for _ in range(KEPT):
        here.finish(here.start())
    assert not reader.read()
    assert reader.place == NOWHERE


def test_tables_are_told_to_the_lobby_when_they_are_new(here: Happening, news: News) -> None:
    reader = Reader(news, None)
    reader.read()
    news.keep_tables('{"type":"tables","tables":[]}')
    reader.read()
    here.feed.joined("ann", "127.0.0.1")
    reader.read()
    assert reader.types == ["lobby", "tables", "lobby"]


def test_what_is_not_known_has_to_be_worked_out(here: Happening, news: News) -> None:
    match = here.start()
    shown = here.feed.find(match)
    assert shown
    assert news.is_unsolved(shown)
    news.keep_winners(match, Solved([], [2]))
    assert not news.is_unsolved(shown)
    here.move(match, 3)
    assert news.is_unsolved(shown)
    news.keep_winners(match, Solved([], None))
    assert not news.is_unsolved(shown)
    assert Reader(news, match).read()[0]["winners"] is None


def test_what_nobody_follows_is_forgotten(here: Happening, news: News) -> None:
    one, two = here.start(), here.start()
    for match in (one, two):
        news.keep_winners(match, Solved([], [2]))
    assert news.forget_all_but({one, None}) == [two]
    assert news.forget_all_but({one, None}) == []
