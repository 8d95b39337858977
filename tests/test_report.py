"""Standings for people and for programs."""

import json
from dataclasses import replace

import pytest

from arena.analysis import Accuracy
from arena.ratings import rate
from arena.report import (
    accuracies_as_json,
    accuracy_table,
    apart,
    as_json,
    crosstable,
    first_move,
    forfeits,
    percent,
    title,
)
from arena.results import MatchRecord, Termination
from arena.tournament import standings
from tests.records import a_pairing, a_record, an_aborted

TIMEOUT = Termination.TIMEOUT
MALFORMED = Termination.MALFORMED


def won(
    winner: str, loser: str, termination: Termination = Termination.NO_LEGAL_MOVE
) -> MatchRecord:
    """A match that player 1 has won."""
    return a_record(a_pairing(players=(winner, loser)), 1, termination)


RECORDS = [
    *[won("anna", "spec:4")] * 11,
    *[won("anna", "b", TIMEOUT)] * 10,
    won("b", "anna"),
    won("b", "spec:4", MALFORMED),
    won("spec:4", "b", Termination.RESIGNATION),
    won("spec:4", "b", Termination.ILLEGAL_MOVE),
    an_aborted(),
]
TABLE = standings(RECORDS)
RATINGS = rate(RECORDS)
NOBODY = rate([])


def test_crosstable() -> None:
    assert crosstable(TABLE, RATINGS, {}) == (
        "#  bot     Elo   +-  won  lost  anna     b  spec:4  forfeits\n"
        "1  anna    +69  389   21     1     .  10-1    11-0         .\n"
        "2  b       -34  373    2    12  1-10     .     1-2        11\n"
        "3  spec:4  -35  384    2    12  0-11   2-1       .         1\n"
    )


def test_crosstable_of_nobody() -> None:
    assert crosstable([], NOBODY, {}) == "#  bot  Elo  +-  won  lost  forfeits\n"


def test_crosstable_before_the_first_match() -> None:
    assert crosstable(standings([], ["anna", "b"]), NOBODY, {}) == (
        "#  bot   Elo  +-  won  lost  anna    b  forfeits\n"
        "1  anna    .   .    0     0     .  0-0         .\n"
        "2  b       .   .    0     0   0-0    .         .\n"
    )


def test_more_than_nine_places_are_right_aligned() -> None:
    table = standings([], [f"bot{number:02}" for number in range(10)])
    lines = crosstable(table, NOBODY, {}).splitlines()
    assert [line[:5] for line in (lines[9], lines[10])] == [" 9  b", "10  b"]


def test_no_line_ends_in_blanks() -> None:
    lines = crosstable(TABLE, RATINGS, {}).splitlines()
    assert lines == [line.rstrip() for line in lines]


def test_forfeits() -> None:
    records = [won("anna", "b", TIMEOUT), won("anna", "b"), won("spec:4", "b", MALFORMED)]
    assert forfeits(records) == (
        "Forfeits\n"
        "  match 1, anna - b, take_stones, stones 7: timeout: that is why\n"
        "  match 1, spec:4 - b, take_stones, stones 7: malformed: that is why\n"
    )


def test_no_forfeits() -> None:
    assert forfeits([won("anna", "b"), won("b", "anna", Termination.RESIGNATION)]) == ""


def test_what_the_arena_aborts_is_no_forfeit() -> None:
    assert forfeits([an_aborted()]) == ""


def test_title_in_a_tournament() -> None:
    record = a_record(a_pairing(7, ("greedy", "spec:4"), 20), attempt=9)
    assert title(record) == "match 7, greedy - spec:4, take_stones, stones 20"


def test_title_outside_a_tournament() -> None:
    assert (
        title(a_record(a_pairing(None), attempt=9)) == "match 9, anna - bert, take_stones, stones 7"
    )


def test_title_of_a_game_without_parameters() -> None:
    assert title(a_record(replace(a_pairing(), setup={}))) == "match 1, anna - bert, take_stones"


def test_title_of_a_game_with_two_parameters() -> None:
    pairing = replace(a_pairing(), setup={"columns": 7, "rows": 6})
    assert title(a_record(pairing)) == "match 1, anna - bert, take_stones, columns 7, rows 6"


def test_json() -> None:
    assert json.loads(
        as_json({"go": TABLE[1:2]}, {"go": NOBODY}, {}, {"seed": 1, "time": None})
    ) == {
        "seed": 1,
        "time": None,
        "first_move": {"go": {"elo": 0.0, "margin": pytest.approx(963, abs=1)}},
        "standings": {
            "go": [
                {
                    "rank": 1,
                    "bot": "b",
                    "played": 14,
                    "wins": 2,
                    "losses": 12,
                    "beaten": {"anna": 1, "spec:4": 1},
                    "forfeits": {"illegal_move": 1, "timeout": 10},
                    "rating": None,
                    "accuracy": None,
                }
            ]
        },
    }


def test_json_in_order() -> None:
    lines = json.loads(as_json({"go": TABLE}, {"go": RATINGS}, {}, {}))["standings"]["go"]
    assert [(line["rank"], line["bot"]) for line in lines] == [(1, "anna"), (2, "b"), (3, "spec:4")]


def test_json_is_the_same_whoever_won_first() -> None:
    assert as_json(
        {"go": standings(reversed(RECORDS))}, {"go": rate(reversed(RECORDS))}, {}, {}
    ) == as_json({"go": TABLE}, {"go": RATINGS}, {}, {})


def test_json_of_nobody() -> None:
    assert (
        as_json({}, {}, {}, {"matches": 0})
        == '{\n  "matches": 0,\n  "first_move": {},\n  "standings": {}\n}'
    )


def test_json_of_two_games() -> None:
    standings = json.loads(
        as_json({"go": TABLE, "chess": []}, {"go": RATINGS, "chess": NOBODY}, {}, {})
    )["standings"]
    assert (len(standings["go"]), standings["chess"]) == (3, [])


# Accuracies


ACCURACIES = {"spec:4": Accuracy(4, 9, 3), "anna": Accuracy(2, 5, 0), "b": Accuracy(4, 0, 0)}


def test_crosstable_with_accuracies() -> None:
    assert crosstable(TABLE, NOBODY, {"anna": Accuracy(2, 5, 0), "spec:4": Accuracy(4, 9, 3)}) == (
        "#  bot     Elo  +-  won  lost  accuracy  anna     b  spec:4  forfeits\n"
        "1  anna      .   .   21     1   100.0 %     .  10-1    11-0         .\n"
        "2  b         .   .    2    12         .  1-10     .     1-2        11\n"
        "3  spec:4    .   .    2    12    75.0 %  0-11   2-1       .         1\n"
    )


def test_accuracies_as_a_table() -> None:
    assert accuracy_table(ACCURACIES) == (
        "#  bot     games  kept  blunders  accuracy  blunders per game\n"
        "1  anna        2     5         0   100.0 %               0.00\n"
        "2  spec:4      4     9         3    75.0 %               0.75\n"
        "3  b           4     0         0         .               0.00\n"
    )


@pytest.mark.parametrize(
    ("kept", "blunders", "text"),
    [(0, 0, "."), (1, 0, "100.0 %"), (0, 1, "0.0 %"), (1999, 1, "99.9 %"), (2, 1, "66.6 %")],
)
def test_only_without_a_blunder_it_is_100_percent(kept: int, blunders: int, text: str) -> None:
    assert percent(Accuracy(1, kept, blunders)) == text


def test_accuracies_in_standings_as_json() -> None:
    facts = json.loads(as_json({"go": TABLE}, {"go": RATINGS}, {"go": ACCURACIES}, {}))
    accuracy = {line["bot"]: line["accuracy"] for line in facts["standings"]["go"]}
    assert accuracy["anna"] == {
        "games": 2,
        "kept": 5,
        "blunders": 0,
        "share": 1.0,
        "blunders_per_game": 0.0,
    }


def test_accuracies_as_json() -> None:
    facts = json.loads(accuracies_as_json({"go": ACCURACIES, "chess": {}}))
    assert {game: [*bots] for game, bots in facts.items()} == {
        "go": ["anna", "b", "spec:4"],
        "chess": [],
    }
    assert facts["go"]["b"]["share"] is None


# Ratings


def test_ratings_as_json() -> None:
    facts = json.loads(as_json({"go": TABLE}, {"go": RATINGS}, {}, {}))
    rating = {line["bot"]: line["rating"] for line in facts["standings"]["go"]}
    assert rating["anna"] == {
        "elo": RATINGS.elo["anna"],
        "margin": RATINGS.margin("anna"),
        "superiority": {
            "b": RATINGS.superiority("anna", "b"),
            "spec:4": RATINGS.superiority("anna", "spec:4"),
        },
    }


def test_the_first_move_in_a_line() -> None:
    assert first_move(NOBODY) == "First move: +0 Elo, +- 963 (intervals hold 95 %)\n"


def test_nobody_is_apart() -> None:
    assert apart([["a", "b", "c"]]) == ""


def test_who_is_apart_is_named() -> None:
    line = "ratings cannot be compared between those that no match connects: a, b; c, d\n"
    assert apart([["a", "b"], ["c", "d"]]) == line
