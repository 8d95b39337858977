"""Tests of reports as text."""

from dataclasses import replace

from arena.analysis.accuracy import Accuracy
from arena.model.results import (
    MISSING,
    MatchRecord,
    Pairing,
    PairScore,
    RatedResult,
    Tally,
    Termination,
)
from arena.ratings import rate
from arena.ratings.sprt import Model, SequentialTest, Sprt
from arena.reports.text import (
    MAX_LISTED_FORFEITS,
    NAMED_BOTS,
    accuracy_percent,
    accuracy_text,
    bracket_text,
    disconnected_groups_text,
    first_move_text,
    forfeits_text,
    match_title,
    rating_text,
    sprt_text,
    standings_text,
    swiss_text,
)
from arena.tournament.standings import standings
from arena.tournament.tie_breaks import SwissStanding
from tests.arena.tournament.test_knockout import BOTS, Cup, cups
from tests.support.cases import loop_over
from tests.support.tournaments.records import make_pairing, make_record

TIMEOUT = Termination.TIMEOUT
MALFORMED = Termination.MALFORMED


def won(
    winner: str, loser: str, termination: Termination = Termination.NO_LEGAL_MOVE
) -> RatedResult:
    """Return the result of a match won by player 1."""
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
STANDINGS = standings(TALLY, RATINGS)
NO_RATINGS = rate(Tally())
NEW_STANDINGS = standings(Tally(), NO_RATINGS, ["anna", "b"])  # before the first match


# Standings


def test_standings_with_and_without_draws_and_accuracies() -> None:
    assert standings_text(STANDINGS, RATINGS, {}) == (
        "#  bot      Elo   +-  won  lost  forfeits\n"
        "1  anna    +256  299   21     1         .\n"
        "2  b        -52  268    2    12        11\n"
        "3  spec:4  -204  322    2    12         1\n"
    )
    found = {"anna": Accuracy(2, 5, 0), "spec:4": Accuracy(4, 9, 3)}
    assert standings_text(STANDINGS, NO_RATINGS, found) == (
        "#  bot     Elo  +-  won  lost  accuracy  forfeits\n"
        "1  anna      .   .   21     1   100.0 %         .\n"
        "2  b         .   .    2    12         .        11\n"
        "3  spec:4    .   .    2    12    75.0 %         1\n"
    )
    ratings = rate(DRAWN)
    assert standings_text(standings(DRAWN, ratings), ratings, {}) == (
        "#  bot   Elo   +-  won  drawn  lost  forfeits\n"
        "1  a    +176  260    7      4     0         .\n"
        "2  b     +46  338    0      4     2         .\n"
        "3  c    -221  516    0      0     5         5\n"
    )


def test_standings_without_ratings() -> None:
    assert standings_text([], NO_RATINGS, {}) == "#  bot  Elo  +-  won  lost  forfeits\n"
    assert standings_text(NEW_STANDINGS, NO_RATINGS, {}) == (
        "#  bot   Elo  +-  won  lost  forfeits\n"
        "1  anna    .   .    0     0         .\n"
        "2  b       .   .    0     0         .\n"
    )
    lines = standings_text(standings(TALLY, RATINGS, ["new"]), RATINGS, {}).splitlines()
    assert lines[4] == "4  new        .    .    0     0         ."
    assert lines == [line.rstrip() for line in lines]
    table = standings(Tally(), NO_RATINGS, [f"bot{number:02}" for number in range(10)])
    lines = standings_text(table, NO_RATINGS, {}).splitlines()
    assert [line[:5] for line in (lines[9], lines[10])] == [" 9  b", "10  b"]


def test_wide_letters_are_aligned() -> None:
    """In a terminal, an ideograph takes two columns, and a combining accent none."""
    table = standings(Tally(), NO_RATINGS, ["a", "石石", "e\N{COMBINING ACUTE ACCENT}"])
    assert standings_text(table, NO_RATINGS, {}) == (
        "#  bot   Elo  +-  won  lost  forfeits\n"
        "1  a       .   .    0     0         .\n"
        "2  e\N{COMBINING ACUTE ACCENT}       .   .    0     0         .\n"
        "3  石石    .   .    0     0         .\n"
    )


LONG_NAMES = standings(Tally(), NO_RATINGS, ["a" * 20, "石" * 10, "b"])


def test_names_are_truncated_to_the_width() -> None:
    assert standings_text(LONG_NAMES, NO_RATINGS, {}, 40) == (
        "#  bot      Elo  +-  won  lost  forfeits\n"
        "1  aaaaaa…    .   .    0     0         .\n"
        "2  b          .   .    0     0         .\n"
        "3  石石石…    .   .    0     0         .\n"
    )
    text = standings_text(LONG_NAMES, NO_RATINGS, {})
    width = len(text.splitlines()[0])
    assert standings_text(LONG_NAMES, NO_RATINGS, {}, width) == text
    assert "…" in standings_text(LONG_NAMES, NO_RATINGS, {}, width - 1)
    lines = standings_text(LONG_NAMES, NO_RATINGS, {}, 1).splitlines()[1:]
    assert [line[3:6] for line in lines] == ["aa…", "b  ", "石…".ljust(3)]


# Draws


DRAWN = Tally(
    {
        RatedResult("a", "b", None, Termination.GAME_OVER): 3,
        RatedResult("b", "a", None, Termination.GAME_OVER): 1,
        RatedResult("b", "a", 2, Termination.GAME_OVER): 2,
        RatedResult("c", "a", 2, TIMEOUT): 5,
    }
)


def test_groups_that_never_met_have_separate_tables() -> None:
    tally = Tally({won("a", "b"): 1, won("c", "d"): 1, won("d", "e"): 1})
    ratings = rate(tally)
    tables = standings_text(standings(tally, ratings, ["new"]), ratings, {}).split("\n\n")
    assert [[line.split()[1] for line in table.splitlines()] for table in tables] == [
        ["bot", "c", "d", "e"],
        ["bot", "a", "b"],
        ["bot", "new"],
    ]


def test_pairs_are_counted() -> None:
    scores = [
        PairScore("a", "b", 2, 2, 3, 3, 3),
        PairScore("a", "b", 2, 0, 2, 2, 2),
        PairScore("a", "b", 0, 1, 1, 1, 1),
        PairScore("a", "b", 2, MISSING, 7, 7, 7),
    ]
    ratings = rate(DRAWN, scores)
    lines = standings_text(standings(DRAWN, ratings, (), scores), ratings, {}).splitlines()
    assert [line.split()[-2] for line in lines] == ["pairs", "3-2-1", "1-2-3", "0-0-0"]


# Sequential tests


def make_test(*points: float) -> SequentialTest:
    """Return a test after pairs, from the points of the first bot in each of them."""
    test = SequentialTest(Sprt(0, 100, 0.1, 0.1))
    for number, score in enumerate(points, 1):
        test.add(number, score)
    return test


def test_undecided_sprts() -> None:
    assert sprt_text(make_test(2, 1, 0, 1)) == (
        "SPRT elo0=0 elo1=100 alpha=0.1 beta=0.1 (Elo): LLR -0.32 (-2.20, 2.20),"
        " undecided after 4 pairs\n"
        "Pairs by score [0, 0.5, 1, 1.5, 2]: [1, 0, 2, 0, 1], 50 % decisive\n"
        "Elo +0 +- 236, normalised Elo +0 +- 215\n"
    )
    assert sprt_text(make_test()) == (
        "SPRT elo0=0 elo1=100 alpha=0.1 beta=0.1 (Elo): LLR +0.00 (-2.20, 2.20),"
        " undecided after 0 pairs\n"
        "Pairs by score [0, 0.5, 1, 1.5, 2]: [0, 0, 0, 0, 0], 0 % decisive\n"
        "Elo +0 +- 681, normalised Elo +0 +- 482\n"
    )


@loop_over(
    "test, text",
    (
        make_test(*[2] * 20, 0),
        ", accepted H1 after 9 pairs\nPairs by score [0, 0.5, 1, 1.5, 2]: [0, 0, 0, 0, 9],",
    ),
    (make_test(1.5, 2, 1, 1.5), "[0, 0, 1, 2, 1], 75 % decisive"),
    (
        SequentialTest(Sprt(0, 5, model=Model.NORMALISED)),
        "SPRT nelo0=0 nelo1=5 alpha=0.05 beta=0.05 (normalised Elo): LLR +0.00 (-2.94, 2.94),",
    ),
)
def test_other_sprts(test: SequentialTest, text: str) -> None:
    assert text in sprt_text(test)


# Swiss tournaments


def test_swiss() -> None:
    lines = [SwissStanding(1, "anna", 12, 7.5, 10 / 3, 0), SwissStanding(1, "b", 2, 10, 4, 1)]
    assert swiss_text(lines) == (
        "#  bot   points  Buchholz  Sonneborn-Berger  byes\n"
        "1  anna      12       7.5              3.33     .\n"
        "1  b          2        10                 4     1\n"
    )


# Brackets


def test_a_bracket_before_the_first_score() -> None:
    assert bracket_text(["spec:8", "random", "spec:12"], 1, {}) == (
        "Semifinals\n"
        "  1 spec:8   bye\n"
        "  2 random   0 - 0  spec:12 3\n"
        "\n"
        "Final\n"
        "  1 spec:8     -    ?\n"
    )


def test_a_bracket_says_who_advances_and_why() -> None:
    text = bracket_text(["spec:8", "random"], 2, {1: (1, 1), 2: (1, 1), 3: (0, 2)})
    assert text == "Final\n  1 spec:8  2 - 4  random 2  (sudden death)\n\nChampion: random\n"
    text = bracket_text("ab", 1, {1: (1, 1), 2: (1, 1)})
    assert "  1 a  2 - 2  b 2  (level, better seed)\n" in text
    titles = [line for line in bracket_text(BOTS[:16], 1, {}).splitlines() if line[:1].isalpha()]
    assert titles == ["Round of 16", "Quarterfinals", "Semifinals", "Final"]


@cups
def test_a_bracket_has_one_line_per_encounter(cup: Cup) -> None:
    lines = bracket_text(cup.bots, cup.pairs, cup.scores).splitlines()
    assert sum(line.startswith(" ") for line in lines) == len(cup.encounters)
    assert lines[-1] == f"Champion: {cup.encounters[-1].winner}"


# Forfeits


def make_forfeit(termination: Termination = TIMEOUT) -> MatchRecord:
    return make_record(termination=termination)


def test_forfeits_are_listed_up_to_a_number() -> None:
    assert forfeits_text([make_forfeit(), make_forfeit(MALFORMED)], 2) == (
        "Forfeits\n"
        "  match 1, anna - bert, take_stones, stones 7: timeout: that is why\n"
        "  match 1, anna - bert, take_stones, stones 7: malformed: that is why\n"
    )
    assert forfeits_text([], 0) == ""
    forfeits = [make_forfeit()] * MAX_LISTED_FORFEITS
    lines = forfeits_text(forfeits, MAX_LISTED_FORFEITS).splitlines()
    assert len(lines) == 1 + MAX_LISTED_FORFEITS
    more = MAX_LISTED_FORFEITS + 3
    assert forfeits_text([make_forfeit()] * more, more).splitlines() == [*lines, "  and 3 more"]


@loop_over(
    "log, shown",
    ("Error: no\n", "Error: no"),
    ("one\n\n two\nthree\nfour\n", "two | three | four"),
    ("a\x1b[2Jb\n", "a?[2Jb"),
    ("x" * 1000, "x" * 200),
    ("\n \n", None),
)
def test_last_output_before_a_forfeit(log: str, shown: str | None) -> None:
    text = forfeits_text([replace(make_forfeit(), log=log)], 1)
    end = f'that is why; last output: "{shown}"\n' if shown else "that is why\n"
    assert text.endswith(end)


@loop_over(
    "pairing, title",
    (make_pairing(7, ("greedy", "spec:4"), 20), "match 7, greedy - spec:4, take_stones, stones 20"),
    (make_pairing(None), "match 9, anna - bert, take_stones, stones 7"),
    (replace(make_pairing(), setup={}), "match 1, anna - bert, take_stones"),
    (
        replace(make_pairing(), setup={"columns": 7, "rows": 6}),
        "match 1, anna - bert, take_stones, columns 7, rows 6",
    ),
)
def test_match_title(pairing: Pairing, title: str) -> None:
    assert match_title(make_record(pairing, attempt=9)) == title


# Accuracies


ACCURACIES = {"spec:4": Accuracy(4, 9, 3), "anna": Accuracy(2, 5, 0), "b": Accuracy(4, 0, 0)}


def test_accuracies() -> None:
    assert accuracy_text(ACCURACIES) == (
        "#  bot     games  kept  blunders  accuracy  blunders per game\n"
        "1  anna        2     5         0   100.0 %               0.00\n"
        "2  spec:4      4     9         3    75.0 %               0.75\n"
        "3  b           4     0         0         .               0.00\n"
    )


@loop_over(
    "kept, blunders, text",
    [(0, 0, "."), (1, 0, "100.0 %"), (0, 1, "0.0 %"), (1999, 1, "99.9 %"), (2, 1, "66.6 %")],
)
def test_accuracy_is_100_percent_without_a_blunder(kept: int, blunders: int, text: str) -> None:
    assert accuracy_percent(Accuracy(1, kept, blunders)) == text


# Ratings


def test_the_first_move_and_disconnected_groups() -> None:
    text = "First move: +0 Elo +- 963 (+- is a 95 % confidence interval)\n"
    assert first_move_text(NO_RATINGS) == text
    assert rating_text(replace(RATINGS, elo={"b": -0.3}), "b")[0] == "+0"
    assert first_move_text(replace(RATINGS, first_move=-1e-9)).startswith("First move: +0 Elo")
    warning = "ratings of groups that no match connects are not comparable"
    many = [[f"a{number}", f"b{number}"] for number in range(NAMED_BOTS)]
    assert disconnected_groups_text([["a", "b", "c"]]) == ""
    assert disconnected_groups_text([["a", "b"], ["c", "d"]]) == f"{warning}: a, b; c, d\n"
    assert disconnected_groups_text(many) == f"{warning}; there are {NAMED_BOTS} groups\n"
