"""Feeds of results as JSON Feed 1.1 (jsonfeed.org) and Atom (RFC 4287), by day. Pure."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from arena.model.timestamps import format_timestamp
from arena.model.visible import printable
from arena.sharing.address import Address
from arena.sharing.shared_match import format_date, game_title, meeting
from arena.storage.day_reader import Day

TITLE = "Arena: results"
JSON_PATH, ATOM_PATH = "/feed.json", "/feed.xml"
ATOM = "http://www.w3.org/2005/Atom"


def json_feed(days: Sequence[Day], base: str) -> bytes:
    """Return a JSON Feed of days.

    Args:
        days: The days, the latest one first.
        base: The URL of the arena without a path; "" if it is not known, so that the addresses in
            the feed are paths.
    """
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": TITLE,
        "home_page_url": f"{base}/",
        "feed_url": f"{base}{JSON_PATH}",
        "language": "en",
        "items": [
            {
                "id": _id(day, base),
                "url": _url(day, base),
                "title": title(day),
                "content_html": content_html(day, base),
                "date_published": _time(day),
                "date_modified": _time(day),
            }
            for day in days
        ],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode() + b"\n"


def atom_feed(days: Sequence[Day], base: str) -> bytes:
    """Return an Atom feed of days; the arguments are those of `json_feed`."""
    feed = Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
    _add(feed, "title", TITLE)
    _add(feed, "id", f"{base}{ATOM_PATH}")
    _add(feed, "link", rel="self", href=f"{base}{ATOM_PATH}")
    _add(feed, "link", href=f"{base}/")
    _add(feed, "updated", _time(days[0]) if days else "1970-01-01T00:00:00Z")
    _add(SubElement(feed, "author"), "name", "Arena")
    for day in days:
        entry = SubElement(feed, "entry")
        _add(entry, "title", title(day))
        _add(entry, "id", _id(day, base))
        _add(entry, "link", href=_url(day, base))
        _add(entry, "updated", _time(day))
        _add(entry, "content", content_html(day, base), type="html")
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def title(day: Day) -> str:
    """Return the title of an entry, such as "1 March 2026: 12 matches"."""
    return f"{format_date(day.day)}: {_count(day.matches)}"


def content_html(day: Day, base: str) -> str:
    """Return the text of an entry: the number of matches of each game, and the latest ones."""
    return "".join(_html(day, base))


def _html(day: Day, base: str) -> Iterator[str]:
    games = ", ".join(
        f"{_shown(game_title(game))}: {_count(count)}" for game, count in day.games.items()
    )
    yield f"<p>{games}.</p><ul>"
    for match in day.latest:
        url = f"{base}{Address(match.match, None, '')}"
        players = _shown(meeting(match.players, match.result))
        yield f'<li><a href="{escape(url)}">{players}</a>, {_shown(game_title(match.game))}</li>'
    yield "</ul>"


def _shown(text: str) -> str:
    """Return a text as HTML, without characters that XML forbids: stored names may be any."""
    return escape(printable(text))


def _add(parent: Element, name: str, text: str | None = None, **attributes: str) -> None:
    SubElement(parent, name, attributes).text = text


def _id(day: Day, base: str) -> str:
    return f"{base}{ATOM_PATH}#{day.day}"


def _url(day: Day, base: str) -> str:
    """Return the page's list of the matches of a day."""
    return f"{base}/#/games?since={day.day}&until={day.day}"


def _time(day: Day) -> str:
    return format_timestamp(float(int(day.updated_at)))


def _count(matches: int) -> str:
    return f"{matches} match{'' if matches == 1 else 'es'}"
