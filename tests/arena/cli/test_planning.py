"""Plans of tournaments, and configurations that make none."""

import resource
from pathlib import Path

import pytest

from arena.cli.arguments import DEFAULT_BOTS, UsageError
from arena.cli.configuration import TournamentConfig
from arena.cli.planning import (
    SPRT_ROUNDS,
    add_entrants,
    check_plan,
    is_open,
    make_plan,
    repetition_notice,
    stored_plan,
)
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from arena.tournament.openings import Opening
from arena.tournament.plan import Plan
from core import GAMES
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import configured
from tests.support.tournaments.records import make_pairing, make_record


def tournament(*words: str) -> TournamentConfig:
    return configured(TournamentConfig, "tournament", *words)


def plan(*words: object) -> Plan:
    return make_plan(tournament("--bots", "random", "greedy", *map(str, words)))


def checked(words: str) -> Plan:
    config = tournament(*words.split())
    plan = make_plan(config)
    check_plan(config, plan)
    return plan


def error_for(words: str) -> str:
    with pytest.raises(UsageError) as raised:
        checked(words)
    return str(raised.value)


def store(db: Path, text: str) -> Path:
    """Fill a database with a plan."""
    with DatabaseWriter(db) as opened:
        opened.save_plan(text)
    return db


def store_a_match(db: Path) -> Path:
    """Fill a database with a match of no tournament."""
    with DatabaseWriter(db) as opened:
        attempt = opened.begin_match(make_pairing(None), "5+0.05", 0.0).result()
        opened.finish_match(make_record(make_pairing(None), attempt=attempt)).result()
    return db


# Plans


def test_plan_with_all_defaults() -> None:
    assert plan("--seed", 5) == Plan(
        game="take_stones",
        bots={"random": "random", "greedy": "greedy"},
        setups=({"stones": 20}, {"stones": 30}, {"stones": 50}),
        time="5+0.05",
        seed=5,
    )


def test_default_bots_can_play_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert [*make_plan(tournament("--game", NIM.name)).bots] == ["random", "greedy"]
    assert [*make_plan(tournament("--game", "isolation")).bots] == DEFAULT_BOTS


def test_plan_without_defaults() -> None:
    words = (
        "--format gauntlet --rounds 3 --seeds 2 --game take_stones --stones 7 9-10 --time 1/move"
    )
    words += " --margin 0.5 --seed -1 --opening-plies 2"
    assert make_plan(tournament("--bots", "a=random", "b=greedy", *words.split())) == Plan(
        game="take_stones",
        bots={"a": "random", "b": "greedy"},
        setups=({"stones": 7}, {"stones": 9}, {"stones": 10}),
        time="1/move margin 0.5",
        seed=-1,
        format="gauntlet",
        rounds=3,
        seeds=2,
        opening_plies=2,
    )


def test_sequential_test_is_normalised() -> None:
    assert plan("--sprt", "elo1=20", "elo0=0").sprt == "elo0=0 elo1=20 alpha=0.05 beta=0.05"


def test_pairs() -> None:
    assert plan("--format", "swiss", "--pairs", 4).pairs == 4


def test_seeds_are_random() -> None:
    assert len({plan().seed for _ in range(5)}) > 1


@pytest.mark.parametrize(
    ("bots", "words", "rounds"),
    [
        (5, [], 1),
        (5, ["--format", "gauntlet"], 1),
        (5, ["--format", "knockout"], 1),
        (2, ["--sprt", "elo0=0", "elo1=9"], SPRT_ROUNDS),
        (2, ["--sprt", "elo0=0", "elo1=9", "--rounds", "7"], 7),
        (2, ["--format", "swiss"], 1),
        (3, ["--format", "swiss"], 2),
        (4, ["--format", "swiss"], 2),
        (5, ["--format", "swiss"], 3),
        (8, ["--format", "swiss"], 3),
        (9, ["--format", "swiss"], 4),
        (8, ["--format", "swiss", "--rounds", "4"], 4),
    ],
)
def test_rounds(bots: int, words: list[str], rounds: int) -> None:
    assert make_plan(tournament("--bots", *bots * ["random"], *words)).rounds == rounds


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--rounds 0", "--rounds must be at least 1, not 0"),
        ("--bots random", "a tournament needs at least 2 bots, not 1"),
        ("--bots ann=random ann=greedy", "two bots are named ann"),
        ("--bots random cmd:no-bot", "bot 'cmd:no-bot': program 'no-bot' not found"),
        ("--sprt elo0=5", "sprt: missing elo1"),
        ("--stones 0", "--stones must be at least 1, not 0"),
        ("--stones 1-1000000000", "too many setups of take_stones: 1000000000 (at most 100000)"),
        ("--game isolation --stones 7", "isolation has no parameter --stones"),
        ("--time x", "time 'x' is not BASE+INCREMENT, BASE or TIME/move in seconds, as 5+0.05"),
    ],
)
def test_configurations_that_make_no_plan(words: str, error: str) -> None:
    assert error_for(words).startswith(error)


# Books


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("stones=20 3 6  # \N{SNOWMAN}\nstones=7\n", encoding="utf-8")
    return path


def test_a_book_replaces_the_setups(book: Path) -> None:
    asked = plan("--book", book)
    assert asked.book == (Opening({"stones": 20}, (3, 6)), Opening({"stones": 7}, ()))
    assert asked.setups == ()


@pytest.mark.parametrize(
    ("words", "flag"), [("--stones 7", "--stones"), ("--opening-plies 1", "--opening-plies")]
)
def test_flags_that_cannot_be_combined_with_a_book(book: Path, words: str, flag: str) -> None:
    expected = f"{flag} cannot be combined with --book, which sets it"
    assert error_for(f"--book {book} {words}") == expected


def test_missing_book(tmp_path: Path) -> None:
    expected = f"cannot read {tmp_path}/book: No such file or directory"
    assert error_for(f"--book {tmp_path}/book") == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"", "no openings found"),
        (b"stones=7\nx", "line 2: expected a move or NAME=NUMBER, got 'x'"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    ],
)
def test_invalid_books(tmp_path: Path, text: bytes, error: str) -> None:
    book = tmp_path / "book"
    book.write_bytes(text)
    assert error_for(f"--book {book}") == f"{book}: {error}"


# Stored plans


@pytest.mark.parametrize("exists", [True, False])
def test_empty_or_missing_database(db: Path, exists: bool) -> None:
    if exists:
        db.touch()
    assert stored_plan(db) is None
    checked(f"--db {db}")


def test_database_without_a_plan(db: Path) -> None:
    DatabaseWriter(db).close()
    assert stored_plan(db) is None
    checked(f"--db {db}")


def test_database_with_the_same_plan(db: Path) -> None:
    asked = checked("--seed 5")
    store(db, asked.to_json())
    assert stored_plan(db) == checked(f"--seed 5 --db {db}") == asked


def test_the_stored_seed_is_the_default(db: Path) -> None:
    store(db, checked("--seed 5").to_json())
    assert checked(f"--db {db}").seed == 5


def test_the_seed_is_random_without_a_stored_one(db: Path) -> None:
    assert len({plan("--db", db).seed for _ in range(5)}) > 1


def test_a_given_seed_overrides_the_stored_one(db: Path) -> None:
    store(db, plan("--seed", 5).to_json())
    assert plan("--db", db, "--seed", 6).seed == 6


def test_database_with_a_different_plan(db: Path) -> None:
    store(db, checked("--seed 5").to_json())
    expected = "seed: stored 5, given 6; rounds: stored 1, given 2"
    error = f"{db} belongs to a different tournament; {expected}"
    assert error_for(f"--db {db} --seed 6 --rounds 2") == error


def test_database_with_matches_but_no_plan(db: Path) -> None:
    store_a_match(db)
    with pytest.raises(UsageError, match="holds matches that belong to no tournament"):
        stored_plan(db)


def test_directory_instead_of_a_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        stored_plan(tmp_path)


# Checks


@pytest.mark.parametrize(
    "words",
    [
        "",
        "--rounds 3 --anchor random=100",
        "--bots random greedy --sprt elo0=0 elo1=10",
        "--bots random greedy --format round-robin --sprt elo0=0 elo1=10 --rounds 5",
        "--format gauntlet --seeds 4 --rounds 2",
        "--format swiss --rounds 3 --pairs 2",
        "--format knockout --pairs 2",
    ],
)
def test_valid_combinations(words: str) -> None:
    checked(words)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--seeds 1", "--seeds requires --format gauntlet"),
        ("--format swiss --seeds 1", "--seeds requires --format gauntlet"),
        ("--pairs 1", "--pairs requires --format swiss or knockout"),
        ("--format gauntlet --pairs 1", "--pairs requires --format swiss or knockout"),
        (
            "--format knockout --rounds 1",
            "--rounds requires --format round-robin or gauntlet or swiss",
        ),
        (
            "--bots random greedy --format swiss --sprt elo0=0 elo1=9",
            "--sprt requires --format round-robin",
        ),
        ("--sprt elo0=0 elo1=9", "--sprt compares 2 bots, not 5"),
        ("--format gauntlet --seeds 5", "--seeds must be at most 4 with 5 bots, not 5"),
        (
            "--format swiss --rounds 4",
            "--rounds must be at most 3 with 5 bots, so that no pair meets twice, not 4",
        ),
        (
            "--bots random greedy --anchor spec:1=5",
            "--anchor: unknown bot 'spec:1' (choose from random, greedy)",
        ),
        ("--anchor random=x", "--anchor 'random=x': 'x' is not a rating in Elo"),
        ("--at 20:00", "--at requires --server"),
        ("--wait 5", "--wait requires --server or an external bot"),
        ("--server --pairs 1", "--pairs requires --format swiss or knockout"),
    ],
)
def test_invalid_combinations(words: str, error: str) -> None:
    assert error_for(words) == error


def test_system_limit_on_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (50, 50))
    error = "5 bots need 60 open files, the limit is 50 (see ulimit -n)"
    assert error_for("") == error


# Open tournaments


def opened(words: str, bots: str) -> Plan:
    """Return the plan of an open tournament with one bot for each letter."""
    config = tournament("--server", *words.split())
    return add_entrants(config, make_plan(config), dict(zip(bots, bots, strict=True)))


@pytest.mark.parametrize(
    ("words", "named"),
    [("", []), ("--bots random", ["random"]), ("--format swiss", []), ("--sprt elo0=0 elo1=9", [])],
)
def test_an_open_tournament_may_name_any_number_of_bots(words: str, named: list[str]) -> None:
    assert [*checked(f"--server {words}").bots] == named


@pytest.mark.parametrize(("bots", "rounds"), [("ab", 1), ("abc", 2), ("abcdefgh", 3)])
def test_default_rounds_follow_the_number_of_entrants(bots: str, rounds: int) -> None:
    assert opened("--format swiss", bots).rounds == rounds


def test_flags_that_do_not_fit_the_number_of_entrants() -> None:
    with pytest.raises(UsageError, match="--seeds must be at most 1 with 2 bots, not 2"):
        opened("--format gauntlet --seeds 2", "ab")


@pytest.fixture
def entered(db: Path) -> Path:
    """Create the database of an open tournament that bot x has joined."""
    bots = {"random": "random", "x": "external:x"}
    config = tournament("--server", "--bots", "random", "--seed", "1")
    return store(db, add_entrants(config, make_plan(config), bots).to_json())


@pytest.mark.parametrize("words", ["", "--bots random"])
def test_a_continued_tournament_keeps_its_entrants(entered: Path, words: str) -> None:
    assert [*checked(f"--server {words} --db {entered}").bots] == ["random", "x"]


def test_a_continued_tournament_refuses_other_bots(entered: Path) -> None:
    error = f"{entered} belongs to a different tournament, without the bot greedy=greedy"
    assert error_for(f"--server --bots random greedy --db {entered}") == error


def test_a_tournament_is_open_until_it_has_a_stored_plan(entered: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    commands = ["", "--server", f"--server --db {new}", f"--server --db {entered}"]
    configs = [tournament(*words.split()) for words in commands]
    assert [is_open(config) for config in configs] == [False, True, True, False]


@pytest.mark.parametrize(
    ("words", "notice"),
    [
        ("greedy spec:2 --rounds 2 --stones 7", "1 distinct opening for 2 rounds: greedy, spec:2"),
        (
            "greedy spec:2 random --rounds 3 --stones 7-8",
            "2 distinct openings for 3 rounds: greedy",
        ),
        ("greedy spec:2 --format knockout --pairs 2 --stones 7", "1 distinct opening for 2 pairs"),
        ("greedy spec:2 --rounds 1 --stones 7 8", None),
        ("greedy spec:2 --rounds 2 --stones 7 --opening-plies 1", None),
        ("greedy random python:mybot:MyBot --rounds 2 --stones 7", None),
        ("greedy spec:2 --format swiss --pairs 1 --stones 7", None),
    ],
)
def test_notice_of_repeated_games(words: str, notice: str | None) -> None:
    config = configured(TournamentConfig, "tournament", "--bots", *words.split())
    found = repetition_notice(make_plan(config))
    assert found == notice or (notice and found and found.startswith(notice))
