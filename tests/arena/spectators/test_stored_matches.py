"""Stored matches for clients: what is unknown or damaged is a reply without the database's path."""

from pathlib import Path

import pytest

from arena.protocol.codec import RequestError
from arena.spectators.stored_matches import load_match, reported_damage
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from tests.arena.spectators.sharing.test_queries import damage
from tests.support.cases import loop_over
from tests.support.page.sites import SEVEN, store_sample_matches


@loop_over("match", [99, 2**64])
def test_an_unknown_match(db: Path, match: int) -> None:
    store_sample_matches(db)
    with pytest.raises(RequestError, match=f"^unknown match {match}$") as caught:
        load_match(DatabaseReader(db), match)
    assert caught.value.code == "unknown_match"


def test_a_match_that_cannot_be_read(db: Path) -> None:
    store_sample_matches(db)
    assert load_match(DatabaseReader(db), SEVEN).id == SEVEN
    damage(db, "UPDATE matches SET setup = 'x'")
    with pytest.raises(RequestError, match=f"^match {SEVEN} cannot be read$") as caught:
        load_match(DatabaseReader(db), SEVEN)
    assert caught.value.code == "damaged"


def test_damage_is_reported_and_other_errors_are_left() -> None:
    with (
        pytest.raises(RequestError, match=r"^the stored matches cannot be read$") as caught,
        reported_damage(),
    ):
        raise DatabaseError("/srv/arena.db is damaged")
    assert caught.value.code == "damaged"
    with pytest.raises(ValueError, match="x"), reported_damage():
        raise ValueError("x")
