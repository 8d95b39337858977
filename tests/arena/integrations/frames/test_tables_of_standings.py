"""Tables of standings and of results between bots: the figures of `arena standings`."""

import json
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from arena.cli.results import print_standings
from arena.integrations.frames.tables import (
    head_to_head_rows,
    head_to_head_table,
    standings_rows,
    standings_table,
)
from arena.model.results import Termination
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.records import make_pairing, make_record

Rows = list[dict[str, Any]]


def standings_of(path: Path, anchor: tuple[str, float] | None = None) -> Rows:
    with DatabaseReader(path) as records:
        rows: Rows = standings_table([*standings_rows(records, anchor)]).to_pylist()
    return rows


def meetings_of(path: Path) -> Rows:
    with DatabaseReader(path) as records:
        rows: Rows = head_to_head_table([*head_to_head_rows(records)]).to_pylist()
    return rows


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Return a database without a plan: anna beats bert twice, bert beats and draws with carl."""
    games = [
        make_record(make_pairing(None, ("anna", "bert")), 1),
        make_record(make_pairing(None, ("bert", "anna")), 2, attempt=2),
        make_record(make_pairing(None, ("bert", "carl")), 1, attempt=3),
        make_record(make_pairing(None, ("carl", "bert")), None, Termination.GAME_OVER, 4),
    ]
    return make_database(tmp_path / "league.db", games, None)


def test_the_figures_are_of_the_standings(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(league, None, as_json=True)
    printed = json.loads(capsys.readouterr().out)["standings"]["take_stones"]
    rows = standings_of(league)
    assert len(rows) == 3
    for row, told in zip(rows, printed, strict=True):
        same = ("rank", "bot", "group", "played", "wins", "draws", "losses")
        assert [row[name] for name in same] == [told[name] for name in same]
        assert (row["elo"], row["margin"]) == (told["rating"]["elo"], told["rating"]["margin"])
        assert [row["pairs_won"], row["pairs_tied"], row["pairs_lost"]] == told["pairs"]
        assert (row["forfeits"], row["accuracy"]) == (0, None)


def test_anchors(league: Path) -> None:
    [anchor] = [row for row in standings_of(league, ("carl", 1500.0)) if row["bot"] == "carl"]
    assert (anchor["elo"], anchor["margin"]) == (1500.0, 0.0)
    with pytest.raises(ValueError, match=r"league\.db \(choose from anna, bert, carl\)$"):
        standings_of(league, ("eve", 0.0))


@loop_over(
    "anchor", ["greedy", "ab", (), ("anna",), ("anna", "0"), ("anna", inf), ("anna", nan), (1, 2)]
)
def test_an_anchor_is_a_bot_and_a_rating(league: Path, anchor: Any) -> None:
    with pytest.raises(ValueError, match=r"^expected an anchor such as .* to 100000, got [^\n]+$"):
        standings_of(league, anchor)


def test_a_bot_that_has_not_played_has_no_rating(tmp_path: Path) -> None:
    rows = standings_of(make_database(tmp_path / "new.db", []))
    assert [(row["bot"], row["played"], row["elo"], row["margin"]) for row in rows] == [
        ("anna", 0, None, None),
        ("bert", 0, None, None),
    ]


def test_an_analysed_match_has_an_accuracy(league: Path) -> None:
    with DatabaseWriter(league) as writer:
        writer.save_verdicts(1, "kb").result()
    found = {row["bot"]: row["accuracy"] for row in standings_of(league)}
    assert found == {"anna": 1.0, "bert": 0.0, "carl": None}


def test_the_results_of_a_bot_against_an_opponent(league: Path) -> None:
    rows = {(row["bot"], row["opponent"]): row for row in meetings_of(league)}
    assert [*rows] == [("anna", "bert"), ("bert", "anna"), ("bert", "carl"), ("carl", "bert")]
    found = rows["anna", "bert"]
    assert [found[name] for name in ("played", "wins", "draws", "losses", "points")] == [
        *(2, 2, 0, 0, 2.0)
    ]
    assert [found[f"{name}{side}"] for side in (1, 2) for name in ("wins", "draws", "losses")] == [
        *(1, 0, 0, 1, 0, 0)
    ]
    drawn = rows["bert", "carl"]
    assert (drawn["points"], drawn["wins1"], drawn["draws1"], drawn["draws2"]) == (1.5, 1, 0, 1)


def test_superiority_is_the_likelihood_to_be_stronger(league: Path) -> None:
    rows = {(row["bot"], row["opponent"]): row for row in meetings_of(league)}
    found = rows["anna", "bert"]
    assert 0.5 < found["superiority"] < 1
    assert rows["bert", "anna"]["superiority"] == pytest.approx(1 - found["superiority"])


def test_forfeits_of_both_bots_are_counted(cup: Path) -> None:
    assert [row["forfeits"] for row in meetings_of(cup)] == [1, 1]
    assert {row["bot"]: row["forfeits"] for row in standings_of(cup)} == {"anna": 0, "bert": 1}
