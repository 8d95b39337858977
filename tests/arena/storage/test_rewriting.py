"""Rewriting: names are replaced and matches removed, as if they had never been stored."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, MatchResult, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import remove_matches, rename_player
from arena.storage.schema import DatabaseError, UnusableDatabase
from arena.storage.verify import find_differences
from arena.storage.writer import DatabaseWriter
from arena.tournament.plan import FORMATS, Plan
from arena.tournament.schedule import Schedule
from tests.arena.storage.test_tallies import random_records
from tests.support.cases import loop_over
from tests.support.tournaments.databases import (
    DOWNGRADE_TO_VERSION_4,
    MOVES,
    begin_match,
    make_database,
    prepare,
    run_script,
    stored_plan,
    stored_records,
)
from tests.support.tournaments.matches import play_match
from tests.support.tournaments.plans import PLAN
from tests.support.tournaments.records import make_aborted_record, make_pairing, make_record

ANNA, BERT = "anna", "bert"


def numbered(records: Sequence[MatchRecord]) -> list[MatchRecord]:
    """Return records with ids, that ended one second after another."""
    return [
        replace(record, id=number, finished_at=float(number))
        for number, record in enumerate(records, 1)
    ]


def renamed(record: MatchRecord, old: str, new: str) -> MatchRecord:
    one, two = (new if player == old else player for player in record.pairing.players)
    return replace(record, pairing=replace(record.pairing, players=(one, two)))


def tables(path: Path) -> object:
    """Return what standings and leaderboards are made of."""
    with DatabaseReader(path) as records:
        return {
            game: (
                records.tallies().get(game),
                sorted(records.pair_scores(game)[1]),
                records.distinct_games(game),
            )
            for game in records.games()
        }


# Names


def test_a_renamed_player_is_as_if_it_had_always_had_the_name(path: Path, tmp_path: Path) -> None:
    records = numbered(random_records(60))
    make_database(path, records, None)
    old = records[0].pairing.players[0]
    count = rename_player(path, old, "zoe")
    expected = [renamed(record, old, "zoe") for record in records]
    assert count == sum("zoe" in record.pairing.players for record in expected) > 0
    other = make_database(tmp_path / "other.db", expected, None)
    assert stored_records(path) == stored_records(other)
    assert tables(path) == tables(other)


def test_two_matches_of_a_pair_may_have_different_players(path: Path, tmp_path: Path) -> None:
    pairings = [make_pairing(1, ("anna", "bert")), make_pairing(2, ("carl", "dora"))]
    records = numbered([make_record(pairing) for pairing in pairings])
    make_database(path, records, None)
    rename_player(path, "anna", "zoe")
    expected = [renamed(record, "anna", "zoe") for record in records]
    assert tables(path) == tables(make_database(tmp_path / "other.db", expected, None))


def test_a_name_that_comes_back_is_counted_again(path: Path) -> None:
    records = numbered(random_records(60))
    make_database(path, records, None)
    before = tables(path)
    for old, new in (("anna", "zoe"), ("zoe", "anna")):
        rename_player(path, old, new)
    assert tables(path) == before


@pytest.mark.parametrize("ending", ["flag", "removal", "failure", "resignation"])
def test_reasons_have_the_new_name_and_are_verified(path: Path, ending: str) -> None:
    record = play_match(ending)
    make_database(path, [record], None)
    for old, new in zip(record.pairing.players, ("one", "two"), strict=True):
        rename_player(path, old, new)
    [found] = stored_records(path)
    assert found.pairing.players == ("one", "two")
    assert not [name for name in record.pairing.players if name in found.result.reason]
    assert find_differences(found) == []


def test_logs_tags_and_words_of_programs_have_the_new_name(path: Path) -> None:
    reason = "player 1 (anna) failed: anna has lost annabel's (anna)"
    result = MatchResult(Termination.DISCONNECT, 2, reason)
    tagged = replace(make_pairing(None), tags={"White": ANNA, "Event": "anna cup"})
    record = replace(make_record(tagged, log="anna: no file anna.txt, hanna"), result=result)
    make_database(path, [record, make_record(make_pairing(None), attempt=2)], None)
    rename_player(path, ANNA, r"\1")
    found, other = stored_records(path)
    assert found.result.reason == r"player 1 (\1) failed: \1 has lost annabel's (\1)"
    assert found.log == r"\1: no file \1.txt, hanna"
    assert found.tags == {"White": r"\1", "Event": "anna cup"}
    assert other.result.reason == "that is why"


def test_the_old_name_is_no_longer_in_the_file(path: Path) -> None:
    unusual = "Rumpelstilzchen"
    records = [
        make_record(make_pairing(None, (unusual, BERT)), attempt=number) for number in range(1, 99)
    ]
    make_database(path, records, None)
    rename_player(path, unusual, "x")
    assert unusual.encode() not in path.read_bytes()


def check_refusal(path: Path, error: str, old: str = ANNA, new: str = "zoe") -> None:
    before = path.read_bytes()
    with pytest.raises(DatabaseError, match=error):
        rename_player(path, old, new)
    assert path.read_bytes() == before


def test_names_that_cannot_be_replaced(path: Path) -> None:
    make_database(path, [make_record(make_pairing(None))], None)
    prepare(path)
    check_refusal(path, f"^bert is a player in {path}: choose another name$", new=BERT)
    check_refusal(path, f"^eve is no player in {path}$", old="eve")


def test_a_damaged_plan_is_not_renamed(path: Path) -> None:
    make_database(path, [make_record()], "{}")
    check_refusal(path, f"^the plan in {path} is damaged: ")


def test_a_missing_database_is_not_created(path: Path) -> None:
    with pytest.raises(UnusableDatabase, match="does not exist"):
        rename_player(path, ANNA, "zoe")
    assert not path.exists()


# In a tournament


def stored_tournament(path: Path, plan: Plan, matches: int) -> Schedule:
    """Store the plan and the first matches of a tournament; return what is left of it."""
    schedule, records = Schedule(plan, []), []
    for number in range(1, matches + 1):
        pairing = schedule.next_pairing()
        assert pairing
        records.append(make_record(pairing, attempt=number))
        schedule.add_result(number, pairing.players, 1)
    make_database(path, records, plan.to_json())
    return schedule


@loop_over("format_", *FORMATS)
def test_a_tournament_continues_with_the_new_name(
    tmp_path_factory: pytest.TempPathFactory, format_: str
) -> None:
    path = tmp_path_factory.mktemp("db") / "t.db"
    bots = {"anna": "random", "bert": "greedy", "carl": "external:carl"}
    settings = {"bert": {"time": "9+0"}, "anna": {"restart": "on"}}
    plies = (0,) if format_ == "grid" else ()
    plan = replace(PLAN, bots=bots, format=format_, settings=settings, grid_plies=plies)
    left = stored_tournament(path, plan, 3)
    for old, new in (("anna", "Zoe"), ("carl", "Abe")):
        rename_player(path, old, new)
    with DatabaseReader(path) as records:
        found = records.decoded_plan()
        assert isinstance(found, Plan)
        continued = Schedule(found, records.results())
    assert [*found.bots.items()] == [
        ("Zoe", "random"),
        ("bert", "greedy"),
        ("Abe", "external:Abe"),
    ]
    assert found.settings == {"bert": {"time": "9+0"}, "Zoe": {"restart": "on"}}
    assert replace(found, bots=bots, settings=settings) == plan
    while pairing := left.next_pairing():
        names = {"anna": "Zoe", "carl": "Abe", "bert": "bert"}
        one, two = (names[player] for player in pairing.players)
        assert continued.next_pairing() == replace(pairing, players=(one, two))
    assert continued.next_pairing() is None


def test_a_bot_of_the_plan_without_a_match(path: Path) -> None:
    stored_tournament(path, PLAN, 0)
    check_refusal(path, f"^bert is a player in {path}: choose another name$", new=BERT)
    assert rename_player(path, ANNA, "zoe") == 0
    assert [*Plan.from_json(stored_plan(path) or "").bots] == ["zoe", "bert", "carl"]


def test_plans_before_an_extension_have_the_new_name(path: Path) -> None:
    stored_tournament(path, PLAN, 2)
    with DatabaseWriter(path) as writer:
        larger = replace(PLAN, rounds=9).to_json()
        writer.replace_plan(PLAN.to_json(), larger, 1.0)
    rename_player(path, ANNA, "zoe")
    with closing(sqlite3.connect(path)) as db:
        [(former,)] = db.execute("SELECT plan FROM former_plans")
    assert former == PLAN.to_json().replace(ANNA, "zoe")


def test_only_aborted_matches_of_a_tournament_are_removed(path: Path) -> None:
    pairing = make_pairing()
    records = numbered([make_aborted_record(pairing), make_record(pairing), make_aborted_record()])
    make_database(path, records)
    before = tables(path)
    assert remove_matches(path, 1e9) == 1
    assert [record.id for record in stored_records(path)] == [2, 3]
    assert tables(path) == before


def test_a_tournament_in_progress_stays_as_it_is(path: Path) -> None:
    make_database(path, [make_record()])
    error = f"^another arena is writing to {path}: stop the tournament, and continue it then$"
    with DatabaseWriter(path):
        check_refusal(path, error)
        with pytest.raises(DatabaseError, match=error):
            remove_matches(path, 1e9)


# Beside a running arena


def test_the_writer_of_an_arena_notices_a_change(path: Path) -> None:
    make_database(path, [make_record(make_pairing(None))], None)
    with DatabaseWriter(path) as writer:
        writer.prepare()
        begin_match(writer, make_pairing(None, ("cid", BERT)))
        assert writer.rewrites == 0
        rename_player(path, ANNA, "zoe")
        writer.look().result()
        writer.look().result()
        assert writer.rewrites == 1
        again = begin_match(writer, make_pairing(None, ("zoe", BERT)))
        record = replace(make_record(make_pairing(None, ("zoe", BERT)), moves=MOVES), id=again)
        writer.finish_match(record).result()
        assert (writer.rewrites, writer.has_failed) == (1, False)
    assert [found.pairing.players[0] for found in stored_records(path)] == ["zoe", "zoe"]


def test_a_bot_that_plays_keeps_its_name(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        begin_match(writer, make_pairing(None))
        with pytest.raises(DatabaseError, match=f"^anna is playing in {path}: ban it first$"):
            rename_player(path, ANNA, "zoe")
    rename_player(path, ANNA, "zoe")  # the arena was killed, and the match is aborted
    [record] = stored_records(path)
    assert (record.pairing.players[0], record.result.termination) == ("zoe", Termination.ABORTED)


def test_a_database_that_its_arena_has_not_upgraded_is_in_use(path: Path) -> None:
    make_database(path, [make_record(make_pairing(None))], None)
    run_script(path, DOWNGRADE_TO_VERSION_4)
    with DatabaseWriter(path):
        check_refusal(path, f"^another arena is writing to {path}$")
    rename_player(path, ANNA, "zoe")


# Old matches


def test_removed_matches_are_as_if_they_had_never_been(path: Path, tmp_path: Path) -> None:
    records = numbered([*random_records(40), make_aborted_record()])
    make_database(path, records, None)
    assert remove_matches(path, 21.0) == 20
    other = make_database(tmp_path / "other.db", records[20:], None)
    assert stored_records(path) == stored_records(other)
    assert tables(path) == tables(other)


def test_the_latest_match_and_those_in_progress_stay(path: Path) -> None:
    with DatabaseWriter(path) as writer:
        for _ in range(3):
            record = replace(make_record(), id=begin_match(writer, make_pairing(None)))
            writer.finish_match(record).result()
        playing = begin_match(writer, make_pairing(None))
        assert remove_matches(path, 1e9) == 3
        writer.finish_match(replace(make_record(), id=playing)).result()
        assert remove_matches(path, 1e9) == 0
    assert [record.id for record in stored_records(path)] == [playing]


def test_a_large_database_of_a_running_arena_is_not_pruned(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.storage.rewriting.MAX_BESIDE", 2)
    pairings = [make_record(make_pairing(None), attempt=match) for match in (1, 2, 3)]
    make_database(path, pairings, None)
    error = f"^{path} has more than 2 matches: stop the arena that writes to it$"
    with DatabaseWriter(path) as writer:
        writer.prepare()
        with pytest.raises(DatabaseError, match=error):
            remove_matches(path, 1e9)
    assert remove_matches(path, 1e9) == 2
