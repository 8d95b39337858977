"""Feeds of results as JSON Feed 1.1 (jsonfeed.org) and Atom (RFC 4287), and a tournament's end.

An entry is a day, or a tournament that has ended.
"""

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from arena.model.timestamps import format_timestamp
from arena.model.visible import printable
from arena.ratings import rate
from arena.spectators.sharing.shared_match import (
    ATOM_PATH,
    JSON_PATH,
    Address,
    format_date,
    game_title,
    meeting,
)
from arena.storage.spectator_reader import Day, DayReader
from arena.tournament.format_state import Place, final_places, rating_places
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from arena.tournament.standings import standings
from core import GAMES

TITLE = "Arena: results"
ATOM = "http://www.w3.org/2005/Atom"


class FinishedTournament(NamedTuple):
    """A tournament with all its matches stored.

    Attributes:
        game: The name of the game.
        format: The format.
        bots: The number of bots.
        matches: The number of rated matches.
        places: The first places, the best one first.
        updated_at: Unix time of the end of the last match.
    """

    game: str
    format: str
    bots: int
    matches: int
    places: tuple[Place, ...]
    updated_at: float


def find_finished_tournament(reader: DayReader) -> FinishedTournament | None:
    """Return the tournament of a database.

    Returns:
        The tournament; None without one, before its end, and if its game is not installed.

    Raises:
        DatabaseError: The database cannot be read.
    """
    plan = reader.decoded_plan()
    if not plan or plan.game not in GAMES:
        return None
    if not (places := _places(plan, reader)):
        return None
    matches, updated_at = reader.tournament_progress()
    return FinishedTournament(
        plan.game, plan.format, len(plan.bots), matches, tuple(places), updated_at
    )


def _places(plan: Plan, reader: DayReader) -> list[Place]:
    """Return the first places, none before the end."""
    schedule = Schedule(plan, reader.results()) if plan.needs_results else None
    if schedule and plan.sprt is None:
        return final_places(plan, schedule.scores)
    is_decided = schedule is not None and schedule.is_decided
    if not (is_decided or reader.tournament_progress().matches == plan.matches):
        return []
    tally, (_, scores) = reader.tallies()[plan.game], reader.pair_scores(plan.game)
    ratings = rate(tally, scores)
    return rating_places(standings(tally, ratings, plan.bots, scores), ratings)


Entry = Day | FinishedTournament


def json_feed(entries: Sequence[Entry], base: str) -> bytes:
    """Return a JSON Feed.

    Args:
        entries: The entries, the latest one first.
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
                "id": _id(entry, base),
                "url": _url(entry, base),
                "title": title(entry),
                "content_html": content_html(entry, base),
                "date_published": _time(entry),
                "date_modified": _time(entry),
            }
            for entry in entries
        ],
    }
    return json.dumps(feed, ensure_ascii=False, indent=1).encode() + b"\n"


def atom_feed(entries: Sequence[Entry], base: str) -> bytes:
    """Return an Atom feed, with the arguments of `json_feed`."""
    feed = Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
    _add(feed, "title", TITLE)
    _add(feed, "id", f"{base}{ATOM_PATH}")
    _add(feed, "link", rel="self", href=f"{base}{ATOM_PATH}")
    _add(feed, "link", href=f"{base}/")
    _add(feed, "updated", _time(entries[0]) if entries else "1970-01-01T00:00:00Z")
    _add(SubElement(feed, "author"), "name", "Arena")
    for entry in entries:
        element = SubElement(feed, "entry")
        _add(element, "title", title(entry))
        _add(element, "id", _id(entry, base))
        _add(element, "link", href=_url(entry, base))
        _add(element, "updated", _time(entry))
        _add(element, "content", content_html(entry, base), type="html")
    document: bytes = ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def title(entry: Entry) -> str:
    """Return the title of an entry, such as "1 March 2026: 12 matches"."""
    if isinstance(entry, Day):
        return f"{format_date(entry.day)}: {_count(entry.matches)}"
    format_name = entry.format.replace("-", " ")
    return f"{printable(game_title(entry.game))} {format_name} of {entry.bots} bots: final places"


def content_html(entry: Entry, base: str) -> str:
    """Return the text of an entry.

    A day has the number of matches of each game, and the latest ones; a tournament has its first
    places.
    """
    return "".join(_html(entry, base) if isinstance(entry, Day) else _places_html(entry))


def _places_html(tournament: FinishedTournament) -> Iterator[str]:
    yield f"<p>{_count(tournament.matches)} played.</p><ul>"
    for rank, bot, score in tournament.places:
        yield f"<li>{rank}. {_shown(bot)}: {score}</li>"
    yield "</ul>"


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


def _id(entry: Entry, base: str) -> str:
    """Return the identifier; an extended tournament ends again, with another one."""
    name = entry.day if isinstance(entry, Day) else f"tournament-{int(entry.updated_at)}"
    return f"{base}{ATOM_PATH}#{name}"


def _url(entry: Entry, base: str) -> str:
    """Return the page's list of the matches of a day, or the lobby with the podium."""
    if isinstance(entry, Day):
        return f"{base}/#/games?since={entry.day}&until={entry.day}"
    return f"{base}/"


def _time(entry: Entry) -> str:
    return format_timestamp(float(int(entry.updated_at)))


def _count(matches: int) -> str:
    return f"{matches} match{'' if matches == 1 else 'es'}"
