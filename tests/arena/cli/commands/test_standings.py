"""Command `arena standings`: standings as text and as JSON."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli.arguments import UsageError
from arena.cli.commands.standings import StandingsConfig
from arena.model.results import MatchRecord, Pairing, Termination
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from arena.tournament.schedule import Schedule
from tests.support.cases import loop_over
from tests.support.servers.arena_command import CompletedCommand, Run, configured
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record

Facts = dict[str, Any]
Shown = Callable[..., str]


def make_plan(bots: str = "ab", **more: Any) -> Plan:
    """Return a plan for bots with these letters as names."""
    what = dict.fromkeys(bots, "random")
    return Plan("take_stones", what, ({"stones": 7},), "5+0.05", seed=3, **more)


def store(db: Path, *records: MatchRecord) -> None:
    """Store records, each as a new attempt."""
    with DatabaseWriter(db) as kept:
        for record in records:
            number = kept.begin_match(record.pairing, record.time_control, 1000.5).id
            kept.finish_match(replace(record, id=number)).result()


def stronger(pairing: Pairing) -> int:
    """Return the player whose name comes first in the alphabet."""
    return 1 if pairing.players[0] < pairing.players[1] else 2


def play(db: Path, plan: Plan, matches: int | None = None) -> None:
    """Store a plan and up to `matches` of its matches; the stronger bot wins."""
    with DatabaseWriter(db) as kept:
        kept.save_plan(plan.to_json())
    schedule = Schedule(plan, [])
    while schedule.finished_count != matches and (pairing := schedule.next_pairing()):
        won = stronger(pairing)
        store(db, make_record(pairing, won))
        assert pairing.number
        schedule.add_result(pairing.number, pairing.players, won)


@pytest.fixture
def shown(db: Path, capsys: pytest.CaptureFixture[str]) -> Shown:
    """Return a function that returns the printed table of the database."""

    def show(*flags: str) -> str:
        configured(StandingsConfig, "standings", str(db), *flags).run()
        return capsys.readouterr().out

    return show


def facts(text: str) -> Facts:
    found: Facts = json.loads(text)
    return found


# A round robin


def test_table(db: Path, shown: Shown) -> None:
    play(db, make_plan("abc"))
    _, ratings, crosstable = shown().split("\n\n")
    assert "\n1  a    +284  735    4     0  2-0-0         .\n" in ratings
    assert "\nFirst move: +0 Elo +- 587 " in ratings
    assert "\n1  a        .  1-0 1-0  1-0 1-0\n" in crosstable


def test_json(db: Path, shown: Shown) -> None:
    play(db, make_plan())
    told = facts(shown("--json"))
    assert [line["bot"] for line in told.pop("standings")["take_stones"]] == ["a", "b"]
    assert told.pop("first_move")["take_stones"]["elo"] == 0
    assert told == {
        "seed": 3,
        "time": "5+0.05",
        "format": "round-robin",
        "matches": 2,
        "finished": 2,
        "distinct_games": {"take_stones": 2},
    }


def test_disconnected_groups_are_mentioned(db: Path, shown: Shown) -> None:
    play(db, make_plan("abcd"), matches=0)
    pairings = [
        make_pairing(number, players) for number, players in ((1, ("a", "b")), (2, ("c", "d")))
    ]
    store(db, *map(make_record, pairings))
    warning = "ratings of groups that no match connects are not comparable: a, b; c, d\n"
    assert warning in shown()


def test_forfeits_are_listed(db: Path, shown: Shown) -> None:
    lost = make_record(make_pairing(1, ("a", "b")), termination=Termination.TIMEOUT)
    store(db, lost, make_aborted_record(make_pairing(2, ("b", "a"))))
    assert shown().endswith(
        "\n\nForfeits\n  match 1, a - b, take_stones, stones 7: timeout: that is why\n"
    )


# Other formats


def test_sequential_test(db: Path, shown: Shown) -> None:
    plan = make_plan(rounds=1000, sprt="elo0=0 elo1=300 alpha=0.2 beta=0.2")
    play(db, plan)
    text = shown()
    assert text.startswith(
        "take_stones, round-robin, time 5+0.05, seed 3: 6 matches, 2 distinct games\n"
    )
    assert "\n\nSPRT elo0=0 elo1=300 alpha=0.2 beta=0.2 (Elo): LLR +1." in text
    scores = "Pairs by score [0, 0.5, 1, 1.5, 2]: [0, 0, 0, 0, 3], "
    assert f", accepted H1 after 3 pairs\n{scores}" in text
    told = facts(shown("--json"))
    assert (told["sprt"]["pairs"], told["sprt"]["verdict"]) == (3, "accepted H1")
    assert told["matches"] is None


def test_swiss(db: Path, shown: Shown) -> None:
    play(db, make_plan("abc", format="swiss", rounds=1))
    text = shown()
    assert text.startswith("take_stones, swiss, time 5+0.05, seed 3: 2 of 2 matches\n")
    assert "\n\n#  bot  points  Buchholz " in text
    assert facts(shown("--json"))["swiss"] == [
        {"rank": 1, "bot": "c", "points": 2, "buchholz": 1, "sonneborn_berger": 1, "byes": 1},
        {"rank": 2, "bot": "a", "points": 2, "buchholz": 0, "sonneborn_berger": 0, "byes": 0},
        {"rank": 3, "bot": "b", "points": 0, "buchholz": 2, "sonneborn_berger": 0, "byes": 0},
    ]


def test_knockout(db: Path, shown: Shown) -> None:
    play(db, make_plan("abc", format="knockout"), matches=2)
    told = facts(shown("--json"))
    assert (told["matches"], told["finished"]) == (None, 2)  # the plan has only a limit
    level = {"points": [0, 0], "wins": [0, 0]}
    bye = {"players": ["a", None], **level, "winner": "a", "decided": "bye"}
    score = {"points": [2, 0], "wins": [2, 0]}
    won = {"players": ["b", "c"], **score, "winner": "b", "decided": "played"}
    final = {"players": ["a", "b"], **level, "winner": None, "decided": None}
    assert told["knockout"] == [[bye, won], [final]]
    text = shown()
    assert text.startswith("take_stones, knockout, time 5+0.05, seed 3: 2 matches\n")
    assert text.endswith("\n\nFinal\n  1 a  0 - 0  b 2\n")


# Likelihood of superiority


def test_table_before_the_first_match(db: Path, shown: Shown) -> None:
    play(db, make_plan(), matches=0)
    lines = shown().splitlines()
    assert lines[0].endswith(": 0 of 2 matches")
    assert lines[3:5] == [
        "1  a      .   .    0     0         .",
        "2  b      .   .    0     0         .",
    ]
    assert shown("--los") == shown()


# An anchor


def test_anchor_without_a_match(db: Path, shown: Shown) -> None:
    play(db, make_plan("abc"), matches=1)
    assert shown("--anchor", "a=1500") == shown()


def test_anchor(db: Path, shown: Shown) -> None:
    play(db, make_plan())
    lines = shown("--anchor", "b=1500").splitlines()
    assert [line[:16] for line in lines[3:5]] == ["1  a    +1882  2", "2  b    +1500   "]
    line = facts(shown("--json", "--anchor", "a"))["standings"]["take_stones"][0]
    assert (line["rating"]["elo"], line["rating"]["margin"]) == (0, 0)
    with pytest.raises(UsageError, match=r"^--anchor: unknown bot 'c' \(choose from a, b\)$"):
        shown("--anchor", "c=1500")


# Databases without a plan


def test_empty_and_missing_databases(db: Path, shown: Shown) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        shown()
    store(db)
    assert shown("--anchor", "a", "--los") == "no matches\n"
    nothing = dict.fromkeys(("seed", "time", "format", "matches"))
    empty: Facts = {"distinct_games": {}, "first_move": {}, "standings": {}}
    assert facts(shown("--json")) == {**nothing, "finished": 0, **empty}


GAMES = [
    make_record(make_pairing(None, ("a", "b"))),
    make_record(Pairing(None, ("b", "c"), "isolation", {}), 2),
    make_aborted_record(make_pairing(None, ("a", "d"))),
]


def test_several_games(db: Path, shown: Shown) -> None:
    store(db, *GAMES)
    text = shown("--los")
    first, _, second = text.partition("\ntake_stones: 1 match\n\n")
    assert first.startswith("isolation: 1 match\n\n#  bot  Elo")
    assert "1  c " in first
    assert "1  a " in second
    assert all("Likelihood of superiority" in part for part in (first, second))
    told = facts(shown("--json", "--anchor", "a=1000"))
    assert [*told["standings"]] == ["isolation", "take_stones"]
    assert (told["format"], told["matches"], told["finished"]) == (None, None, 2)
    assert told["standings"]["take_stones"][0]["rating"]["elo"] == 1000
    assert told["standings"]["isolation"][0]["rating"]["elo"] < 1000


# One bot, and the width of the terminal


def test_results_of_one_bot_and_a_narrow_terminal(
    complete: Path, arena: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = arena("standings", complete, "--bot", "greedy").out
    assert "Won-lost of greedy against each other bot\n#  opponent" in text
    assert "as player 1, then as player 2" not in text
    assert "superior" not in text
    assert "superior %" in arena("standings", complete, "--bot", "greedy", "--los").out
    assert "more bot" not in arena("standings", complete).out
    monkeypatch.setenv("COLUMNS", "30")
    assert "and 1 more bot: arena standings --bot NAME" in arena("standings", complete).out
    assert "and 1 more bot: arena standings --bot NAME" in arena("standings", complete, "--los").out


def test_results_of_a_bot_that_plays_one_of_two_games(tmp_path: Path, arena: Run) -> None:
    records = [
        make_record(make_pairing(None, ("a", "b")), attempt=1),
        make_record(replace(make_pairing(None, ("c", "d")), game="isolation"), attempt=2),
    ]
    text = arena("standings", make_database(tmp_path / "a.db", records, None), "--bot", "a").out
    assert text.count("against each other bot") == 1


@loop_over(
    "more, line",
    ([], "unknown bot 'x' (choose from greedy, random, spec:1)"),
    (["--json"], "cannot be combined with --json, which has the results of all bots"),
)
def test_an_unknown_bot(complete: Path, arena: Run, more: list[str], line: str) -> None:
    separator = "" if more else ":"
    expected = CompletedCommand(2, "", f"arena: --bot{separator} {line}\n")
    assert arena("standings", complete, "--bot", "x", *more) == expected
