"""`arena plot`: pictures of a database, run as in a shell."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arena.model.results import MatchRecord
from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.tournaments.databases import MOVES, make_database
from tests.support.tournaments.records import make_pairing, make_record

DESCRIPTION = "{http://www.w3.org/2000/svg}desc"
TITLES = {
    "rating": "Ratings in Elo by number of matches: ",
    "openings": "Points of player 1 by opening: ",
    "lengths": "Number of games by length: ",
    "time": "Mean time of a move by ply: ",
}


@pytest.fixture
def timed(db: Path) -> Path:
    """Create a database of two matches whose moves have taken time, as not all short ones do."""
    one = make_record(make_pairing(1), moves=MOVES)
    two = make_record(make_pairing(2, ("bert", "anna")), attempt=2, moves=MOVES)
    return store(db, one, two)


def description(picture: str) -> str:
    return ET.fromstring(picture).findtext(DESCRIPTION) or ""


@pytest.mark.parametrize("kind", TITLES)
def test_a_picture_of_each_kind(timed: Path, tmp_path: Path, arena: Run, kind: str) -> None:
    picture = tmp_path / "cup.svg"
    assert arena("plot", timed, "--kind", kind, "--output", picture) == CompletedCommand(0, "", "")
    assert description(picture.read_text()).startswith(TITLES[kind])


def test_kinds_and_an_anchor(timed: Path, arena: Run, complete: Path) -> None:
    code, out, err = arena("plot", timed)
    assert (code, err) == (0, "")
    assert all(title in description(out) for title in TITLES.values())
    _, out, _ = arena("plot", complete, "--kind", "rating", "--anchor", "random=1500")
    assert "random +1500" in description(out)


def store(path: Path, *records: MatchRecord) -> Path:
    return make_database(path, records, None)


def test_databases_without_matches_or_times(tmp_path: Path, arena: Run) -> None:
    db = store(tmp_path / "cup.db")
    message = f"arena: {db} has no rated matches to plot\n"
    assert arena("plot", db) == CompletedCommand(2, "", message)
    db = store(tmp_path / "untimed.db", make_record(make_pairing()))
    code, out, err = arena("plot", db, "--kind", "time")
    assert (code, out) == (2, "")
    assert err == f"arena: {db} has no plot of kind time: no time was measured\n"
    assert not arena("plot", db)[2]


def test_an_unknown_game_or_anchor(complete: Path, arena: Run) -> None:
    code, out, err = arena("plot", complete, "--game", "chess")
    assert (code, out) == (2, "")
    assert err == "arena: --game: no rated matches of chess (choose from take_stones)\n"
    code, out, err = arena("plot", complete, "--anchor", "x=0")
    assert (code, out) == (2, "")
    assert "'x'" in err
