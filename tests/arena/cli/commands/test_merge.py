"""Command `arena merge`, as in a shell."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.computing.grids import PLAN as GRID
from tests.support.computing.grids import SWEEP
from tests.support.servers.arena_command import CompletedCommand, Run
from tests.support.servers.arena_server import read_matches
from tests.support.tournaments.databases import (
    MOVES,
    file_names,
    make_database,
    stored_plan,
    stored_records,
)
from tests.support.tournaments.plans import PLAN
from tests.support.tournaments.records import make_pairing, make_record

GAME = ["tournament", "--workers", "1", "--bots", "random", "greedy", "spec:1"]
GAME += ["--stones", "9", "12", "--rounds", "2", "--opening-plies", "2", "--seed", "3", "--quiet"]


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Create two parts of a tournament, each with a match."""
    plan = PLAN.to_json()
    return [
        make_database(tmp_path / f"{number}.db", [make_record(pairing)], plan)
        for number in (1, 2)
        for pairing in [make_pairing(number, stones=6 + number)]
    ]


@pytest.mark.slow
def test_merged_parts_are_the_whole_tournament(tmp_path: Path, arena: Run) -> None:
    whole, merged = tmp_path / "whole.db", tmp_path / "merged.db"
    parts = [tmp_path / f"{number}.db" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        assert arena(*GAME, "--part", f"{number}/3", "--db", part, "--tag", "Event=Cup").status == 0
    end = arena("merge", *parts, "--output", merged)
    assert end == CompletedCommand(0, f"24 matches in {merged}\n", "")
    assert arena(*GAME, "--db", whole).status == 0
    played = [
        [(r.pairing.number, r.pairing.opening, [m.move for m in r.moves]) for r in read_matches(db)]
        for db in (whole, merged)
    ]
    assert sorted(played[0]) == sorted(played[1])
    assert {record.tags["Event"] for record in stored_records(merged)} == {"Cup"}
    assert arena("verify", merged).status == 0


def test_the_same_match_in_two_databases(parts: list[Path], tmp_path: Path, arena: Run) -> None:
    output = tmp_path / "c.db"
    copy = tmp_path / "copy.db"
    copy.write_bytes(parts[0].read_bytes())
    end = arena("merge", *parts, copy, "--output", output)
    assert end.out == f"2 matches in {output}, 1 of them more than once\n"


def test_independent_events(parts: list[Path], tmp_path: Path, arena: Run) -> None:
    other = replace(PLAN, seed=9).to_json()
    cup = replace(make_pairing(1), tags={"Event": "Cup"})
    spring = make_database(tmp_path / "spring.db", [make_record(cup, moves=MOVES)], other)
    output = tmp_path / "c.db"
    end = arena("merge", *parts, spring, "--output", output, "--independent")
    assert end.out == f"3 matches in {output}\n"
    assert [record.tags for record in stored_records(output)] == [
        {"Event": "1"},
        {"Event": "2"},
        {"Event": "Cup"},
    ]
    assert stored_plan(output) is None
    assert "take_stones: 3 matches" in arena("standings", output).out


def test_names_that_stand_for_several_things_are_warned_about(tmp_path: Path, arena: Run) -> None:
    bots = {"anna": "stdio:./v1", "bert": "greedy"}
    one, two = (
        make_database(
            tmp_path / f"{name}.db",
            [replace(make_record(make_pairing(1, stones=stones)), time_control=control)],
            replace(PLAN, bots=bots | {"anna": f"stdio:./{name}"}).to_json(),
        )
        for name, control, stones in (("v1", "5+0.05", 7), ("v2", "9+0 vs 5+0.05", 9))
    )
    output = tmp_path / "c.db"
    end = arena("merge", one, two, "--output", output, "--independent")
    rename = "(arena rename tells them apart)"
    assert end == CompletedCommand(
        0,
        f"2 matches in {output}\n",
        "arena: warning: one rating of anna for more than one program:"
        f" stdio:./v1 in {one}, stdio:./v2 in {two} {rename}\n"
        "arena: warning: one rating of anna for more than one time control:"
        f" 5+0.05 in {one}, 9+0 in {two} {rename}\n",
    )


def test_databases_without_a_plan_are_independent(tmp_path: Path, arena: Run) -> None:
    for name in "ab":
        record = make_record(make_pairing(None, (name, "carl")))
        make_database(tmp_path / f"{name}.db", [record], None)
    sources = [tmp_path / "a.db", tmp_path / "b.db"]
    assert arena("merge", *sources, "--output", tmp_path / "c.db").status == 0
    events = [record.tags["Event"] for record in stored_records(tmp_path / "c.db")]
    assert events == ["a", "b"]


def refused(arena: Run, folder: Path, *paths: Path) -> str:
    """Return the reason why databases are not merged, which leaves no file."""
    before = file_names(folder)
    end = arena("merge", *paths, "--output", folder / "c.db")
    assert (end.status, end.out, file_names(folder)) == (2, "", before)
    return end.err.removeprefix("arena: ").rstrip()


@pytest.mark.parametrize("is_first", [True, False])
def test_a_database_without_a_plan_beside_a_tournament(
    parts: list[Path], tmp_path: Path, arena: Run, is_first: bool
) -> None:
    other = make_database(tmp_path / "d.db", [], None)
    pair = [other, parts[0]] if is_first else [parts[0], other]
    assert f"different tournaments; {other} has no plan (--in" in refused(arena, tmp_path, *pair)


def test_a_grid_and_a_sweep_of_an_earlier_version(tmp_path: Path, arena: Run) -> None:
    paths = [make_database(tmp_path / "a.db", [], SWEEP)]
    paths.append(make_database(tmp_path / "b.db", [], GRID.to_json()))
    assert arena("merge", *paths, "--output", tmp_path / "c.db").status == 0
    assert stored_plan(tmp_path / "c.db") == GRID.to_json()


def test_a_match_that_was_played_twice(parts: list[Path], tmp_path: Path, arena: Run) -> None:
    other = make_database(
        tmp_path / "d.db", [make_record(make_pairing(2), moves=MOVES)], PLAN.to_json()
    )
    error = f"match number 2 was played twice, in {parts[1]} and {other}"
    assert refused(arena, tmp_path, *parts, other) == error


def test_databases_that_cannot_be_merged(parts: list[Path], tmp_path: Path, arena: Run) -> None:
    other = make_database(tmp_path / "d.db", [], replace(PLAN, seed=9).to_json())
    missing = tmp_path / "no.db"
    for paths, error in (
        ([parts[0]], "expected at least 2 databases, got 1"),
        ([*parts, parts[0]], f"{parts[0]} is given more than once"),
        ([*parts, missing], f"database {missing} does not exist"),
        (
            [parts[0], other],
            f"different tournaments; seed: {parts[0]} 1, {other} 9 (--independent merges their"
            " matches alone)",
        ),
    ):
        assert refused(arena, tmp_path, *paths) == error
    end = arena("merge", *parts, "--output", parts[0])
    assert end == CompletedCommand(2, "", f"arena: {parts[0]} exists already\n")
