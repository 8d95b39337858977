"""What a tournament's arguments ask for, as a plan, and what does not fit together."""

import resource
from pathlib import Path

import pytest

from arena.cli.arguments import UsageError
from arena.cli.parser import parse
from arena.cli.planning import UNTIL_DECIDED, check, is_open, plan_of, stored_plan, with_bots
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from arena.tournament.openings import Opening
from arena.tournament.plan import Plan
from tests.support.records import make_pairing, make_record


def plan(*words: object) -> Plan:
    return plan_of(parse(["tournament", "--bots", "random", "greedy", *map(str, words)]))


def checked(words: str) -> Plan:
    arguments = parse(["tournament", *words.split()])
    asked = plan_of(arguments)
    check(arguments, asked)
    return asked


def refusal(words: str) -> str:
    with pytest.raises(UsageError) as refused:
        checked(words)
    return str(refused.value)


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


def test_a_plan_with_all_defaults() -> None:
    assert plan("--seed", 5) == Plan(
        game="take_stones",
        bots={"random": "random", "greedy": "greedy"},
        setups=({"stones": 20}, {"stones": 30}, {"stones": 50}),
        time="5+0.05",
        seed=5,
    )


def test_a_plan_with_nothing_left_to_default() -> None:
    words = (
        "--format gauntlet --rounds 3 --seeds 2 --game take_stones --stones 7 9-10 --time 1/move"
    )
    words += " --margin 0.5 --seed -1 --opening-plies 2"
    assert plan_of(parse(["tournament", "--bots", "a=random", "b=greedy", *words.split()])) == Plan(
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


def test_a_test_in_its_own_words() -> None:
    assert plan("--sprt", "elo1=20", "elo0=0").sprt == "elo0=0 elo1=20 alpha=0.05 beta=0.05"


def test_pairs() -> None:
    assert plan("--format", "swiss", "--pairs", 4).pairs == 4


def test_seeds_are_drawn() -> None:
    assert len({plan().seed for _ in range(5)}) > 1


@pytest.mark.parametrize(
    ("bots", "words", "rounds"),
    [
        (5, [], 1),
        (5, ["--format", "gauntlet"], 1),
        (5, ["--format", "knockout"], 1),
        (2, ["--sprt", "elo0=0", "elo1=9"], UNTIL_DECIDED),
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
    assert plan_of(parse(["tournament", "--bots", *bots * ["random"], *words])).rounds == rounds


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--rounds 0", "--rounds must be at least 1, not 0"),
        ("--bots random", "a tournament needs at least 2 bots, not 1"),
        ("--bots ann=random ann=greedy", "two bots are named ann"),
        ("--bots random cmd:no-bot", "bot 'cmd:no-bot': there is no program no-bot"),
        ("--sprt elo0=5", "sprt needs elo1"),
        ("--stones 0", "stones must be at least 1, not 0"),
        ("--stones 1-1000000000", "1000000000 setups of take_stones are too many, the most are"),
        ("--game isolation --stones 7", "isolation has no stones"),
        ("--time x", "time 'x' is not BASE+INCREMENT, BASE or TIME/move in seconds, as 5+0.05"),
    ],
)
def test_arguments_that_make_no_plan(words: str, error: str) -> None:
    assert refusal(words).startswith(error)


# Books


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("stones=20 3 6  # \N{SNOWMAN}\nstones=7\n", encoding="utf-8")
    return path


def test_a_book_is_all_there_is_to_begin_with(book: Path) -> None:
    asked = plan("--book", book)
    assert asked.book == (Opening({"stones": 20}, (3, 6)), Opening({"stones": 7}, ()))
    assert asked.setups == ()


@pytest.mark.parametrize(
    ("words", "flag"), [("--stones 7", "--stones"), ("--opening-plies 1", "--opening-plies")]
)
def test_what_the_book_says_already(book: Path, words: str, flag: str) -> None:
    expected = f"with --book there is no {flag}: the book says it"
    assert refusal(f"--book {book} {words}") == expected


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    expected = f"cannot read {tmp_path}/book: No such file or directory"
    assert refusal(f"--book {tmp_path}/book") == expected


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (b"", "it has no opening"),
        (b"stones=7\nx", "line 2: 'x' is neither a move nor NAME=NUMBER"),
        (b"\xff", "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"),
    ],
)
def test_a_book_that_is_none(tmp_path: Path, text: bytes, error: str) -> None:
    book = tmp_path / "book"
    book.write_bytes(text)
    assert refusal(f"--book {book}") == f"{book}: {error}"


# What a database holds


@pytest.mark.parametrize("exists", [True, False])
def test_a_database_with_nothing_in_it(db: Path, exists: bool) -> None:
    if exists:
        db.touch()
    assert stored_plan(db) is None
    checked(f"--db {db}")


def test_a_database_without_a_plan(db: Path) -> None:
    DatabaseWriter(db).close()
    assert stored_plan(db) is None
    checked(f"--db {db}")


def test_a_database_with_the_plan(db: Path) -> None:
    asked = checked("--seed 5")
    store(db, asked.to_json())
    assert stored_plan(db) == checked(f"--seed 5 --db {db}") == asked


def test_without_a_seed_the_stored_one_goes_on(db: Path) -> None:
    store(db, checked("--seed 5").to_json())
    assert checked(f"--db {db}").seed == 5


def test_without_a_stored_seed_one_is_drawn(db: Path) -> None:
    assert len({plan("--db", db).seed for _ in range(5)}) > 1


def test_a_seed_is_not_replaced_by_the_stored_one(db: Path) -> None:
    store(db, plan("--seed", 5).to_json())
    assert plan("--db", db, "--seed", 6).seed == 6


def test_a_database_with_another_plan(db: Path) -> None:
    store(db, checked("--seed 5").to_json())
    expected = "seed was 5 and is now 6; rounds was 1 and is now 2"
    error = f"{db} holds another tournament: {expected}"
    assert refusal(f"--db {db} --seed 6 --rounds 2") == error


def test_a_database_with_matches_and_no_plan(db: Path) -> None:
    store_a_match(db)
    with pytest.raises(UsageError, match="holds matches that are no tournament's"):
        stored_plan(db)


def test_what_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="there is no database"):
        stored_plan(tmp_path)


# What fits together


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
def test_what_fits(words: str) -> None:
    checked(words)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("--seeds 1", "--seeds is for gauntlet, not for round-robin"),
        ("--format swiss --seeds 1", "--seeds is for gauntlet, not for swiss"),
        ("--pairs 1", "--pairs is for swiss and knockout, not for round-robin"),
        ("--format gauntlet --pairs 1", "--pairs is for swiss and knockout, not for gauntlet"),
        (
            "--format knockout --rounds 1",
            "--rounds is for round-robin and gauntlet and swiss, not for knockout",
        ),
        (
            "--bots random greedy --format swiss --sprt elo0=0 elo1=9",
            "--sprt is for round-robin, not for swiss",
        ),
        ("--sprt elo0=0 elo1=9", "--sprt compares 2 bots, not 5"),
        ("--format gauntlet --seeds 5", "a gauntlet of 5 bots has at most 4 seeds, not 5"),
        (
            "--format swiss --rounds 4",
            "a Swiss tournament of 5 bots has at most 3 rounds without a rematch, not 4",
        ),
        (
            "--bots random greedy --anchor spec:1=5",
            "--anchor 'spec:1' is none of the bots random, greedy",
        ),
        ("--anchor random=x", "--anchor 'random=x': 'x' is not a rating in Elo"),
        ("--at 20:00", "--at is for a tournament with --server"),
        ("--server --pairs 1", "--pairs is for swiss and knockout, not for round-robin"),
    ],
)
def test_what_does_not_fit(words: str, error: str) -> None:
    assert refusal(words) == error


def test_more_bots_than_the_system_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (50, 50))
    error = "5 bots need 60 open files, the limit is 50 (see ulimit -n)"
    assert refusal("") == error


# Open tournaments


def opened(words: str, bots: str) -> Plan:
    """An open tournament, once so many bots are here."""
    arguments = parse(["tournament", "--server", *words.split()])
    return with_bots(arguments, plan_of(arguments), dict(zip(bots, bots, strict=True)))


@pytest.mark.parametrize(
    ("words", "named"),
    [("", []), ("--bots random", ["random"]), ("--format swiss", []), ("--sprt elo0=0 elo1=9", [])],
)
def test_an_open_tournament_names_as_many_as_it_likes(words: str, named: list[str]) -> None:
    assert [*checked(f"--server {words}").bots] == named


@pytest.mark.parametrize(("bots", "rounds"), [("ab", 1), ("abc", 2), ("abcdefgh", 3)])
def test_its_rounds_are_for_all_that_come(bots: str, rounds: int) -> None:
    assert opened("--format swiss", bots).rounds == rounds


def test_it_may_not_suit_those_that_come() -> None:
    with pytest.raises(UsageError, match="a gauntlet of 2 bots has at most 1 seeds, not 2"):
        opened("--format gauntlet --seeds 2", "ab")


@pytest.fixture
def entered(db: Path) -> Path:
    """The database of an open tournament that a stranger has entered."""
    bots = {"random": "random", "x": "external:x"}
    arguments = parse(["tournament", "--server", "--bots", "random", "--seed", "1"])
    return store(db, with_bots(arguments, plan_of(arguments), bots).to_json())


@pytest.mark.parametrize("words", ["", "--bots random"])
def test_it_goes_on_with_those_that_have_entered(entered: Path, words: str) -> None:
    assert [*checked(f"--server {words} --db {entered}").bots] == ["random", "x"]


def test_it_does_not_go_on_with_others(entered: Path) -> None:
    error = f"{entered} holds another tournament, without the bot greedy=greedy"
    assert refusal(f"--server --bots random greedy --db {entered}") == error


def test_it_is_open_until_it_has_begun(entered: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    commands = ["", "--server", f"--server --db {new}", f"--server --db {entered}"]
    parsed = [parse(["tournament", *words.split()]) for words in commands]
    assert [is_open(arguments) for arguments in parsed] == [False, True, True, False]
