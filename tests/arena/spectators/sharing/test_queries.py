"""The worker's queries: matches and feeds of a database, also of a damaged one."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.model.timestamps import format_timestamp
from arena.protocol.codec import RequestError
from arena.spectators.sharing.endpoint import can_draw_png
from arena.spectators.sharing.queries import SharingQueries
from arena.spectators.sharing.shared_match import ATOM_PATH, JSON_PATH
from arena.storage.writer import DatabaseWriter
from tests.arena.spectators.sharing.test_shared_match import MATCH
from tests.support.cases import loop_over
from tests.support.page.sites import SEVEN, SHORT, store_match, store_sample_matches


def damage(db: Path, statement: str) -> None:
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute(statement)


def test_a_match_is_read(db: Path) -> None:
    store_sample_matches(db)
    match = SharingQueries(db).match(SEVEN)
    assert (match.players, match.moves) == (("ann", "bob"), tuple(SHORT))


def test_stored_matches_that_cannot_be_read(db: Path) -> None:
    store_sample_matches(db)
    damage(db, "UPDATE matches SET termination = 'x'")
    with pytest.raises(RequestError, match=r"^the stored matches cannot be read$"):
        SharingQueries(db).feed(JSON_PATH, "", 1)


@loop_over("ending", [".svg", ".png"])
def test_a_damaged_match(db: Path, ending: str) -> None:
    queries = SharingQueries(db)
    with pytest.raises(RequestError, match=r"^match 12 is damaged: illegal move 2: "):
        queries.picture(MATCH._replace(moves=(3, 3)), 2, ending)
    with pytest.raises(RequestError, match=r"^match 12 is damaged: "):
        queries.picture(MATCH._replace(setup=(("size", 7),)), 0, ending)


@loop_over(("ending", "start"), [(".svg", b"<svg "), (".png", b"\x89PNG")])
def test_a_picture(db: Path, ending: str, start: bytes) -> None:
    assert can_draw_png()
    assert SharingQueries(db).picture(MATCH, 2, ending).startswith(start)


def test_days_are_read_again_for_a_new_version(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        queries = SharingQueries(db)
        empty = queries.feed(JSON_PATH, "", 1)
        assert empty[1] == 0
        store_match(writer, ("ann", "bob"), "take_stones", {"stones": 7}, SHORT)
        assert queries.feed(JSON_PATH, "", 1) == empty
        for path in JSON_PATH, ATOM_PATH:
            body, updated_at = queries.feed(path, "", 2)
            assert b"bob beat ann" in body
            assert updated_at == 1.7e9 + len(SHORT)


def test_a_tournament_that_has_ended_is_the_first_entry(complete: Path) -> None:
    body, updated_at = SharingQueries(complete).feed(JSON_PATH, "", 1)
    first, day = json.loads(body)["items"]
    assert first["title"] == "Take-Stones round robin of 3 bots: final places"
    assert first["date_published"] == day["date_published"] == format_timestamp(int(updated_at))
