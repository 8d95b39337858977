"""Pseudonyms of submissions."""

import os
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.arguments import UsageError
from arena.cli.pseudonyms import (
    ANIMALS,
    assign_pseudonyms,
    choose_pseudonyms,
    names_file,
    names_of,
    read_names,
)
from arena.runner.named_bots import parse_bots

WORDS = ANIMALS.split()


def test_pseudonyms_are_stored_in_a_private_file(db: Path) -> None:
    before = os.umask(0)
    try:
        found = assign_pseudonyms(db, ["ada", "bob"], [])
    finally:
        os.umask(before)
    assert read_names(db) == found
    assert {*found.values()} <= {*WORDS}
    assert names_file(db).parent == db.parent
    assert names_file(db).stat().st_mode & 0o777 == 0o600


def test_names_of_those_that_played(db: Path) -> None:
    with pytest.raises(UsageError, match="belongs to no anonymous tournament"):
        names_of(db, ["random"])
    found = assign_pseudonyms(db, ["ada", "bob"], [])
    assert names_of(db, ["random", found["ada"]]) == {found["ada"]: "ada"}
    with pytest.raises(UsageError, match="belongs to no anonymous tournament"):
        names_of(db, ["random"])


def test_pseudonyms_are_stable(db: Path) -> None:
    first = assign_pseudonyms(db, ["ada", "bob"], [])
    names_file(db).with_name(f"{names_file(db).name}.new").touch()  # a write that was killed
    later = assign_pseudonyms(db, ["bob", "eva"], [])
    assert later["bob"] == first["bob"]
    assert read_names(db) == first | later
    assert later["eva"] not in first.values()


def test_files_of_names_that_cannot_be_read(db: Path) -> None:
    assert read_names(db) == {}
    names_file(db).mkdir()
    with pytest.raises(UsageError, match=r"^cannot read .*names\.json: Is a directory$"):
        read_names(db)


def test_an_invalid_file(db: Path) -> None:
    names_file(db).write_text("[]")
    with pytest.raises(UsageError, match=r"names\.json: Expected `object`"):
        read_names(db)


@given(st.integers(0, 200), st.sets(st.sampled_from(WORDS)), st.integers())
def test_all_names_are_different(count: int, others: set[str], seed: int) -> None:
    names = [f"s{number}" for number in range(count)]
    found = choose_pseudonyms(names, {"s0": "Wolf 2"}, others, Random(seed))
    assert found.keys() == {*names[1:]}
    assert len({*found.values(), *others, "Wolf 2"}) == len(found) + len(others) + 1


def test_pseudonyms_are_names_of_bots() -> None:
    assert len({*WORDS}) == len(WORDS)
    bots = [f"{word}=random" for word in (*WORDS, "Wolf 2")]
    assert parse_bots(bots).keys() == {*WORDS, "Wolf 2"}
