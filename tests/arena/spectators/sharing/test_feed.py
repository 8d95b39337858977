"""Feeds of results: the elements that their formats require."""

import json
from datetime import date, datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree

from arena.model.results import MatchResult, Termination
from arena.spectators.sharing.feed import (
    FinishedTournament,
    atom_feed,
    content_html,
    json_feed,
    title,
)
from arena.storage.spectator_reader import Day, DayMatch
from arena.tournament.format_state import Place
from tests.arena.spectators.sharing.test_shared_match import WON
from tests.support.cases import loop_over

BASE = "https://arena.example.org"
ATOM = "{http://www.w3.org/2005/Atom}"
DAYS = [
    Day(
        date(2026, 3, 1),
        {"\0<i>": 1, "isolation": 1, "take_stones": 11},
        [
            DayMatch(13, "take_stones", ("<b>", "a & \x1b"), WON),
            DayMatch(12, "unknown\x1b", ("ann", "bob"), MatchResult(Termination.TIMEOUT, 1, "")),
        ],
        1772323200.75,
    ),
    Day(date(2025, 12, 31), {"isolation": 1}, [], 1767139200.0),
]
CUP = FinishedTournament(
    "take_stones",
    "knockout",
    4,
    12,
    (Place(1, "<b>", "won the final"), Place(2, "bob", "lost the final")),
    1772323300.5,
)


def test_titles_and_texts_of_days() -> None:
    assert [*map(title, DAYS)] == ["1 March 2026: 13 matches", "31 December 2025: 1 match"]
    assert content_html(DAYS[0], BASE) == (
        "<p>?&lt;i&gt;: 1 match, Isolation: 1 match, Take-Stones: 11 matches.</p><ul>"
        '<li><a href="https://arena.example.org/match/13">a &amp; ? beat &lt;b&gt;</a>,'
        " Take-Stones</li>"
        '<li><a href="https://arena.example.org/match/12">ann beat bob</a>, unknown?</li></ul>'
    )


def test_a_tournament_that_has_ended() -> None:
    assert title(CUP) == "Take-Stones knockout of 4 bots: final places"
    assert content_html(CUP, BASE) == (
        "<p>12 matches played.</p><ul><li>1. &lt;b&gt;: won the final</li>"
        "<li>2. bob: lost the final</li></ul>"
    )
    [item, _] = json.loads(json_feed([CUP, DAYS[0]], BASE))["items"]
    assert item["id"] == f"{BASE}/feed.xml#tournament-1772323300"
    assert (item["url"], item["date_published"]) == (f"{BASE}/", "2026-03-01T00:01:40Z")


@loop_over("days", [DAYS, DAYS[:1], []])
def test_a_json_feed(days: list[Day]) -> None:
    """See jsonfeed.org/version/1.1."""
    feed = json.loads(json_feed(days, BASE))
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert isinstance(feed["title"], str)
    assert (feed["home_page_url"], feed["feed_url"]) == (f"{BASE}/", f"{BASE}/feed.json")
    assert len({item["id"] for item in feed["items"]}) == len(days)
    for item, day in zip(feed["items"], days, strict=True):
        assert item["content_html"] == content_html(day, BASE)
        assert item["url"].startswith(f"{BASE}/#/games?since={day.day}&until={day.day}")
        for name in ("date_published", "date_modified"):
            assert datetime.fromisoformat(item[name]).timestamp() == int(day.updated_at)


@loop_over("days", [DAYS, DAYS[:1], []])
def test_an_atom_feed(days: list[Day]) -> None:
    """See RFC 4287, 4.1: what a feed and an entry must have, and have once."""
    feed = ElementTree.fromstring(atom_feed(days, BASE))
    assert feed.tag == f"{ATOM}feed"
    assert {link.get("rel", "alternate") for link in feed.findall(f"{ATOM}link")} == {
        "self",
        "alternate",
    }
    assert len(feed.findall(f"{ATOM}author/{ATOM}name")) == 1
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == len(days)
    for element in (feed, *entries):
        for name in ("id", "title", "updated"):
            [found] = element.findall(f"{ATOM}{name}")
            assert found.text
        assert urlsplit(element.findtext(f"{ATOM}id")).scheme == "https"
        assert datetime.fromisoformat(element.findtext(f"{ATOM}updated") or "").tzinfo
    for entry, day in zip(entries, days, strict=True):
        [link] = entry.findall(f"{ATOM}link")
        assert str(link.get("href")).startswith(f"{BASE}/#/games?")
        content = entry.find(f"{ATOM}content")
        assert content is not None
        assert (content.get("type"), content.text) == ("html", content_html(day, BASE))
