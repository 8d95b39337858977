"""Standings for people and for programs."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from arena.analysis.accuracy import Accuracy
from arena.model.results import MatchRecord, RatedResult, Tally, Termination
from arena.ratings.bradley_terry import rate
from arena.ratings.sprt import SequentialTest, Sprt
from arena.reports.text import (
    LISTED,
    Meetings,
    Table,
    accuracies_as_json,
    accuracy_table,
    apart,
    as_json,
    crosstable,
    first_move,
    forfeits,
    meetings,
    percent,
    rating_words,
    superiorities,
    swiss_text,
    table_text,
    title,
)
from arena.reports.text import sprt_facts as sprt_facts  # which are no tests of ours
from arena.reports.text import sprt_text as sprt_text
from arena.tournament.standings import standings
from arena.tournament.swiss import SwissStanding
from tests.support.records import make_pairing, make_record

TIMEOUT = Termination.TIMEOUT
MALFORMED = Termination.MALFORMED


def won(winner: str, loser: str, termination: Termination = Termination.NO_LEGAL_MOVE) -> RatedResult:
    """What a match that player 1 has won comes to."""
    return RatedResult(winner, loser, 1, termination)


TALLY = Tally(
    {
        won("anna", "spec:4"): 10,
        RatedResult("spec:4", "anna", 2, Termination.NO_LEGAL_MOVE): 1,
        won("anna", "b", TIMEOUT): 10,
        won("b", "anna"): 1,
        won("b", "spec:4", MALFORMED): 1,
        won("spec:4", "b", Termination.RESIGNATION): 1,
        won("spec:4", "b", Termination.ILLEGAL_MOVE): 1,
    }
)
RATINGS = rate(TALLY)
TABLE = standings(TALLY, RATINGS)
NOBODY = rate(Tally())
NEW = standings(Tally(), NOBODY, ["anna", "b"])  # before the first match


# The table


def test_table() -> None:
    assert table_text(TABLE, RATINGS, {}) == (
        "#  bot      Elo   +-  won  lost  forfeits\n"
        "1  anna    +256  299   21     1         .\n"
        "2  b        -52  268    2    12        11\n"
        "3  spec:4  -204  322    2    12         1\n"
    )


def test_table_of_nobody() -> None:
    assert table_text([], NOBODY, {}) == "#  bot  Elo  +-  won  lost  forfeits\n"


def test_table_before_the_first_match() -> None:
    assert table_text(NEW, NOBODY, {}) == (
        "#  bot   Elo  +-  won  lost  forfeits\n"
        "1  anna    .   .    0     0         .\n"
        "2  b       .   .    0     0         .\n"
    )


def test_table_with_one_that_is_not_rated() -> None:
    lines = table_text(standings(TALLY, RATINGS, ["new"]), RATINGS, {}).splitlines()
    assert lines[4] == "4  new        .    .    0     0         ."


def test_table_with_accuracies() -> None:
    found = {"anna": Accuracy(2, 5, 0), "spec:4": Accuracy(4, 9, 3)}
    assert table_text(TABLE, NOBODY, found) == (
        "#  bot     Elo  +-  won  lost  accuracy  forfeits\n"
        "1  anna      .   .   21     1   100.0 %         .\n"
        "2  b         .   .    2    12         .        11\n"
        "3  spec:4    .   .    2    12    75.0 %         1\n"
    )


def test_more_than_nine_places_are_right_aligned() -> None:
    table = standings(Tally(), NOBODY, [f"bot{number:02}" for number in range(10)])
    lines = table_text(table, NOBODY, {}).splitlines()
    assert [line[:5] for line in (lines[9], lines[10])] == [" 9  b", "10  b"]


def test_no_line_ends_in_blanks() -> None:
    lines = (table_text(TABLE, RATINGS, {}) + crosstable(TABLE, TALLY)).splitlines()
    assert lines == [line.rstrip() for line in lines]


def test_wide_letters_are_aligned() -> None:
    """As terminals show them: two columns for an ideograph, none for an accent of its own."""
    table = standings(Tally(), NOBODY, ["a", "石石", "e\N{COMBINING ACUTE ACCENT}"])
    assert table_text(table, NOBODY, {}) == (
        "#  bot   Elo  +-  won  lost  forfeits\n"
        "1  a       .   .    0     0         .\n"
        "2  e\N{COMBINING ACUTE ACCENT}       .   .    0     0         .\n"
        "3  石石    .   .    0     0         .\n"
    )


LONG = standings(Tally(), NOBODY, ["a" * 20, "石" * 10, "b"])


def test_names_are_cut_off_where_there_is_no_room() -> None:
    assert table_text(LONG, NOBODY, {}, 40) == (
        "#  bot      Elo  +-  won  lost  forfeits\n"
        "1  aaaaaa…    .   .    0     0         .\n"
        "2  b          .   .    0     0         .\n"
        "3  石石石…    .   .    0     0         .\n"
    )


def test_names_are_not_cut_off_where_there_is_room() -> None:
    text = table_text(LONG, NOBODY, {})
    width = len(text.splitlines()[0])
    assert table_text(LONG, NOBODY, {}, width) == text
    assert "…" in table_text(LONG, NOBODY, {}, width - 1)


def test_of_a_name_something_is_left_however_narrow_it_is() -> None:
    assert [line[3:6] for line in table_text(LONG, NOBODY, {}, 1).splitlines()[1:]] == [
        "aa…",
        "b  ",
        "石…".ljust(3),
    ]


def test_a_rating_of_nearly_0_has_no_minus() -> None:
    assert rating_words(replace(RATINGS, elo={"b": -0.3}), "b")[0] == "+0"


# Who won against whom


def test_crosstable() -> None:
    assert crosstable(TABLE, TALLY) == (
        "Won-lost as player 1, then as player 2; ! with forfeits\n"
        "                   1          2         3\n"
        "1  anna            .  10-0 0-1!  10-0 1-0\n"
        "2  b       1-0 0-10!          .  1-0 0-2!\n"
        "3  spec:4   0-1 0-10   2-0 0-1!         .\n"
    )


def test_crosstable_of_those_that_have_not_met() -> None:
    assert crosstable(NEW, Tally()) == (
        "Won-lost as player 1, then as player 2; ! with forfeits\n"
        "         1  2\n"
        "1  anna  .  .\n"
        "2  b     .  .\n"
    )


def test_meetings_are_told_from_both_sides() -> None:
    found = meetings(Tally({won("a", "b"): 3, won("b", "a", TIMEOUT): 2}))
    assert found == {
        ("a", "b"): Meetings((3, 0), (0, 2), 2),
        ("b", "a"): Meetings((2, 0), (0, 3), 2),
    }


# How likely it is that one is stronger


def test_superiorities() -> None:
    ratings = rate(Tally({won("a", "b"): 4, won("a", "c"): 4}))
    assert superiorities(standings(Tally(), ratings, "abc"), ratings) == (
        "How likely it is that one is stronger than another, in percent\n"
        "         1     2     3\n"
        "1  a     .  64.0  64.0\n"
        "2  b  36.0     .  50.0\n"
        "3  c  36.0  50.0     .\n"
    )


def test_superiorities_leave_out_who_is_not_rated() -> None:
    lines = superiorities(standings(TALLY, RATINGS, ["new"]), RATINGS).splitlines()
    assert len(lines) == 2 + len(RATINGS.bots)


def test_superiorities_before_the_first_match() -> None:
    assert superiorities(NEW, NOBODY) == ""


# A sequential test


def a_test(*wins: int) -> SequentialTest:
    """A test after pairs of which the first bot has won so many matches."""
    test = SequentialTest(Sprt(0, 100, 0.1, 0.1))
    for number, times in enumerate(wins, 1):
        test.add(number, times)
    return test


def test_sprt_that_is_undecided() -> None:
    assert sprt_text(a_test(2, 1, 0, 1)) == (
        "SPRT elo0=0 elo1=100 alpha=0.1 beta=0.1: LLR -0.32 (-2.20, 2.20), undecided after 4 pairs"
        " (won 2-0 1, 1-1 2, lost 0-2 1), Elo +0 +- 239\n"
    )


def test_sprt_that_is_decided() -> None:
    text = sprt_text(a_test(*[2] * 20, 0))
    assert ", accepted H1 after 9 pairs (won 2-0 9, 1-1 0, lost 0-2 0), Elo +" in text


def test_sprt_before_the_first_pair() -> None:
    assert sprt_text(a_test()) == (
        "SPRT elo0=0 elo1=100 alpha=0.1 beta=0.1: LLR +0.00 (-2.20, 2.20), undecided after 0 pairs"
        " (won 2-0 0, 1-1 0, lost 0-2 0), Elo +0 +- 963\n"
    )


def test_sprt_as_facts() -> None:
    test = a_test(2, 1, 1)
    facts = json.loads(json.dumps(sprt_facts(test)))
    assert {name: facts.pop(name) for name in ("elo", "margin", "llr")} == {
        "elo": pytest.approx(102, abs=1),
        "margin": pytest.approx(233, abs=1),
        "llr": test.llr,
    }
    assert facts == {
        "test": "elo0=0 elo1=100 alpha=0.1 beta=0.1",
        "pairs": 3,
        "counts": [0, 2, 1],
        "bounds": [*test.sprt.bounds],
        "verdict": None,
    }


def test_a_verdict_as_facts() -> None:
    assert json.loads(json.dumps(sprt_facts(a_test(*[0] * 9))))["verdict"] == "accepted H0"


# A Swiss tournament


def test_swiss() -> None:
    lines = [SwissStanding("anna", 12, 7, 0), SwissStanding("b", 2, 10, 1)]
    assert swiss_text(lines) == (
        "#  bot   points  Buchholz  byes\n"
        "1  anna      12         7     .\n"
        "2  b          2        10     1\n"
    )


# Forfeits


def a_forfeit(termination: Termination = TIMEOUT) -> MatchRecord:
    return make_record(termination=termination)


def test_forfeits() -> None:
    assert forfeits([a_forfeit(), a_forfeit(MALFORMED)], 2) == (
        "Forfeits\n"
        "  match 1, anna - bert, take_stones, stones 7: timeout: that is why\n"
        "  match 1, anna - bert, take_stones, stones 7: malformed: that is why\n"
    )


def test_no_forfeits() -> None:
    assert forfeits([], 0) == ""


def test_as_many_forfeits_as_are_listed() -> None:
    lines = forfeits([a_forfeit()] * LISTED, LISTED).splitlines()
    assert len(lines) == 1 + LISTED


def test_more_forfeits_than_are_listed() -> None:
    lines = forfeits([a_forfeit()] * (LISTED + 3), LISTED + 3).splitlines()
    assert (len(lines), lines[-1]) == (1 + LISTED + 1, "  and 3 more")


def test_title_in_a_tournament() -> None:
    record = make_record(make_pairing(7, ("greedy", "spec:4"), 20), attempt=9)
    assert title(record) == "match 7, greedy - spec:4, take_stones, stones 20"


def test_title_outside_a_tournament() -> None:
    assert (
        title(make_record(make_pairing(None), attempt=9)) == "match 9, anna - bert, take_stones, stones 7"
    )


def test_title_of_a_game_without_parameters() -> None:
    assert title(make_record(replace(make_pairing(), setup={}))) == "match 1, anna - bert, take_stones"


def test_title_of_a_game_with_two_parameters() -> None:
    pairing = replace(make_pairing(), setup={"columns": 7, "rows": 6})
    assert title(make_record(pairing)) == "match 1, anna - bert, take_stones, columns 7, rows 6"


# Accuracies


ACCURACIES = {"spec:4": Accuracy(4, 9, 3), "anna": Accuracy(2, 5, 0), "b": Accuracy(4, 0, 0)}


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


def test_accuracies_as_json() -> None:
    facts = json.loads(accuracies_as_json({"go": ACCURACIES, "chess": {}}))
    assert {game: [*bots] for game, bots in facts.items()} == {
        "go": ["anna", "b", "spec:4"],
        "chess": [],
    }
    assert facts["go"]["b"]["share"] is None


# Ratings


def test_the_first_move_in_a_line() -> None:
    assert first_move(NOBODY) == "First move: +0 Elo, +- 963 (intervals hold 95 %)\n"


def test_a_first_move_of_nearly_0_has_no_minus() -> None:
    assert first_move(replace(RATINGS, first_move=-1e-9)).startswith("First move: +0 Elo")


def test_nobody_is_apart() -> None:
    assert apart([["a", "b", "c"]]) == ""


def test_who_is_apart_is_named() -> None:
    line = "ratings cannot be compared between those that no match connects: a, b; c, d\n"
    assert apart([["a", "b"], ["c", "d"]]) == line


# JSON


def a_table(tally: Tally = TALLY, accuracies: Mapping[str, Accuracy] | None = None) -> Table:
    ratings = rate(tally)
    return Table(standings(tally, ratings), tally, ratings, accuracies or {})


def bots_of(table: Table) -> dict[str, dict[str, object]]:
    """What JSON says of each bot."""
    lines = json.loads(as_json({"go": table}, {}))["standings"]["go"]
    return {line["bot"]: line for line in lines}


def test_json() -> None:
    table = Table(TABLE[1:2], TALLY, NOBODY, {})
    assert json.loads(as_json({"go": table}, {"seed": 1, "time": None})) == {
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
                    "forfeits": {"illegal_move": 1, "timeout": 10},
                    "meetings": {
                        "anna": {"first": [1, 0], "second": [0, 10], "forfeits": 10},
                        "spec:4": {"first": [1, 0], "second": [0, 2], "forfeits": 2},
                    },
                    "rating": None,
                    "accuracy": None,
                }
            ]
        },
    }


def test_json_in_order() -> None:
    lines = bots_of(a_table()).values()
    assert [(line["rank"], line["bot"]) for line in lines] == [(1, "anna"), (2, "b"), (3, "spec:4")]


def test_json_is_the_same_whoever_won_first() -> None:
    backwards = Tally(dict(reversed(TALLY.items())))
    assert as_json({"go": a_table(backwards)}, {}) == as_json({"go": a_table()}, {})


def test_json_of_nobody() -> None:
    assert (
        as_json({}, {"matches": 0})
        == '{\n  "matches": 0,\n  "first_move": {},\n  "standings": {}\n}'
    )


def test_json_of_two_games() -> None:
    facts = json.loads(as_json({"go": a_table(), "chess": a_table(Tally())}, {}))
    assert (len(facts["standings"]["go"]), facts["standings"]["chess"]) == (3, [])


def test_ratings_as_json() -> None:
    assert bots_of(a_table())["anna"]["rating"] == {
        "elo": RATINGS.elo["anna"],
        "margin": RATINGS.margin("anna"),
        "superiority": {
            "b": RATINGS.superiority("anna", "b"),
            "spec:4": RATINGS.superiority("anna", "spec:4"),
        },
    }


def test_accuracies_in_standings_as_json() -> None:
    assert bots_of(a_table(accuracies=ACCURACIES))["anna"]["accuracy"] == {
        "games": 2,
        "kept": 5,
        "blunders": 0,
        "share": 1.0,
        "blunders_per_game": 0.0,
    }
