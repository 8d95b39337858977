"""Tests of reports as JSON."""

import json
from collections.abc import Mapping

import pytest

from arena.analysis.accuracy import Accuracy
from arena.model.results import RatedResult, Tally, Termination
from arena.ratings import rate
from arena.ratings.sprt import estimate_elo, estimate_nelo
from arena.reports.json import accuracies_json, sprt_fields, standings_json
from arena.reports.text import GameStandings
from arena.tournament.standings import standings
from tests.arena.reports.test_text import (
    ACCURACIES,
    NO_RATINGS,
    RATINGS,
    STANDINGS,
    TALLY,
    make_test,
)

# Standings


def make_standings(
    tally: Tally = TALLY, accuracies: Mapping[str, Accuracy] | None = None
) -> GameStandings:
    ratings = rate(tally)
    return GameStandings(standings(tally, ratings), tally, ratings, accuracies or {})


def rows_by_bot(table: GameStandings) -> dict[str, dict[str, object]]:
    """Return the rows of the standings by bot."""
    lines = json.loads(standings_json({"go": table}, {}))["standings"]["go"]
    return {line["bot"]: line for line in lines}


def meeting(first: list[int], second: list[int], forfeits: int) -> dict[str, object]:
    return {"first": first, "second": second, "forfeits": forfeits, "draws": [0, 0]}


def test_standings() -> None:
    table = GameStandings(STANDINGS[1:2], TALLY, NO_RATINGS, {}, 5)
    assert json.loads(standings_json({"go": table}, {"seed": 1, "time": None})) == {
        "seed": 1,
        "time": None,
        "distinct_games": {"go": 5},
        "first_move": {"go": {"elo": 0.0, "margin": pytest.approx(963, abs=1)}},
        "standings": {
            "go": [
                {
                    "rank": 1,
                    "bot": "b",
                    "group": 1,
                    "played": 14,
                    "wins": 2,
                    "losses": 12,
                    "draws": 0,
                    "pairs": [0, 0, 0],
                    "forfeits": {"illegal_move": 1, "timeout": 10},
                    "meetings": {
                        "anna": meeting([1, 0], [0, 10], 10),
                        "spec:4": meeting([1, 0], [0, 2], 2),
                    },
                    "rating": None,
                    "accuracy": None,
                }
            ]
        },
    }


def test_rows_are_in_order_with_ratings_and_accuracies() -> None:
    lines = rows_by_bot(make_standings(accuracies=ACCURACIES))
    found = [(line["rank"], line["bot"]) for line in lines.values()]
    assert found == [(1, "anna"), (2, "b"), (3, "spec:4")]
    others = ("b", "spec:4")
    assert lines["anna"]["rating"] == {
        "elo": RATINGS.elo["anna"],
        "plain_elo": RATINGS.elo["anna"],
        "margin": RATINGS.margin("anna"),
        "superiority": {other: RATINGS.superiority("anna", other) for other in others},
    }
    assert lines["anna"]["accuracy"] == {
        "games": 2,
        "kept": 5,
        "blunders": 0,
        "share": 1.0,
        "blunders_per_game": 0.0,
    }


def test_groups_are_numbered() -> None:
    end = Termination.NO_LEGAL_MOVE
    results = [RatedResult(one, two, 1, end) for one, two in ("ab", "cd", "de")]
    lines = rows_by_bot(make_standings(Tally(results)))
    assert {bot: line["group"] for bot, line in lines.items()} == {
        "c": 1,
        "d": 1,
        "e": 1,
        "a": 2,
        "b": 2,
    }
    assert [line["rank"] for line in lines.values()] == [1, 2, 3, 4, 5]


def test_json_of_games() -> None:
    backwards = Tally(dict(reversed(TALLY.items())))
    text = standings_json({"go": make_standings()}, {})
    assert standings_json({"go": make_standings(backwards)}, {}) == text
    both = standings_json({"go": make_standings(), "chess": make_standings(Tally())}, {})
    fields = json.loads(both)
    assert (len(fields["standings"]["go"]), fields["standings"]["chess"]) == (3, [])
    empty = '"distinct_games": {},\n  "first_move": {},\n  "standings": {}\n}'
    assert standings_json({}, {"matches": 0}) == '{\n  "matches": 0,\n  ' + empty


# Accuracies


def test_accuracies() -> None:
    fields = json.loads(accuracies_json({"go": ACCURACIES, "chess": {}}))
    assert {game: [*bots] for game, bots in fields.items()} == {
        "go": ["anna", "b", "spec:4"],
        "chess": [],
    }
    assert fields["go"]["b"]["share"] is None


# Sequential tests


def test_sprt_fields() -> None:
    test = make_test(2, 1, 1)
    fields = json.loads(json.dumps(sprt_fields(test)))
    elo, nelo = estimate_elo(test.counts), estimate_nelo(test.counts)
    names = ("elo", "margin", "nelo", "nelo_margin", "llr")
    assert [fields.pop(name) for name in names] == [*elo, *nelo, test.llr]
    assert fields == {
        "test": "elo0=0 elo1=100 alpha=0.1 beta=0.1",
        "pairs": 3,
        "counts": [0, 2, 1],
        "bounds": [*test.sprt.bounds],
        "verdict": None,
        "model": "logistic",
        "pair_scores": [0, 0, 2, 0, 1],
        "decisive": pytest.approx(1 / 3),
    }
    assert json.loads(json.dumps(sprt_fields(make_test(*[0] * 9))))["verdict"] == "accepted H0"
