"""`arena report` and `arena plot`."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arena.model.results import MatchRecord
from tests.support.cases import loop_over
from tests.support.servers.arena_command import CompletedCommand, Run, with_flags
from tests.support.tournaments.databases import MOVES, make_database
from tests.support.tournaments.played import play_tournament
from tests.support.tournaments.records import make_pairing, make_record

# `arena report`


PLAN = ["tournament", "--bots", "random", "greedy", "spec:1", "--stones", "7", "--seed", "1"]
PANELS = (  # there is one of times too, if any move took a measured time
    "Ratings in Elo by number of matches",
    "Points of player 1 by opening",
    "Points of each bot by side",
    "Number of games by length",
)


def test_report_of_a_tournament(complete: Path, tmp_path: Path, arena: Run) -> None:
    page = tmp_path / "cup.html"
    assert arena("report", complete, "--output", page) == CompletedCommand(0, "", "")
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert text.count("<details") >= 6
    for panel in PANELS:
        assert f'aria-label="{panel} in take_stones"' in text


@pytest.mark.parametrize(
    ("more", "headings"),
    [
        (["--format", "swiss"], ["Buchholz"]),
        (["--format", "knockout"], ["Champion: "]),
        (["--bots", "spec:1", "greedy", "--sprt", "elo0=0", "elo1=900"], ["SPRT elo0=0"]),
        (["--bots", "x=random", "greedy", "--book", "book.txt"], ["a book of 1", "x (random)"]),
    ],
)
def test_report_of_other_tournaments(
    tmp_path: Path,
    arena: Run,
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    headings: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.txt").write_text("stones=9 1 2\n")
    plan = PLAN[:1] if "--book" in more else PLAN
    play_tournament(Path("a.db"), *with_flags(plan, more))
    assert arena("report", "a.db", "--output", "cup.html") == CompletedCommand(0, "", "")
    assert all(heading in Path("cup.html").read_text() for heading in headings)


def test_report_of_matches_without_a_tournament(complete: Path, tmp_path: Path, arena: Run) -> None:
    text, db, page = tmp_path / "cup.pgn", tmp_path / "served.db", tmp_path / "cup.html"
    arena("export", complete, "--output", text)
    text.write_text("".join(text.read_text().splitlines(keepends=True)[1:]))  # without the plan
    arena("import", text, db)
    assert arena("report", db, "--output", page) == CompletedCommand(0, "", "")
    assert "<h1>Matches</h1>" in page.read_text()


@loop_over(
    "games, shown, note",
    ("none", 0, "6 further games are not on this page"),
    ("0", 0, "6 further games are not on this page"),
    ("5", 5, "1 further game is not on this page"),
    ("6", 6, None),
    ("all", 6, None),
    ("9" * 100, 6, None),
)
def test_a_page_has_the_first_games(
    complete: Path, tmp_path: Path, arena: Run, games: str, shown: int, note: str | None
) -> None:
    page = tmp_path / "cup.html"
    assert arena("report", complete, "--output", page, "--games", games).status == 0
    text = page.read_text()
    assert (text.count("<details"), "not on this page" in text) == (shown, note is not None)
    assert (note or "Crosstable") in text
    assert (f"<code>arena export {complete} --output games.pgn</code>" in text) == bool(note)
    assert "No finished games yet" not in text


@loop_over("games", ["some", "-1", "1.5", "\u0661"])
def test_an_invalid_number_of_games(complete: Path, tmp_path: Path, arena: Run, games: str) -> None:
    end = arena("report", complete, "--output", tmp_path / "cup.html", "--games", games)
    line = f"--games must be none, all or a whole number, not {games!r}"
    assert end == CompletedCommand(2, "", f"arena: {line}\n")


def test_the_database_is_not_overwritten(complete: Path, tmp_path: Path, arena: Run) -> None:
    db = tmp_path / "cup.html"
    db.write_bytes(complete.read_bytes())
    line = f"arena: --output: {db} is a database\n"
    assert arena("report", db, "--output", db) == CompletedCommand(2, "", line)


@loop_over(
    "command, name, error",
    ("report", "cup", "'' (choose from .html, .htm, .csv)"),
    ("report", "cup.csv", "'.csv' (choose from .html, .htm)"),
    ("plot", "cup.png", "'.png' (choose from .svg)"),
)
def test_a_file_of_another_kind_is_refused(
    complete: Path, tmp_path: Path, arena: Run, command: str, name: str, error: str
) -> None:
    output = tmp_path / name
    line = f"arena: --output {output}: unknown suffix {error}\n"
    assert arena(command, complete, "--output", output) == CompletedCommand(2, "", line)
    assert not output.exists()


# `arena plot`


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


def test_files_beside_the_database_are_not_overwritten(complete: Path, arena: Run) -> None:
    for suffix in "-wal", "-shm", ".lock":
        output = f"{complete}{suffix}"
        line = f"arena: --output {output} is a file of the database {complete}\n"
        for words in ["export"], ["merge", complete]:
            assert arena(*words, complete, "--output", output) == CompletedCommand(2, "", line)
    line = "arena: --output: /dev/null is not a file\n"
    assert arena("plot", complete, "--output", "/dev/null") == CompletedCommand(2, "", line)


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
