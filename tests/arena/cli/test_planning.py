"""Plans of tournaments, and configurations that make none."""

import re
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.arguments import DEFAULT_BOTS, UsageError
from arena.cli.openings import SPRT_ROUNDS
from arena.cli.planning import (
    add_entrants,
    check_flags,
    check_plan,
    make_plan,
    processors_notice,
    stored_plan,
)
from arena.cli.tournament_options import TournamentConfig
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from arena.tournament.openings import Opening
from arena.tournament.plan import DISTINCT, Plan
from arena.tournament.round_robin import Size
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.servers.arena_command import configured
from tests.support.tournaments.records import make_pairing, make_record


def tournament(*words: str) -> TournamentConfig:
    return configured(TournamentConfig, "tournament", *words)


def planned(config: TournamentConfig) -> Plan:
    return make_plan(config, stored_plan(config.db))


def plan(*words: object) -> Plan:
    return planned(tournament("--bots", "random", "greedy", *map(str, words)))


def checked(words: str) -> Plan:
    config = tournament(*words.split())
    stored = stored_plan(config.db)
    check_flags(config, stored)
    plan = make_plan(config, stored)
    check_plan(config, plan, stored)
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
        attempt = opened.begin_match(make_pairing(None), "5+0.05", 0.0).id
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
        draw=DISTINCT,
    )


def test_default_bots_can_play_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert [*make_plan(tournament("--game", NIM.name)).bots] == ["random", "greedy"]
    assert [*make_plan(tournament("--game", "isolation")).bots] == DEFAULT_BOTS


def test_plan_without_defaults() -> None:
    words = "--format gauntlet --rounds 3 --seeds 2 --game take_stones --stones 7 9-10"
    words += " --seed -1 --opening-plies 2"
    bots = ["--bots", "a=random", "b=greedy", "--time", "1/move margin 0.5"]
    assert make_plan(tournament(*bots, *words.split())) == Plan(
        game="take_stones",
        bots={"a": "random", "b": "greedy"},
        setups=({"stones": 7}, {"stones": 9}, {"stones": 10}),
        time="1/move margin 0.5",
        seed=-1,
        format="gauntlet",
        rounds=3,
        seeds=2,
        opening_plies=2,
        draw=DISTINCT,
    )


def test_single_settings(db: Path) -> None:
    sprt = plan("--sprt", "elo1=20", "elo0=0").sprt
    assert sprt == "elo0=0 elo1=20 alpha=0.05 beta=0.05"
    assert plan("--format", "swiss", "--pairs", 4).pairs == 4
    for words in ([], ["--db", db]):  # seeds are random
        assert len({plan(*words).seed for _ in range(5)}) > 1


@loop_over(
    "bots, words, rounds",
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
)
def test_rounds(bots: int, words: list[str], rounds: int) -> None:
    assert make_plan(tournament("--bots", *bots * ["random"], *words)).rounds == rounds


@loop_over(
    "words, error",
    ("--bots random", "a tournament needs at least 2 bots, not 1"),
    ("--bots ann=random ann=greedy", "two bots are named ann"),
    ("--bots random cmd:no-bot", "bot 'cmd:no-bot': program 'no-bot' not found"),
    ("--sprt elo0=5", "--sprt: missing elo1"),
    ("--sprt elo0=0 nelo1=5", "--sprt: elo0 and nelo1 cannot be combined"),
    ("--stones 0", "--stones must be at least 1, not 0"),
    ("--time x", "--time 'x' is not BASE+INCREMENT, BASE or TIME/move in seconds, as 5+0.05"),
)
def test_configurations_that_make_no_plan(words: str, error: str) -> None:
    assert error_for(words).startswith(error)


# Books


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("stones=20 3 6  # \N{SNOWMAN}\nstones=7\n", encoding="utf-8")
    return path


def test_a_book_replaces_the_setups(book: Path, tmp_path: Path) -> None:
    asked = plan("--book", book)
    assert asked.book == (Opening({"stones": 20}, (3, 6)), Opening({"stones": 7}, ()))
    assert asked.setups == ()
    expected = f"cannot read {tmp_path}/book: No such file or directory"
    assert error_for(f"--book {tmp_path}/book") == expected


@pytest.fixture
def long_book(tmp_path: Path) -> Path:
    path = tmp_path / "long.txt"
    path.write_text("".join(f"stones={stones}\n" for stones in range(10, 40)))
    return path


def stones_of(asked: Plan) -> list[int]:
    return [opening.setup["stones"] for opening in asked.book]


def test_the_first_opening_of_a_book(long_book: Path) -> None:
    asked = plan("--book", long_book, "start=29")
    assert stones_of(asked) == [38, 39, *range(10, 38)]
    expected = "--book: start must be at most 30, not 31"
    assert error_for(f"--book {long_book} start=31") == expected


def test_a_book_in_random_order(long_book: Path, db: Path) -> None:
    flags = ("--book", long_book, "order=random", "--seed")
    assert stones_of(plan(*flags, 1)) != stones_of(plan(*flags, 2)) != [*range(10, 40)]
    assert sorted(stones_of(plan(*flags, 1))) == [*range(10, 40)]
    assert stones_of(plan(*flags, 1)) == stones_of(plan(*flags, 1))
    policy = ("--book", long_book, "order=random", "policy=encounter")
    asked = plan(*policy)
    store(db, asked.to_json())
    assert plan(*policy, "--db", db) == asked
    assert asked.book_policy == "encounter"


@pytest.mark.parametrize(
    ("words", "flag"), [("--stones 7", "--stones"), ("--opening-plies 1", "--opening-plies")]
)
def test_flags_that_cannot_be_combined_with_a_book(book: Path, words: str, flag: str) -> None:
    expected = f"{flag} cannot be combined with --book, which sets it"
    assert error_for(f"--book {book} {words}") == expected


@loop_over(
    "text, error",
    (b"", "no openings found"),
    (b"stones=7\nx", "line 2: expected a move or NAME=NUMBER, got 'x'"),
    (b"\xff", "line 1: invalid UTF-8"),
)
def test_invalid_books(tmp_path: Path, text: bytes, error: str) -> None:
    book = tmp_path / "book"
    book.write_bytes(text)
    assert error_for(f"--book {book}") == f"{book}: {error}"


# Stored plans


@pytest.mark.parametrize("create", [None, Path.touch, lambda path: DatabaseWriter(path).close()])
def test_database_without_a_plan(db: Path, create: Callable[[Path], object] | None) -> None:
    """It may be missing, or an empty file."""
    if create:
        create(db)
    assert stored_plan(db) is None
    checked(f"--db {db}")


def test_database_with_a_plan(db: Path) -> None:
    asked = checked("--seed 5")
    store(db, asked.to_json())
    assert stored_plan(db) == checked(f"--seed 5 --db {db}") == asked
    assert checked(f"--db {db}") == checked(f"--part 2/3 --db {db}") == asked
    assert checked("--seed 5 --part 2/3") == asked
    assert planned(tournament("--db", str(db), "--seed", "6")).seed == 6
    expected = "seed: stored 5, given 6; rounds: stored 1, given 2"
    error = f"{db} belongs to a different tournament; {expected}"
    assert error_for(f"--db {db} --seed 6 --rounds 2") == error


def test_extension(db: Path) -> None:
    stored = checked("--seed 5 --bots random greedy")
    store(db, stored.to_json())
    words = f"--db {db} --bots random greedy spec:1 --rounds 2"
    extended = checked(f"{words} --extend")
    assert (extended.seed, extended.rounds, extended.former_sizes) == (5, 2, (Size(2, 1),))
    assert [*extended.bots] == ["random", "greedy", "spec:1"]
    assert error_for(words).endswith("rounds: stored 1, given 2 (--extend adds what is new)")


def test_an_extended_tournament_is_continued_with_or_without_the_flag(db: Path) -> None:
    stored = replace(checked("--seed 5 --bots random greedy spec:1"), former_sizes=(Size(2, 1),))
    store(db, stored.to_json())
    words = f"--db {db} --bots random greedy spec:1"
    assert checked(words) == checked(f"{words} --extend") == stored


@loop_over(
    "stored, words, error",
    (None, "", "--extend requires --db with a tournament"),
    (None, "--db new.db", "--extend requires --db with a tournament"),
    ("--rounds 3", "--rounds 2", "{} cannot be extended: --rounds must be at least 3, not 2"),
    (
        "--format swiss",
        "--format swiss --rounds 4",
        "--rounds must be at most 3 with 5 bots, so that no pair meets twice, not 4",
    ),
)
def test_impossible_extensions(db: Path, stored: str | None, words: str, error: str) -> None:
    if stored:
        store(db, checked(f"--seed 5 {stored}").to_json())
        words += f" --db {db}"
    assert error_for(f"{words} --extend") == error.format(db)


def test_databases_that_hold_no_tournament(db: Path, tmp_path: Path) -> None:
    store_a_match(db)
    with pytest.raises(UsageError, match="holds matches that belong to no tournament"):
        stored_plan(db)
    with pytest.raises(DatabaseError, match="is not a regular file"):
        stored_plan(tmp_path)


# Checks


@loop_over(
    "words",
    "",
    "--rounds 3 --anchor random=100",
    "--bots random greedy --sprt elo0=0 elo1=10",
    "--bots random greedy --format round-robin --sprt elo0=0 elo1=10 --rounds 5",
    "--format gauntlet --seeds 4 --rounds 2",
    "--format swiss --rounds 3 --pairs 2",
    "--format knockout --pairs 2",
)
def test_valid_combinations(words: str) -> None:
    checked(words)


@loop_over(
    "words, error",
    ("--seeds 1", "--seeds requires --format gauntlet"),
    ("--pairs 1", "--pairs requires --format swiss or knockout"),
    (
        "--format knockout --rounds 1",
        "--rounds requires --format round-robin, gauntlet, swiss or grid",
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
    ("--anchor random=x", "--anchor: 'random=x': 'x' is not a rating in Elo"),
    ("--wait 5", "--wait requires --server or an external bot"),
    ("--server --pairs 1", "--pairs requires --format swiss or knockout"),
    (
        "--part 1/2 --seed 1 --format swiss",
        "--part requires --format round-robin, gauntlet or grid",
    ),
    (
        "--part 1/2 --seed 1 --bots random greedy --sprt elo0=0 elo1=5",
        "--part cannot be combined with --sprt",
    ),
    ("--part 1/2 --seed 1 --server", "--part cannot be combined with --server"),
    ("--part 1/2", "--part requires --seed, the same one for all parts"),
)
def test_invalid_combinations(words: str, error: str) -> None:
    assert error_for(words) == error


def test_system_limit_on_open_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (50, 50))
    error = "5 bots need 65 open files, the limit is 50 (see ulimit -Hn)"
    assert error_for("") == error


# Open tournaments


def opened(words: str, bots: str) -> Plan:
    """Return the plan of an open tournament with one bot for each letter."""
    config = tournament("--server", *words.split())
    return add_entrants(config, make_plan(config), {name: f"external:{name}" for name in bots})


@loop_over(
    "words, named",
    [("", []), ("--bots random", ["random"]), ("--format swiss", []), ("--sprt elo0=0 elo1=9", [])],
)
def test_an_open_tournament_may_name_any_number_of_bots(words: str, named: list[str]) -> None:
    assert [*checked(f"--server {words}").bots] == named


@loop_over(("bots", "rounds"), [("ab", 1), ("abc", 2), ("abcdefgh", 3)])
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


def test_open_tournaments_are_continued_with_the_same_bots(entered: Path) -> None:
    error = f"{entered} belongs to a different tournament, without the bot greedy=greedy"
    assert error_for(f"--server --bots random greedy --db {entered}") == error
    words = f"--server --db {entered} --rounds 3"
    assert checked(f"{words} --extend") == replace(checked(f"--server --db {entered}"), rounds=3)


# Settings of single bots


def test_settings_are_in_the_plan() -> None:
    made = plan(
        "--bot", "random", "time=9", "--bot", "greedy", "time=8+1", "--time", "1 margin 0.5"
    )
    assert made.settings == {"random": {"time": "9+0"}, "greedy": {"time": "8+1"}}
    assert made.times(("random", "greedy")) == "9+0 margin 0.5 vs 8+1 margin 0.5"
    with pytest.raises(UsageError, match="--bot: greedy: unknown setting 'x'"):
        tournament("--bot", "greedy", "x=1")


def test_a_program_is_looked_for_in_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    (tmp_path / "mine").chmod(0o755)
    for kind in ("stdio", "cmd", "program"):
        words = ("--bots", "random", f"{kind}:./mine", "--bot", "mine", f"dir={tmp_path}")
        made = make_plan(tournament(*words))
        assert made.bots == {"random": "random", "mine": f"{kind}:./mine"}
        assert made.settings == {"mine": {"dir": str(tmp_path)}}
        with pytest.raises(UsageError, match=r"program '\./mine' not found"):
            make_plan(tournament(*words[:3]))


@loop_over(
    "words, error",
    ("--bot x time=1", "--bot: unknown bot 'x' (choose from random, greedy)"),
    ("--bot greedy restart=on", "--bot greedy: restart has no meaning for the built-in bot"),
    ("--bot greedy time=unlimited", "--bot greedy: time 'unlimited' requires --workers"),
)
def test_settings_without_a_meaning(words: str, error: str) -> None:
    with pytest.raises(UsageError, match=re.escape(error)):
        plan(*words.split())


@loop_over(
    "words, error",
    ("a=stdio:sh \udcff", r"bot 'stdio:sh \udcff'"),
    ("sh=stdio:sh --bot sh env.A=\udcff", r"--bot sh: env.A '\udcff'"),
)
def test_what_a_plan_cannot_store(words: str, error: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(error)} is not in UTF-8$"):
        make_plan(tournament("--bots", "random", *re.split(" (?!\udcff)", words)))


def test_settings_on_the_command_line_replace_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text('[bot.random]\ntime = "1"\n[bot.greedy]\ntime = 2')
    config = tournament(str(path), "--bot", "greedy", "time=3")
    assert config.bot == {"random": {"time": "1+0"}, "greedy": {"time": "3+0"}}


# Processors


def test_affinity_requires_a_processor_for_each_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.planning.usable_processors", lambda: 2)
    checked("--bots random greedy --affinity --concurrency 2")
    error = "--concurrency must be at most 2 here, not 3"
    with pytest.raises(UsageError, match=error):
        checked("--bots random greedy --affinity --concurrency 3")
    monkeypatch.setattr("arena.cli.planning.CAN_PIN", False)
    with pytest.raises(UsageError, match="--affinity requires Linux"):
        checked("--bots random greedy --affinity")


def test_notice_of_too_many_matches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.planning.usable_processors", lambda: 2)
    assert processors_notice(2) == []
    assert processors_notice(None) == []
    (notice,) = processors_notice(3)
    assert notice.startswith("3 matches at once share 2 processors: ")
