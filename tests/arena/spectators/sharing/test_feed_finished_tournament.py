"""The end of a tournament, found in databases of complete and of interrupted ones."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from arena.spectators.sharing.feed import (
    FinishedTournament,
    find_finished_tournament,
)
from arena.storage.spectator_reader import DayReader
from tests.support.cases import loop_over
from tests.support.tournaments.databases import make_database
from tests.support.tournaments.records import make_pairing, make_record

BOTS = ("bert", "anna")


def plan(**changes: object) -> str:
    usual = {
        "game": "take_stones",
        "bots": dict.fromkeys(BOTS, "random"),
        "setups": [{"stones": 7}],
        "time": "5+0.05",
        "seed": 1,
    }
    return json.dumps(usual | changes)


def find(
    path: Path, text: str | None, winners: Iterable[str], finished_at: float = 1002.25
) -> FinishedTournament | None:
    """Return the tournament with a plan, and the winner of each match."""
    records = []
    for number, winner in enumerate(winners, 1):
        players = BOTS if number % 2 else BOTS[::-1]
        record = make_record(make_pairing(number, players), 1 + players.index(winner))
        records.append(replace(record, id=number, finished_at=finished_at))
    with DayReader(make_database(path, records, text)) as reader:
        return find_finished_tournament(reader)


def test_a_round_robin_ends_with_its_last_match(db: Path) -> None:
    found = find(db, plan(), ["anna", "anna"])
    assert found
    assert found[:4] == ("take_stones", "round-robin", 2, 2)
    assert [(place.rank, place.bot) for place in found.places] == [(1, "anna"), (2, "bert")]
    assert found.updated_at == 1002.25


def test_a_cup_is_won_by_its_champion_though_ratings_are_equal(db: Path) -> None:
    found = find(db, plan(format="knockout", pairs=1), ["bert", "anna"] * 2)
    assert found
    assert found.places == ((1, "bert", "won the final"), (2, "anna", "lost the final"))


def test_a_sequential_test_may_end_early(db: Path) -> None:
    text = plan(rounds=500, sprt="elo0=0 elo1=400")
    found = find(db, text, ["bert", "anna", *["bert"] * 98])
    assert found
    assert (found.matches, found.places[0].bot) == (100, "bert")


@loop_over(
    "changes",
    {"rounds": 2},
    {"format": "knockout", "pairs": 2},
    {"rounds": 500, "sprt": "elo0=0 elo1=5"},
    {"game": "unknown"},
)
def test_before_the_end_there_is_none(db: Path, changes: dict[str, object]) -> None:
    assert find(db, plan(**changes), ["anna", "anna"]) is None


def test_without_a_plan_there_is_none(db: Path) -> None:
    assert find(db, None, ["anna"]) is None


def test_times_outside_of_the_calendar_are_left_out(db: Path) -> None:
    found = find(db, plan(), ["anna", "anna"], 1e18)
    assert found
    assert found.updated_at == 0
