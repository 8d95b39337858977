"""Plan in the database of a tournament: stored once, replaced by its extensions."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

from arena.cli.planning import StoredPlan, stored_schedule
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.schedule import Schedule
from tests.support.cases import loop_over
from tests.support.tournaments.databases import store_record, stored_plan
from tests.support.tournaments.plans import PLAN
from tests.support.tournaments.records import make_record

LARGER = replace(PLAN, rounds=7)


def former_plans(db: Path) -> list[str]:
    with closing(sqlite3.connect(db)) as connection:
        return [plan for (plan,) in connection.execute("SELECT plan FROM former_plans")]


def test_a_missing_plan_is_stored(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        stored = StoredPlan(writer, None)
        assert stored.is_missing
        stored.save(PLAN)
        assert not stored.is_missing
    assert (stored_plan(db), former_plans(db)) == (PLAN.to_json(), [])


def test_an_extension_replaces_the_plan_once(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        writer.save_plan(PLAN.to_json())
        stored = StoredPlan(writer, PLAN.to_json())
        for plan in (PLAN, LARGER, LARGER):
            stored.save(plan)
    assert (stored_plan(db), former_plans(db)) == (LARGER.to_json(), [PLAN.to_json()])


def test_the_plan_of_an_earlier_version_stays_as_it_is(db: Path) -> None:
    text = PLAN.to_json().replace(', "former_sizes": []', "")
    with DatabaseWriter(db) as writer:
        writer.save_plan(text)
        StoredPlan(writer, text).save(PLAN)
    assert (stored_plan(db), former_plans(db)) == (text, [])


@loop_over("sprt", [None, "elo0=0 elo1=50"])
def test_a_stored_match_is_not_played_again(db: Path, sprt: str | None) -> None:
    bots = {"anna": "random", "bert": "greedy"}
    plan = replace(PLAN, bots=bots, sprt=sprt)
    with DatabaseWriter(db) as writer:
        [first, second] = [*islice(iter(Schedule(plan, []).next_pairing, None), 2)]
        store_record(writer, make_record(first))
    with DatabaseReader(db) as records:
        assert stored_schedule(records, plan).next_pairing() == second
