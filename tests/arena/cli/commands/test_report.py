"""Command `arena report`, run as in a shell."""

from pathlib import Path

import pytest

from tests.support.cases import loop_over
from tests.support.servers.arena_command import CompletedCommand, Run, with_flags

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
    assert arena(*with_flags(plan, more), "--db", "a.db").status == 0
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
    line = f"arena: --output {db} is the database itself\n"
    assert arena("report", db, "--output", db) == CompletedCommand(2, "", line)


@loop_over("name", ["cup", "cup.db", "cup.csv", "html"])
def test_a_file_of_another_kind_is_refused(
    complete: Path, tmp_path: Path, arena: Run, name: str
) -> None:
    output = tmp_path / name
    line = f"arena: --output {output}: expected a name that ends in .html or .htm\n"
    assert arena("report", complete, "--output", output) == CompletedCommand(2, "", line)
    assert not output.exists()
