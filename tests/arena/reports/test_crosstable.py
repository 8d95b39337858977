"""Results and superiority between each two bots as text."""

from arena.model.results import Tally
from arena.ratings import rate
from arena.reports.crosstable import crosstable_text, head_to_head_text, superiority_text
from arena.tournament.standings import Standing, standings
from tests.arena.reports.test_text import (
    DRAWN,
    NEW_STANDINGS,
    NO_RATINGS,
    RATINGS,
    STANDINGS,
    TALLY,
    won,
)
from tests.support.cases import loop_over

MANY = [Standing(f"bot {number}") for number in range(250)]


def test_crosstables_of_decided_and_drawn_matches() -> None:
    assert crosstable_text(STANDINGS, TALLY) == (
        "Won-lost as player 1, then as player 2; ! marks forfeits\n"
        "                   1          2         3\n"
        "1  anna            .  10-0 0-1!  10-0 1-0\n"
        "2  b       1-0 0-10!          .  1-0 0-2!\n"
        "3  spec:4   0-1 0-10   2-0 0-1!         .\n"
    )
    assert crosstable_text(standings(DRAWN, rate(DRAWN)), DRAWN) == (
        "Won-drawn-lost as player 1, then as player 2; ! marks forfeits\n"
        "                 1            2             3\n"
        "1  a             .  0-3-0 2-1-0  0-0-0 5-0-0!\n"
        "2  b   0-1-2 0-3-0            .             .\n"
        "3  c  0-0-5 0-0-0!            .             .\n"
    )
    assert crosstable_text(NEW_STANDINGS, Tally()) == (
        "Won-lost as player 1, then as player 2; ! marks forfeits\n"
        "         1  2\n"
        "1  anna  .  .\n"
        "2  b     .  .\n"
    )


def test_superiority() -> None:
    ratings = rate(Tally({won("a", "b"): 4, won("a", "c"): 4}))
    assert superiority_text(standings(Tally(), ratings, "abc"), ratings) == (
        "Likelihood of superiority of the row over the column, in percent\n"
        "         1     2     3\n"
        "1  a     .  64.0  64.0\n"
        "2  b  36.0     .  50.0\n"
        "3  c  36.0  50.0     .\n"
    )


def test_superiorities_may_be_unknown() -> None:
    ratings = rate(Tally({won("a", "b"): 4, won("c", "d"): 4}))
    lines = superiority_text(standings(Tally(), ratings, "abcd"), ratings).splitlines()
    assert [line.split()[2:].count("-") for line in lines[2:]] == [2, 2, 2, 2]
    lines = superiority_text(standings(TALLY, RATINGS, ["new"]), RATINGS).splitlines()
    assert len(lines) == 2 + len(RATINGS.bots)
    assert superiority_text(NEW_STANDINGS, NO_RATINGS) == ""


# Widths

NOTE = "arena standings --bot NAME lists those of one bot, --json all"


@loop_over("width", [20, 40, 80, 120, 1000])
def test_many_bots_fit_into_the_width(width: int) -> None:
    lines = crosstable_text(MANY, Tally(), width).splitlines()[1:]
    table, note = lines[:-1], lines[-1]
    assert max(map(len, table)) <= width
    shown = len(table) - 1
    assert len(table[0].split()) == shown
    more = "1 more bot" if shown == 249 else f"{250 - shown} more bots"
    assert note == f"and {more}: {NOTE}"


def test_bots_that_fit_are_shown() -> None:
    lines = crosstable_text(STANDINGS, TALLY, 37).splitlines()
    assert (len(lines), lines[-1]) == (5, f"and 1 more bot: {NOTE}")
    assert crosstable_text(STANDINGS, TALLY, 45) == crosstable_text(STANDINGS, TALLY)
    lines = crosstable_text(MANY, Tally(), 1).splitlines()
    assert lines[1:4] == ["          1  2", "1  bot 0  .  .", "2  bot 1  .  ."]


def test_tables_fit_into_the_width() -> None:
    table = [Standing("x" * 60), Standing("y")]
    lines = crosstable_text(table, Tally(), 40).splitlines()[1:]
    assert [len(line) for line in lines] == [40, 40, 40]
    assert "x…" in lines[1]
    ratings = rate(Tally({won(f"bot {number}", "last"): 1 for number in range(30)}))
    lines = superiority_text(standings(Tally(), ratings, ratings.bots), ratings, 80).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1].endswith(NOTE)


# One bot


def test_results_of_one_bot() -> None:
    assert head_to_head_text("b", STANDINGS, TALLY) == (
        "Won-lost of b against each other bot\n"
        "#  opponent  as player 1  as player 2  forfeits\n"
        "1  anna              1-0         0-10        10\n"
        "3  spec:4            1-0          0-2         2\n"
    )


def test_results_of_one_bot_with_draws_and_superiority() -> None:
    ratings = rate(DRAWN)
    chance = 100 * (ratings.superiority("b", "a") or 0)
    lines = head_to_head_text("b", standings(DRAWN, ratings, ["new"]), DRAWN, ratings).splitlines()
    assert lines[:3] == [
        "Won-drawn-lost of b against each other bot",
        "#  opponent  as player 1  as player 2  forfeits  superior %",
        f"1  a               0-1-2        0-3-0         .  {chance:>10.1f}",
    ]
    assert lines[-1].split() == ["4", "new", ".", ".", ".", "."]
