"""Tables of games: every game that was played or is planned has one."""

from dataclasses import replace
from pathlib import Path

from arena.reports.tables import tables_of
from arena.reports.text import GameStandings
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import Plan
from tests.support.cases import loop_over
from tests.support.tournaments.databases import PLAN, make_database
from tests.support.tournaments.records import make_pairing, make_record

ISOLATION = replace(make_pairing(None), game="isolation", setup={})


def read(path: Path, plan: Plan | None = None) -> dict[str, GameStandings]:
    with DatabaseReader(path) as records:
        return tables_of(records, plan)


def test_each_game_that_was_played_has_a_table(db: Path) -> None:
    make_database(db, [make_record(), make_record(ISOLATION, attempt=2)], None)
    tables = read(db)
    assert [*tables] == ["isolation", "take_stones"]
    assert all(table.tally.total() == table.distinct_games == 1 for table in tables.values())


@loop_over(("plan", "bots"), [(None, {}), (PLAN, {"take_stones": ["anna", "bert"]})])
def test_a_planned_game_has_a_table_before_the_first_match(
    db: Path, plan: str | None, bots: dict[str, list[str]]
) -> None:
    tables = read(make_database(db, [], plan), Plan.from_json(plan) if plan else None)
    found = {game: [line.bot for line in table.standings] for game, table in tables.items()}
    assert found == bots


def test_the_anchor_has_its_rating(db: Path) -> None:
    make_database(db, [make_record()], None)
    with DatabaseReader(db) as records:
        table = tables_of(records, None, ("anna", 100.0))["take_stones"]
    assert table.ratings.elo["anna"] == 100
    assert [line.bot for line in table.standings] == ["anna", "bert"]


def test_analysed_matches_have_accuracies(db: Path) -> None:
    make_database(db, [make_record()], None)
    with DatabaseWriter(db) as writer:
        writer.save_verdicts(1, "kb").result()
    assert read(db)["take_stones"].accuracies["anna"].share == 1
