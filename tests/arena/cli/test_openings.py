"""Openings of a tournament: the plies that are chosen, notices, and refused sequential tests."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.openings import check_openings, choose_openings, clock_notice, keep_openings
from arena.cli.planning import make_plan, stored_plan
from arena.cli.tournament_options import TournamentConfig
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import DISTINCT, INDEPENDENT, Plan
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import configured

SPRT = "--sprt elo0=0 elo1=10"
LIMIT = "without a decision the test ends after at most {} pairs (--rounds sets the limit)"
CHOSEN = "random opening {}, so that games differ (--opening-plies sets the number)"


def tournament(words: str) -> TournamentConfig:
    return configured(TournamentConfig, "tournament", "--bots", *words.split())


def plan(words: str) -> Plan:
    config = tournament(f"{words} --seed 1")
    return make_plan(config, stored_plan(config.db))


def notices(words: str) -> list[str]:
    config = tournament(f"{words} --seed 1")
    stored = stored_plan(config.db)
    return check_openings(config, make_plan(config, stored), is_new=not stored)


def error_for(words: str) -> str:
    with pytest.raises(UsageError) as raised:
        notices(words)
    return str(raised.value)


@pytest.fixture
def book(tmp_path: Path) -> Callable[[str], str]:
    def write(text: str) -> str:
        (tmp_path / "book").write_text(text)
        return f"--book {tmp_path / 'book'}"

    return write


# Plies


@loop_over(
    "words, plies",
    ("greedy spec:2 --stones 20", 0),
    ("greedy spec:2 --stones 20 30 50", 0),
    ("greedy spec:2 --stones 20 --rounds 5", 1),
    ("greedy spec:2 --stones 20 --rounds 6", 2),
    ("greedy spec:2 --stones 20 --rounds 400", 4),
    ("greedy spec:2 --stones 20 20", 1),
    ("greedy spec:2 --stones 20 --rounds 400 --opening-plies 0", 0),
    ("greedy external:x --stones 20 --rounds 6", 2),
    ("greedy random --stones 20 --rounds 6", 2),
    ("greedy random --stones 20 --rounds 6 --workers", 0),
    ("greedy spec:2 random --stones 20 --rounds 6 --workers", 2),
    ("greedy spec:2 --stones 20 --format swiss", 0),
    ("greedy spec:2 --stones 20 --format swiss --pairs 6", 2),
    ("greedy spec:2 --stones 20 --format knockout --pairs 6", 2),
    ("greedy spec:2 --stones 20 --format gauntlet --rounds 6", 2),
    ("greedy spec:2 --game isolation --rounds 21", 2),
    ("greedy spec:2 --stones 7 --rounds 100", 3),  # 8 positions, and no length has more
    (f"greedy spec:2 --stones 20 {SPRT}", 7),
    (f"greedy spec:2 --stones 20 {SPRT} --rounds 30", 2),
)
def test_fewest_plies_with_enough_openings(words: str, plies: int) -> None:
    assert plan(words).opening_plies == plies


def test_new_plans_draw_without_replacement() -> None:
    assert plan("greedy spec:2").draw == DISTINCT
    config = tournament("greedy --server --stones 20 --rounds 6 --seed 1")
    open_plan = make_plan(config)
    assert open_plan.opening_plies == 0
    entered = replace(open_plan, bots={"greedy": "greedy", "x": "external:x"})
    assert choose_openings(config, entered).opening_plies == 2


@loop_over(
    "words, only",
    (f"greedy spec:2 {SPRT}", True),
    (f"greedy external:x {SPRT}", True),
    (f"greedy external:x {SPRT} --opening-plies 0", False),
    (f"greedy random {SPRT} --workers", False),
    (f"greedy random {SPRT} --workers --opening-plies 2", False),
    ("greedy spec:2", False),
)
def test_sequential_tests_count_no_copies(words: str, only: bool) -> None:
    assert plan(words).distinct_only == only


def test_a_tournament_that_has_begun_keeps_its_draw() -> None:
    config = tournament("greedy spec:2 --rounds 9")
    given = make_plan(config)
    stored = replace(given, opening_plies=5, draw=INDEPENDENT, distinct_only=True)
    assert keep_openings(config, given, stored) == stored
    config = tournament("greedy spec:2 --rounds 9 --opening-plies 1")
    given = replace(make_plan(config), seed=stored.seed)
    assert keep_openings(config, given, stored) == replace(stored, opening_plies=1)


def test_a_plan_of_an_earlier_version_is_continued(db: Path) -> None:
    words = "greedy spec:2 --stones 20 --rounds 4"
    earlier = replace(plan(words), draw=INDEPENDENT, opening_plies=1)
    with DatabaseWriter(db) as writer:
        writer.save_plan(earlier.to_json())
    assert plan(f"{words} --db {db}") == earlier
    assert notices(f"{words} --db {db}") == [
        "4 pairs, 3 distinct openings: greedy, spec:2 repeat their games"
    ]


# Notices


def chosen(plies: int) -> str:
    return f"{plies} {CHOSEN.format('ply' if plies == 1 else 'plies')}"


@loop_over(
    "words, expected",
    ("greedy spec:2 --stones 20", []),
    ("greedy spec:2 --stones 20 --rounds 5", [chosen(1)]),
    ("greedy random --stones 7 --rounds 100 --workers --opening-plies 1", []),
    (
        "greedy spec:2 --stones 20 --rounds 400 --opening-plies 0",
        [
            "400 pairs, 1 distinct opening: greedy, spec:2 repeat their games"
            " (--opening-plies 4 gives 400)"
        ],
    ),
    (
        "greedy external:x --stones 20 --rounds 6 --opening-plies 1",
        [
            "6 pairs, 5 distinct openings: greedy, x may repeat their games"
            " (--opening-plies 2 gives 6)"
        ],
    ),
    (
        "greedy spec:2 --stones 7 --rounds 9",
        [
            chosen(3),
            "9 pairs, 8 distinct openings: greedy, spec:2 repeat their games"
            " (more --stones give more)",
        ],
    ),
    (
        "greedy spec:1 spec:2 spec:3 spec:4 spec:5 --stones 7 --rounds 2 --opening-plies 0",
        ["2 pairs, 1 distinct opening: 6 bots repeat their games (--opening-plies 1 gives 2)"],
    ),
    (
        f"greedy spec:2 --stones 20 {SPRT} --opening-plies 4",
        [
            "513 distinct openings: without a decision the test ends after 513 pairs"
            " (--opening-plies 7 gives 5,823)"
        ],
    ),
    (  # 7 stones have 8 openings, and the seventeenth pair would have one of them again
        "greedy external:x --stones 7 50 --sprt elo0=0 elo1=400",
        [
            chosen(3),
            "16 distinct openings: without a decision the test ends after 16 pairs"
            " (more --stones give more)",
        ],
    ),
    (f"greedy spec:2 --stones 100 {SPRT} --opening-plies 4", [LIMIT.format("1,000,000")]),
    (f"greedy random --stones 20 30 {SPRT} --workers", [LIMIT.format("2,000,000")]),
    (f"greedy random --stones 20 30 {SPRT} --workers --rounds 9", []),
)
def test_notices(words: str, expected: list[str]) -> None:
    assert notices(words) == expected


def test_notice_of_a_short_book(book: Callable[[str], str]) -> None:
    flags = book("stones=20 1 6 3 12\nstones=20 3 6 1 12\nstones=7\n")
    assert notices(f"greedy spec:2 {flags}") == [
        "3 pairs, 2 distinct openings: greedy, spec:2 repeat their games (a longer --book has more)"
    ]


def test_notice_for_a_game_without_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    found = notices(f"greedy external:x --game {NIM.name} --rounds 1000")[-1]
    assert "may repeat their games" in found


@loop_over(
    "words, bots, more",
    (
        "greedy strong spec:12 spec:9@nodes=500 strong@nodes=500 --game isolation",
        "strong, spec:12",
        " (@nodes=N limits the nodes instead)",
    ),
    ("greedy openspiel:mcts:50", "openspiel:mcts:50", ""),
    ("greedy spec:9@nodes=500", None, ""),
    ("spec:2 spec:3 --workers", None, ""),
)
def test_notice_of_bots_that_the_clock_cuts_off(words: str, bots: str | None, more: str) -> None:
    where = "where the clock ends a search, the moves of {} depend on the speed of the machine{}"
    assert clock_notice(plan(words)) == ([where.format(bots, more)] if bots else [])


def test_few_openings_are_noticed() -> None:
    words = "greedy spec:2 openspiel:mcts:50 --stones 20 --rounds 100 --opening-plies 0"
    assert "greedy, spec:2, openspiel:mcts:50 repeat their games" in notices(words)[-1]
    assert "greedy, spec:2 repeat their games" in notices(f"{words} --workers")[-1]


@loop_over(
    "words, are_short",
    ("--stones 7 20 --opening-plies 5", False),
    ("--stones 20 7 --opening-plies 6", True),
    ("--stones 20 --opening-plies 99999", True),
    ("--stones 7", False),
)
def test_openings_that_cannot_be_as_long(words: str, are_short: bool) -> None:
    assert (
        any(": openings are shorter than " in n for n in notices(f"random greedy {words}"))
        == are_short
    )


def test_shorter_openings_are_named() -> None:
    expected = "stones 20: openings are shorter than 30 plies where no more moves are possible"
    assert expected in notices("greedy random --stones 100 20 --opening-plies 30")


# Sequential tests


@loop_over(
    "words, error",
    (
        f"greedy perfect --stones 20 {SPRT} --rounds 400 --opening-plies 0",
        "--sprt: 400 pairs, 1 distinct opening: greedy, perfect repeat their games"
        " (--opening-plies 4 gives 400)",
    ),
    (
        f"greedy perfect --stones 20 {SPRT} --opening-plies 1",
        "--sprt cannot be decided by 5 distinct openings (--opening-plies 7 gives 5,823)",
    ),
    (
        f"greedy perfect --stones 7 {SPRT}",
        "--sprt cannot be decided by 8 distinct openings (more --stones give more)",
    ),
    (
        f"greedy external:x --stones 7 {SPRT}",
        "--sprt cannot be decided by 8 distinct openings (more --stones give more)",
    ),
    (
        f"greedy external:x --stones 20 {SPRT} --rounds 400 --opening-plies 1",
        "--sprt cannot be decided by 5 distinct openings (--opening-plies 4 gives 400)",
    ),
)
def test_sequential_tests_without_enough_openings(words: str, error: str) -> None:
    assert error_for(words) == error


def test_a_sequential_test_with_a_short_book(book: Callable[[str], str]) -> None:
    flags = book("stones=20\nstones=7\n")
    expected = "--sprt cannot be decided by 2 distinct openings (a longer --book has more)"
    assert error_for(f"greedy spec:2 {SPRT} {flags}") == expected


def test_an_extension_is_checked_as_a_new_tournament_is(tmp_path: Path) -> None:
    words = f"greedy perfect --stones 20 --db {tmp_path / 'x.db'}"
    first = plan(f"{words} --sprt elo0=0 elo1=10 --rounds 20")
    with DatabaseWriter(tmp_path / "x.db") as writer:
        writer.save_plan(first.to_json())
    error = error_for(f"{words} --sprt elo0=0 elo1=10 --rounds 400 --extend")
    assert error.startswith("--sprt: 400 pairs, 30 distinct openings: greedy, perfect repeat")
    assert error.endswith(" (only a new database can have others)")
