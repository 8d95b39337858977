"""Dry run of a tournament: plan, duration and pairings."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from arena.cli.tournament_output import print_plan
from arena.model.results import MatchRecord, MatchResult, Pairing, Termination
from arena.storage.writer import DatabaseWriter
from arena.tournament.openings import Opening
from arena.tournament.plan import DISTINCT, FORMATS, Plan
from arena.tournament.schedule import Schedule
from tests.support.cases import loop_over

PLAN = Plan(
    game="take_stones",
    bots={"anna": "random", "bert": "no such bot", "carl": "cmd:no-such-program"},
    setups=({"stones": 20}, {"stones": 7}),
    time="5+0.5",
    seed=1,
    opening_plies=2,
)
DUEL = replace(PLAN, bots={"anna": "random", "bert": "greedy"}, opening_plies=0)
TEST = replace(DUEL, rounds=1000, sprt="elo0=0 elo1=400")
FOUR = dict.fromkeys("abcd", "random")


@pytest.fixture
def text(capsys: pytest.CaptureFixture[str]) -> "Text":
    return Text(capsys)


class Text:
    """Printer of a plan that returns the lines."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, plan: Plan, concurrency: int = 1, db: Path | None = None) -> list[str]:
        print_plan(plan, concurrency, db)
        return self._capsys.readouterr().out.splitlines()


def filled(db: Path, plan: Plan, matches: int, seconds: float = 3.0) -> Path:
    """Fill a database with the first `matches` matches of a plan, of `seconds` seconds each."""
    schedule = Schedule(plan, [])
    with DatabaseWriter(db) as writer:
        writer.save_plan(plan.to_json())
        for pairing in islice(iter(schedule.next_pairing, None), matches):
            finish(writer, schedule, pairing, seconds)
    return db


def finish(writer: DatabaseWriter, schedule: Schedule, pairing: Pairing, seconds: float) -> None:
    """Store a result: the bot whose name comes first wins."""
    winner = 1 + pairing.players.index(min(pairing.players))
    attempt = writer.begin_match(pairing, "5+0.5", 100.0).id
    result = MatchResult(Termination.NO_LEGAL_MOVE, winner, "that is why")
    record = MatchRecord(attempt, pairing, "5+0.5", 100.0, 100.0 + seconds, result, ())
    writer.finish_match(record).result()
    assert pairing.number
    schedule.add_result(pairing.number, pairing.players, winner)


def duration(lines: Iterable[str]) -> str:
    return next(line for line in lines if line.startswith("duration: ")).partition(": ")[2]


def matches(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if line.startswith("match ")]


def test_round_robin(text: Text) -> None:
    assert [re.sub(r"about .* s,", "about TIME,", line) for line in text(PLAN, 2)] == [
        "take_stones, round-robin, time 5+0.5, seed 1",
        "bots: anna, bert, carl",
        "matches: 12, 0 finished, 2 at once",
        "duration: at most about TIME, if the bots use all their time in games of 5 plies",
        *matches(text(PLAN)),
    ]


def test_matches_have_lines(text: Text) -> None:
    first = Schedule(PLAN, []).next_pairing()
    assert first
    players = " - ".join(first.players)
    assert matches(text(PLAN))[0] == f"match 1, {players}, stones 20, opening 5 10"
    lines = matches(text(replace(PLAN, rounds=3)))
    assert [int(line.split()[1][:-1]) for line in lines] == [*range(1, 37)]
    assert text(replace(PLAN, format="swiss"))[-1].startswith("match 2, ")


def test_book_for_a_game_without_parameters(text: Text) -> None:
    book = (Opening({}, (16, 23)), Opening({}, ()))
    lines = text(replace(DUEL, game="isolation", setups=(), book=book))
    assert [line.split(", ")[2:] for line in matches(lines)] == [
        ["opening 16 23"],
        ["opening 16 23"],
        [],
        [],
    ]


@pytest.mark.parametrize(("kind", "planned"), [("swiss", "8"), ("knockout", "at most 12")])
def test_rounds_that_depend_on_results(text: Text, kind: str, planned: str) -> None:
    lines = text(replace(PLAN, bots=FOUR, format=kind, rounds=2))
    assert lines[2] == f"matches: {planned}, 0 finished, 1 at once"
    assert (len(matches(lines)), lines[-1]) == (4, "further pairings depend on results")


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
def test_later_rounds_are_printed_once_they_are_known(text: Text, db: Path, kind: str) -> None:
    plan = replace(PLAN, bots=FOUR, format=kind, rounds=2)
    lines = text(plan, db=filled(db, plan, 4))
    assert "4 finished" in lines[2]
    numbers = [int(line.split()[1][:-1]) for line in matches(lines)]
    assert numbers[:1] > [4]


@loop_over("kind", ["swiss", "knockout", "round-robin"])
def test_finished_tournament(text: Text, db: Path, kind: str) -> None:
    plan = replace(DUEL, format=kind, setups=({"stones": 7},))
    lines = text(plan, db=filled(db, plan, 4))
    assert len(lines) == 4
    assert duration(lines).removeprefix("at most ") == "about 0.0 s, at 3 s per match so far"


def test_sequential_test(text: Text) -> None:
    lines = text(TEST)
    assert lines[2] == "matches: at most 4,000, 0 finished, 1 at once"
    assert (len(matches(lines)), lines[-1]) == (100, "and at most 3,900 more")
    lines = text(replace(TEST, draw=DISTINCT, distinct_only=True))
    assert lines[2] == "matches: at most 4, 0 finished, 1 at once"
    assert len(matches(lines)) == 4 == len(lines) - 4


def test_decided_and_finished_matches(text: Text, db: Path) -> None:
    lines = text(TEST, db=filled(db, TEST, 400))
    assert int(lines[2].split()[4]) < 400
    assert (len(lines), duration(lines)) == (4, "at most about 0.0 s, at 3 s per match so far")
    lines = text(replace(PLAN, format="gauntlet"))
    assert lines[0] == "take_stones, gauntlet, time 5+0.5, seed 1"
    assert all("anna" in line for line in matches(lines))
    assert len(matches(lines)) == 8 == len(lines) - 4


def test_finished_matches_are_not_printed(text: Text, db: Path) -> None:
    lines = text(DUEL, db=filled(db, DUEL, 3))
    assert lines[2] == "matches: 4, 3 finished, 1 at once"
    assert [line.split(",")[0] for line in matches(lines)] == ["match 4"]


# Duration


@loop_over(
    "finished, concurrency, seconds, expected",
    (3, 1, 3.0, "about 3.0 s, at 3 s per match so far"),
    (1, 1, 0.25, "about 0.8 s, at 0.25 s per match so far"),
    (1, 2, 40.0, "about 1 min 20 s, at 40 s per match so far"),
    (2, 2, 7384.0, "about 2 h 3 min, at 7.38e+03 s per match so far"),
)
def test_estimate_from_finished_matches(
    text: Text, db: Path, finished: int, concurrency: int, seconds: float, expected: str
) -> None:
    filled(db, DUEL, finished, seconds)
    assert duration(text(DUEL, concurrency, db)) == expected


SHORT = replace(DUEL, setups=({"stones": 3},))  # stone 1, then 2 or 3: two plies at most


@loop_over(
    "time, concurrency, longest",
    ("5", 1, "20.0 s"),  # 2 matches, 2 banks in each
    ("5+1", 1, "24.0 s"),  # and 2 plies
    ("5/move", 1, "20.0 s"),
    ("5", 2, "10.0 s"),
    ("5", 3, "10.0 s"),  # a single match takes no less time
    ("30", 1, "2 min 0 s"),
    ("3600", 1, "4 h 0 min"),
)
def test_limit_of_the_time_control(text: Text, time: str, concurrency: int, longest: str) -> None:
    lines = text(replace(SHORT, time=time), concurrency)
    expected = f"at most about {longest}, if the bots use all their time in games of 2 plies"
    assert duration(lines) == expected


def test_duration_without_a_clock_or_a_finished_match(text: Text, db: Path) -> None:
    lines = text(replace(SHORT, time="unlimited"))
    assert duration(lines) == "unknown before a first match, without a clock"
    assert "in games of 2 plies" in duration(text(SHORT, db=filled(db, SHORT, 0)))


def test_games_are_sampled_over_all_setups(text: Text) -> None:
    setups = tuple({"stones": 3 if number < 100 else 300} for number in range(200))
    few, many = (
        int(duration(text(replace(DUEL, setups=taken))).split()[-2])
        for taken in (setups[:100], setups)
    )
    assert few == 2 < many


@pytest.mark.parametrize(("kind", "openings"), [("swiss", 4), ("knockout", 8)])
def test_games_are_sampled_from_openings_of_the_plan(text: Text, kind: str, openings: int) -> None:
    plan = replace(SHORT, bots=FOUR, format=kind, rounds=2, pairs=2)
    setups = [*plan.setups * openings, {"stones": 300}]
    assert "in games of 2 plies" in duration(text(replace(plan, setups=tuple(setups))))
    assert "in games of 2 plies" not in duration(text(replace(plan, setups=tuple(setups[1:]))))


# Side effects


def test_nothing_is_written(
    text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, db: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    text(PLAN, db=tmp_path / "new.db")
    assert [*tmp_path.iterdir()] == []
    db.touch()
    assert text(DUEL, db=db) == text(DUEL)
    before = filled(db, DUEL, 1).read_bytes()
    text(DUEL, db=db)
    assert db.read_bytes() == before


@loop_over("kind", FORMATS)
def test_a_page_of_a_huge_plan_is_printed_at_once(text: Text, kind: str) -> None:
    bots = {f"bot{number}": "random" for number in range(400)}
    lines = text(replace(PLAN, bots=bots, format=kind, rounds=200, pairs=10**6))
    assert len(matches(lines)) == 100
    assert re.fullmatch(r"and (at most )?[\d,]+ more", lines[-1])


def test_the_rest_of_a_huge_plan_is_counted(text: Text) -> None:
    lines = text(replace(PLAN, rounds=10**12))
    assert lines[2] == "matches: 12,000,000,000,000, 0 finished, 1 at once"
    assert (len(matches(lines)), lines[-1]) == (100, "and 11,999,999,999,900 more")
    assert len(text(replace(PLAN, rounds=8))) == 4 + 96


def test_duration_is_that_of_the_longest_time_control(capsys: pytest.CaptureFixture[str]) -> None:
    print_plan(replace(PLAN, settings={"anna": {"time": "3600/move"}}), None, None)
    assert " h " in capsys.readouterr().out
    print_plan(replace(PLAN, settings={"anna": {"time": "unlimited"}}), None, None)
    assert "duration: unknown before a first match" in capsys.readouterr().out
