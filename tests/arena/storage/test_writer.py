"""The database: what is kept whatever happens, and what is refused."""

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.model.results import (
    FORFEITS,
    Fault,
    MatchRecord,
    Outcome,
    Pairing,
    PlayedMove,
    Termination,
)
from arena.storage.reader import Records
from arena.storage.schema import StoreError
from arena.storage.writer import Store
from tests.support.records import a_casual, a_pairing, a_record, an_aborted

MOVES = (PlayedMove(0, 3, 1.5, 0.0625, 1.4375, 0.25), PlayedMove(1, 6, 0.1, 0.0, 0.1, 0.0))
COUNTED = [termination for termination in Termination if termination is not Termination.ABORTED]
REPOSITORY = Path(__file__).parents[3]
NOBODY = 65534


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


def begin(store: Store, pairing: Pairing | None = None) -> int:
    """Begin a match and wait for its id."""
    return store.begin(pairing or a_pairing(), "5+0.05", 1000.5).result()


def keep(store: Store, record: MatchRecord) -> MatchRecord:
    """Begin a match and finish it like this. Returns the record with its id."""
    record = replace(record, id=begin(store, record.pairing))
    store.finish(record).result()
    return record


def kept(path: Path) -> list[MatchRecord]:
    with Records(path) as records:
        return [*records.matches(moves=True)]


def finished(path: Path) -> list[int]:
    """The numbers of the matches that count."""
    with Records(path) as records:
        return [number for number, _, _ in records.finished()]


def plan(path: Path) -> str | None:
    with Records(path) as records:
        return records.plan()


def judged(path: Path, game: str = "take_stones") -> list[tuple[MatchRecord, str]]:
    with Records(path) as records:
        return [*records.judged(game)]


def unjudged(path: Path, game: str = "take_stones") -> list[MatchRecord]:
    with Records(path) as records:
        return [*records.unjudged(game)]


def alter(path: Path, script: str) -> None:
    """Do something to a database behind the arena's back."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


@contextmanager
def in_one_batch() -> Iterator[None]:
    """Whatever is handed to a store in here is there before its thread gets to run."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(60)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)


# What is kept


def test_a_match_is_kept_as_it_was(store: Store) -> None:
    record = keep(store, a_record(moves=MOVES))
    assert kept(store.path) == [record]


@pytest.mark.parametrize("termination", Termination)
def test_every_termination_is_kept(store: Store, termination: Termination) -> None:
    keep(store, a_record(termination=termination))
    assert kept(store.path)[0].result.termination is termination


def test_an_aborted_match_is_kept(store: Store) -> None:
    record = keep(store, an_aborted())
    assert kept(store.path) == [record]


def test_openings_and_setups_are_kept(store: Store) -> None:
    pairing = Pairing(None, ('a"b', "石"), "some game", {"columns": 7, "rows": 6}, (3, 6, 2))
    keep(store, a_record(pairing))
    assert kept(store.path)[0].pairing == pairing


@pytest.mark.parametrize("count", [1, 64, 65, 200])
def test_however_many_moves_are_kept(store: Store, count: int) -> None:
    moves = tuple(PlayedMove(ply, 2 * ply, 0.1 * ply, 0.0, 0.1 * ply, 0.0) for ply in range(count))
    record = keep(store, a_record(moves=moves))
    assert kept(store.path) == [record]


def test_moves_are_read_only_if_asked_for(store: Store) -> None:
    keep(store, a_record(moves=MOVES))
    with Records(store.path) as records:
        assert [record.moves for record in records.matches()] == [()]


def test_a_match_survives_closing(path: Path) -> None:
    with Store(path) as store:
        record = keep(store, a_record(moves=MOVES))
    assert kept(path) == [record]


def test_a_match_survives_opening_again(path: Path) -> None:
    with Store(path) as store:
        record = keep(store, a_record(moves=MOVES))
    with Store(path):
        assert kept(path) == [record]


def test_matches_are_read_in_the_order_of_the_schedule(store: Store) -> None:
    for number in (3, 1, 2):
        keep(store, a_record(a_pairing(number)))
    assert [record.pairing.number for record in kept(store.path)] == [1, 2, 3]


def test_moves_are_read_of_one_match(store: Store) -> None:
    keep(store, a_record())
    record = keep(store, a_record(a_pairing(2), moves=MOVES))
    with Records(store.path) as records:
        assert records.moves(record.id) == MOVES


@pytest.mark.parametrize("move", [None, 0, 5, -1, 2**63, 10**4299, -(10**4299)])
def test_faults_are_kept(store: Store, move: int | None) -> None:
    fault = Fault(2, move, 1.5, 0.0625, 1.4375, 0.25)
    record = keep(store, a_record(moves=MOVES, fault=fault))
    assert kept(store.path) == [record]


def test_faults_are_read_only_if_asked_for(store: Store) -> None:
    keep(store, a_record(fault=Fault(0, 2, 1.5, 0.0, 1.5, 0.0)))
    with Records(store.path) as records:
        assert [record.fault for record in records.matches()] == [None]


def test_the_fault_is_read_of_one_match(store: Store) -> None:
    fault = Fault(0, None, 1.5, 0.0, 1.5, 0.0)
    lost = keep(store, a_record(fault=fault))
    won = keep(store, a_record(a_pairing(2)))
    with Records(store.path) as records:
        assert (records.fault(lost.id), records.fault(won.id)) == (fault, None)


def test_a_match_may_get_its_moves_and_its_fault_later(store: Store) -> None:
    record = keep(store, a_record(moves=MOVES, fault=Fault(2, 5, 1.5, 0.0, 1.5, 0.0)))
    with Records(store.path) as records:
        [bare] = records.matches()
        assert records.with_moves(bare) == record


# Casual matches


@pytest.mark.parametrize("number", [None, 3])
def test_a_casual_match_is_kept_with_its_time(store: Store, number: int | None) -> None:
    record = keep(store, a_record(a_casual(a_pairing(number)), moves=MOVES))
    assert kept(store.path) == [record]


def test_the_time_of_a_match_that_counts_is_the_arenas(store: Store) -> None:
    keep(store, a_record(replace(a_pairing(), time="5+0.05")))
    assert [record.pairing for record in kept(store.path)] == [a_pairing()]


def test_a_casual_match_in_progress_is_not_read(store: Store) -> None:
    begin(store, a_casual())
    assert kept(store.path) == []


def test_a_casual_match_counts_nowhere(store: Store) -> None:
    for termination in COUNTED:
        keep(store, a_record(a_casual(), termination=termination))
    keep(store, a_record(a_casual(a_pairing(9))))
    with Records(store.path) as records:
        assert (records.tallies(), records.mean_seconds()) == ({}, None)
        assert ([*records.finished()], [*records.forfeits()]) == ([], [])


def test_a_casual_match_is_not_to_be_judged(store: Store) -> None:
    keep(store, a_record(a_casual()))
    assert unjudged(store.path) == []


# One match, and the latest


@pytest.mark.parametrize("record", [a_record(moves=MOVES), a_record(a_casual()), an_aborted()])
def test_a_match_is_found(store: Store, record: MatchRecord) -> None:
    keep(store, a_record(a_pairing(7)))
    record = keep(store, replace(record, fault=Fault(2, 5, 1.5, 0.0, 1.5, 0.0)))
    with Records(store.path) as records:
        assert records.match(record.id) == record


@pytest.mark.parametrize("match", [1, 2, 0, -1])
def test_a_match_that_has_not_ended_is_not_found(store: Store, match: int) -> None:
    begin(store)
    with Records(store.path) as records:
        assert records.match(match) is None


MET = [
    a_pairing(None),
    a_casual(a_pairing(None, ("bert", "carl"))),
    Pairing(None, ("carl", "anna"), "isolation", {}),
    Pairing(None, ("anna", "dora"), "isolation", {}),
]


def latest(
    path: Path,
    limit: int = 9,
    before: int | None = None,
    bot: str | None = None,
    game: str | None = None,
) -> list[int]:
    with Records(path) as records:
        return [record.id for record, _ in records.latest(limit, before, bot, game)]


def test_the_latest_are_without_moves_and_say_how_many_plies(store: Store) -> None:
    record = keep(store, a_record(replace(a_pairing(), opening=(3, 6, 2)), moves=MOVES))
    casual = keep(store, a_record(a_casual()))
    with Records(store.path) as records:
        assert records.latest(9) == [(casual, 0), (replace(record, moves=()), 5)]


@pytest.mark.parametrize(
    ("limit", "before", "bot", "game", "found"),
    [
        (9, None, None, None, [4, 3, 2, 1]),
        (2, None, None, None, [4, 3]),
        (0, None, None, None, []),
        (9, 3, None, None, [2, 1]),
        (1, 3, None, None, [2]),
        (9, None, "anna", None, [4, 3, 1]),
        (9, None, "nobody", None, []),
        (9, None, None, "isolation", [4, 3]),
        (9, 4, "anna", "isolation", [3]),
        (9, None, "", "", []),
    ],
)
def test_the_latest(
    store: Store,
    limit: int,
    before: int | None,
    bot: str | None,
    game: str | None,
    found: list[int],
) -> None:
    for pairing in MET:
        keep(store, a_record(pairing))
    assert latest(store.path, limit, before, bot, game) == found


def test_a_match_in_progress_is_not_among_the_latest(store: Store) -> None:
    keep(store, an_aborted())
    begin(store)
    assert latest(store.path) == [1]


def test_the_latest_that_is_damaged(store: Store) -> None:
    keep(store, a_record())
    alter(store.path, "UPDATE matches SET winner = 3")
    with pytest.raises(
        StoreError, match=r"^match 1 in .* is damaged: winner 3 is neither 1 nor 2$"
    ):
        latest(store.path)


# Verdicts


def judge(store: Store, record: MatchRecord, verdicts: str) -> MatchRecord:
    """Keep a match and the verdicts on it. Returns the match as it is read, without moves."""
    record = keep(store, record)
    store.save_verdicts(record.id, verdicts).result()
    return replace(record, moves=())


def in_isolation(number: int) -> Pairing:
    return Pairing(number, ("anna", "bert"), "isolation", {})


def test_verdicts_are_kept(store: Store) -> None:
    record = judge(store, a_record(moves=MOVES), "kb")
    assert judged(store.path) == [(record, "kb")]


def test_there_may_be_no_verdict_of_a_match_that_is_judged(store: Store) -> None:
    record = judge(store, a_record(), "")
    assert judged(store.path) == [(record, "")]


def test_a_match_that_is_judged_is_judged(store: Store) -> None:
    judge(store, a_record(), "")
    assert unjudged(store.path) == []


def test_without_an_analysis_there_are_no_verdicts(store: Store) -> None:
    record = keep(store, a_record())
    assert (judged(store.path), unjudged(store.path)) == ([], [record])


def test_aborted_matches_are_not_to_be_judged(store: Store) -> None:
    keep(store, an_aborted())
    begin(store)
    assert unjudged(store.path) == []


def test_matches_are_judged_in_order(store: Store) -> None:
    records = [judge(store, a_record(a_pairing(number)), "k") for number in (3, 1, 2)]
    assert [record for record, _ in judged(store.path)] == [*records[1:], records[0]]


def test_matches_are_to_be_judged_in_order(store: Store) -> None:
    records = [keep(store, a_record(a_pairing(number))) for number in (3, 1, 2)]
    assert unjudged(store.path) == [*records[1:], records[0]]


def test_verdicts_are_told_apart_by_game(store: Store) -> None:
    judge(store, a_record(a_pairing(1)), "k")
    other = judge(store, a_record(in_isolation(2)), "b")
    assert judged(store.path, "isolation") == [(other, "b")]


def test_what_is_to_be_judged_is_told_apart_by_game(store: Store) -> None:
    keep(store, a_record(a_pairing(1)))
    other = keep(store, a_record(in_isolation(2)))
    assert unjudged(store.path, "isolation") == [other]


def test_a_match_is_analysed_once(store: Store) -> None:
    match = keep(store, a_record()).id
    store.save_verdicts(match, "k").result()
    with pytest.raises(StoreError, match="UNIQUE"):
        store.save_verdicts(match, "b").result()


# What is not there


def test_a_match_in_progress_is_not_read(store: Store) -> None:
    begin(store)
    assert kept(store.path) == []


def test_a_new_database_is_empty(store: Store) -> None:
    assert (plan(store.path), finished(store.path), kept(store.path)) == (None, [], [])


def test_a_database_says_whose_it_is(store: Store) -> None:
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (int.from_bytes(b"TSTA"),)


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert begin(store) == 1


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "a#b.db", "file:x.db", "石.db"])
def test_any_name_of_a_file(tmp_path: Path, name: str) -> None:
    with Store(tmp_path / name) as store:
        keep(store, a_record())
    assert finished(tmp_path / name) == [1]


times = st.floats(0, 1e6)


@settings(max_examples=20)
@given(
    st.lists(
        st.builds(
            a_record,
            st.builds(
                Pairing,
                st.none() | st.integers(-(2**63), 2**63 - 1),
                st.tuples(st.text(), st.text()),
                st.text(),
                st.dictionaries(st.text(), st.integers()),
                st.lists(st.integers()).map(tuple),
            ).flatmap(lambda pairing: st.sampled_from([pairing, a_casual(pairing)])),
            moves=st.lists(
                st.builds(
                    PlayedMove,
                    st.integers(0, 2**62),
                    st.integers(0, 2**62),
                    *[times] * 4,
                ),
                unique_by=lambda move: move.ply,
            ).map(lambda moves: tuple(sorted(moves, key=lambda move: move.ply))),
            fault=st.none()
            | st.builds(Fault, st.integers(0, 2**62), st.none() | st.integers(), *[times] * 4),
        ),
        max_size=5,
        unique_by=lambda record: record.pairing.number,
    )
)
def test_whatever_is_kept_comes_back(records: list[MatchRecord]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "arena.db") as store:
        expected = [keep(store, record) for record in records]
        assert sorted(kept(store.path), key=lambda record: record.id) == expected


# The plan


def test_the_plan_is_kept(path: Path) -> None:
    with Store(path) as store:
        store.save_plan("all of it")
    assert plan(path) == "all of it"


def test_there_is_one_plan(store: Store) -> None:
    store.save_plan("this")
    with pytest.raises(StoreError, match="cannot write to the database: UNIQUE"):
        store.save_plan("that")


def test_a_second_plan_changes_nothing(store: Store) -> None:
    store.save_plan("this")
    with pytest.raises(StoreError):
        store.save_plan("that")
    assert plan(store.path) == "this"


# What has been counted


def test_what_is_known_of_finished_matches(store: Store) -> None:
    keep(store, a_record(a_pairing(7, ("anna", "bert")), winner=2))
    keep(store, a_record(a_pairing(8, ("bert", "anna")), winner=1))
    with Records(store.path) as records:
        assert [*records.finished()] == [(7, ("anna", "bert"), 2), (8, ("bert", "anna"), 1)]


def test_finished_matches_are_in_order(store: Store) -> None:
    for number in (3, 1, 2):
        keep(store, a_record(a_pairing(number)))
    assert finished(store.path) == [1, 2, 3]


def test_a_match_outside_a_tournament_is_not_among_the_finished(store: Store) -> None:
    keep(store, a_record(a_pairing(None)))
    assert finished(store.path) == []


def test_outcomes_are_counted(store: Store) -> None:
    for number, winner in enumerate([1, 1, 2], 1):
        keep(store, a_record(a_pairing(number), winner))
    with Records(store.path) as records:
        assert records.tallies() == {
            "take_stones": {
                Outcome("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 2,
                Outcome("anna", "bert", 2, Termination.NO_LEGAL_MOVE): 1,
            }
        }


@pytest.mark.parametrize("termination", COUNTED)
def test_every_outcome_is_counted(store: Store, termination: Termination) -> None:
    keep(store, a_record(termination=termination))
    with Records(store.path) as records:
        [outcome] = records.tallies()["take_stones"]
        assert outcome.termination is termination


def test_outcomes_are_counted_by_game(store: Store) -> None:
    keep(store, a_record(a_pairing(1)))
    keep(store, a_record(in_isolation(2)))
    with Records(store.path) as records:
        assert [*records.tallies()] == ["isolation", "take_stones"]


def test_matches_outside_a_tournament_are_counted(store: Store) -> None:
    for _ in range(2):
        keep(store, a_record(a_pairing(None)))
    with Records(store.path) as records:
        assert [tally.total() for tally in records.tallies().values()] == [2]


def test_aborted_matches_are_not_counted(store: Store) -> None:
    keep(store, an_aborted())
    begin(store)
    with Records(store.path) as records:
        assert records.tallies() == {}


def test_how_long_a_match_takes(store: Store) -> None:
    keep(store, a_record(a_pairing(1)))  # 1.75 s
    keep(store, replace(a_record(a_pairing(2)), finished_at=1003.0))  # 2.5 s
    with Records(store.path) as records:
        assert records.mean_seconds() == 2.125


def test_how_long_a_match_takes_is_not_known_without_one(store: Store) -> None:
    keep(store, an_aborted())
    begin(store)
    with Records(store.path) as records:
        assert records.mean_seconds() is None


def test_forfeits(store: Store) -> None:
    terminations = [*Termination]
    for number, termination in enumerate(terminations, 1):
        keep(store, a_record(a_pairing(number), termination=termination))
    with Records(store.path) as records:
        found = [record.result.termination for record in records.forfeits()]
    assert found == [termination for termination in terminations if termination in FORFEITS]


def test_forfeits_are_in_order_and_without_moves(store: Store) -> None:
    for number in (2, 1):
        keep(store, a_record(a_pairing(number), termination=Termination.TIMEOUT, moves=MOVES))
    with Records(store.path) as records:
        found = [(record.pairing.number, record.moves) for record in records.forfeits()]
    assert found == [(1, ()), (2, ())]


# Every pairing counts once


def test_a_finished_pairing_counts(store: Store) -> None:
    keep(store, a_record(a_pairing(7)))
    assert finished(store.path) == [7]


@pytest.mark.parametrize("termination", COUNTED)
def test_a_pairing_cannot_count_twice(store: Store, termination: Termination) -> None:
    keep(store, a_record(a_pairing(7), winner=1))
    with pytest.raises(StoreError, match=r"failed: matches\.number$"):
        keep(store, a_record(a_pairing(7), winner=2, termination=termination))


def test_the_first_result_counts(store: Store) -> None:
    first = keep(store, a_record(a_pairing(7), winner=1, moves=MOVES))
    with pytest.raises(StoreError):
        keep(store, a_record(a_pairing(7), winner=2, moves=MOVES))
    assert kept(store.path) == [first]


def test_a_refused_result_leaves_no_moves(store: Store) -> None:
    keep(store, a_record(a_pairing(7)))
    with pytest.raises(StoreError):
        keep(store, a_record(a_pairing(7), moves=MOVES))
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT count(*) FROM moves").fetchone() == (0,)


def test_an_aborted_match_does_not_count(store: Store) -> None:
    keep(store, an_aborted(a_pairing(7)))
    assert finished(store.path) == []


def test_an_aborted_match_is_played_again(store: Store) -> None:
    for record in (an_aborted, an_aborted, a_record):
        keep(store, record(a_pairing(7)))
    assert finished(store.path) == [7]


def test_a_match_may_be_aborted_after_another_attempt_counted(store: Store) -> None:
    keep(store, a_record(a_pairing(7)))
    keep(store, an_aborted(a_pairing(7)))
    assert finished(store.path) == [7]


def test_attempts_are_read_in_order(store: Store) -> None:
    attempts = [keep(store, record(a_pairing(7))) for record in (an_aborted, an_aborted, a_record)]
    assert kept(store.path) == attempts


def test_a_match_in_progress_does_not_count(store: Store) -> None:
    begin(store, a_pairing(7))
    assert finished(store.path) == []


def test_pairings_outside_a_schedule_may_meet_again(store: Store) -> None:
    records = [keep(store, a_record(a_pairing(None))) for _ in range(2)]
    assert kept(store.path) == records


def test_every_attempt_has_its_own_id(store: Store) -> None:
    assert [begin(store), begin(store), begin(store)] == [1, 2, 3]


def test_ids_go_on_after_opening_again(path: Path) -> None:
    with Store(path) as store:
        begin(store)
        keep(store, a_record())
    with Store(path) as store:
        assert begin(store) == 3


# Many at once


def test_a_batch_answers_each_with_its_own(store: Store) -> None:
    with in_one_batch():
        futures = [store.begin(a_pairing(number), "5+0", 0.0) for number in range(100)]
    assert [future.result() for future in futures] == [*range(1, 101)]


def test_a_batch_is_committed_or_not_as_a_whole(store: Store) -> None:
    first = keep(store, a_record(a_pairing(7)))
    again, other = begin(store, a_pairing(7)), begin(store, a_pairing(8))
    with in_one_batch():
        good = store.finish(a_record(a_pairing(8), attempt=other))
        bad = store.finish(a_record(a_pairing(7), attempt=again))
    assert [type(good.exception()), type(bad.exception())] == [StoreError, StoreError]
    assert kept(store.path) == [first]


def test_the_store_goes_on_after_a_failure(store: Store) -> None:
    store.save_plan("this")
    with pytest.raises(StoreError):
        store.save_plan("that")
    assert keep(store, a_record()) in kept(store.path)


def test_what_no_database_can_hold_is_an_error_too(store: Store) -> None:
    with pytest.raises(StoreError, match="cannot write to the database: Python int too large"):
        begin(store, a_pairing(2**63))


def test_the_store_goes_on_after_what_no_database_can_hold(store: Store) -> None:
    with pytest.raises(StoreError):
        begin(store, replace(a_pairing(), players=("\ud800", "bert")))
    assert begin(store) == 1


def test_closing_waits_for_what_has_come_in(path: Path) -> None:
    store = Store(path)
    with in_one_batch():
        futures = [store.begin(a_pairing(number), "5+0", 0.0) for number in range(10)]
        store.close()
    assert [future.done() for future in futures] == [True] * 10


def test_a_store_may_be_closed_twice(path: Path) -> None:
    with Store(path) as store:
        store.close()
    assert kept(path) == []


def test_who_stops_waiting_does_not_stop_the_write(store: Store) -> None:
    async def stop_waiting() -> None:
        waiting = asyncio.wrap_future(store.begin(a_pairing(7), "5+0.05", 0.0))
        waiting.cancel()
        await asyncio.wait([waiting])

    asyncio.run(stop_waiting())
    assert begin(store) == 2


def test_who_stops_waiting_does_not_stop_the_store(store: Store) -> None:
    future: Future[int] = store.begin(a_pairing(7), "5+0.05", 0.0)
    assert not future.cancel()
    assert future.result() == 1


# Reading while another writes


def test_records_show_what_is_written_meanwhile(store: Store) -> None:
    with Records(store.path) as records:
        assert [*records.finished()] == []
        keep(store, a_record(a_pairing(7)))
        assert [*records.finished()] == [(7, ("anna", "bert"), 1)]


def test_a_reader_in_the_middle_does_not_stop_the_writer(store: Store) -> None:
    keep(store, a_record(a_pairing(1)))
    keep(store, a_record(a_pairing(2)))
    with Records(store.path) as records:
        reading = records.matches()
        next(reading)
        keep(store, a_record(a_pairing(3)))
        assert [record.pairing.number for record in reading] == [2]


def test_records_cannot_write(path: Path) -> None:
    with Store(path):
        pass
    before = path.read_bytes()
    with Records(path) as records:
        assert not [*records.finished()]
    assert path.read_bytes() == before


# What is refused


def test_one_arena_a_database(store: Store) -> None:
    with pytest.raises(StoreError, match=f"^another arena is writing to {store.path}$"):
        Store(store.path)


def test_the_first_arena_goes_on(store: Store) -> None:
    with pytest.raises(StoreError):
        Store(store.path)
    assert begin(store) == 1


def test_a_refused_database_is_not_locked(path: Path) -> None:
    path.write_text("my diary" * 100)
    with pytest.raises(StoreError):
        Store(path)
    path.unlink()
    with Store(path) as store:
        assert begin(store) == 1


FOREIGN = "CREATE TABLE diary (day TEXT); INSERT INTO diary VALUES ('monday');"
OPENERS = pytest.mark.parametrize("opener", [Store, Records])


@OPENERS
def test_a_file_that_is_no_database(path: Path, opener: type[Store | Records]) -> None:
    path.write_text("my diary" * 100)
    with pytest.raises(
        StoreError, match=r"^cannot (use|read) .*arena\.db: file is not a database$"
    ):
        opener(path)


@OPENERS
def test_a_database_of_others(path: Path, opener: type[Store | Records]) -> None:
    alter(path, FOREIGN)
    with pytest.raises(StoreError, match=r"arena\.db is not a database of the arena$"):
        opener(path)


@OPENERS
@pytest.mark.parametrize("version", [0, 1, 4])
def test_a_database_of_another_version(
    path: Path, opener: type[Store | Records], version: int
) -> None:
    Store(path).close()
    alter(path, f"PRAGMA user_version = {version}")
    text = f"^{path} has version {version}, this arena reads 2 and 3$"
    with pytest.raises(StoreError, match=text):
        opener(path)


# What the first version made.
VERSION_1 = """
PRAGMA application_id = 0x54535441;
PRAGMA user_version = 1;
CREATE TABLE plan (id INTEGER PRIMARY KEY CHECK (id = 1), plan TEXT NOT NULL) STRICT;
CREATE TABLE moves (
    match INTEGER NOT NULL, ply INTEGER NOT NULL, move INTEGER NOT NULL,
    elapsed REAL NOT NULL, credit REAL NOT NULL, charged REAL NOT NULL,
    PRIMARY KEY (match, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO moves VALUES (1, 0, 3, 0.5, 0.0, 0.5);
"""


@OPENERS
def test_a_database_of_the_first_version_is_left_as_it_is(
    path: Path, opener: type[Store | Records]
) -> None:
    alter(path, VERSION_1)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"has version 1, this arena reads 2 and 3$"):
        opener(path)
    assert path.read_bytes() == before


# What makes of a database one of the second version.
VERSION_2 = "DROP TABLE casual; PRAGMA user_version = 2"


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


@pytest.fixture
def second(path: Path) -> MatchRecord:
    """The match that is in a database of the second version."""
    with Store(path) as store:
        record = keep(store, a_record(moves=MOVES))
    alter(path, VERSION_2)
    return record


def test_a_database_of_the_second_version_is_read(path: Path, second: MatchRecord) -> None:
    assert kept(path) == [second]
    with Records(path) as records:
        assert [tally.total() for tally in records.tallies().values()] == [1]
        assert records.latest(9) == [(replace(second, moves=()), 2)]


def test_reading_leaves_the_second_version_as_it_is(path: Path, second: MatchRecord) -> None:
    before = path.read_bytes()
    assert kept(path) == [second]
    assert path.read_bytes() == before


def test_opening_to_write_upgrades_the_second_version(path: Path, second: MatchRecord) -> None:
    with Store(path) as store:
        casual = keep(store, a_record(a_casual()))
        assert kept(path) == [casual, second]
    assert version(path) == 3


def test_who_reads_the_second_version_reads_on_when_it_is_upgraded(
    path: Path, second: MatchRecord
) -> None:
    with Records(path) as records:
        Store(path).close()
        assert [*records.matches(moves=True)] == [second]


def test_an_upgrade_is_done_or_not_as_a_whole(path: Path, second: MatchRecord) -> None:
    alter(path, "CREATE TABLE casual (x)")
    with pytest.raises(StoreError, match=r"^cannot use .*: table casual already exists$"):
        Store(path)
    assert version(path) == 2
    alter(path, "DROP TABLE casual")
    assert kept(path) == [second]


@OPENERS
@pytest.mark.parametrize("content", ["text", "database"])
def test_the_files_of_others_are_left_as_they_are(
    path: Path, opener: type[Store | Records], content: str
) -> None:
    alter(path, FOREIGN) if content == "database" else path.write_text("my diary" * 100)
    before = path.read_bytes()
    with pytest.raises(StoreError):
        opener(path)
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^cannot write to .*x\.db: No such file or directory$"):
        Store(tmp_path / "nowhere" / "x.db")


def test_a_folder_instead_of_a_database(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match=r"^cannot open .*: unable to open database file$"):
        Store(path)


def test_there_is_nothing_to_read(path: Path) -> None:
    with pytest.raises(StoreError, match=f"^there is no database {path}$"):
        Records(path)


def test_a_folder_cannot_be_read(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match="there is no database"):
        Records(path)


def test_reading_makes_no_file(path: Path) -> None:
    with pytest.raises(StoreError):
        Records(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("plan", plan),
        ("matches", finished),
        ("matches", kept),
        ("moves", kept),
        ("faults", kept),
        ("verdicts", judged),
        ("casual", kept),
    ],
)
def test_a_damaged_database(path: Path, table: str, read: Callable[[Path], object]) -> None:
    with Store(path) as store:
        keep(store, a_record())
    alter(path, f"DROP TABLE {table}")
    with pytest.raises(StoreError, match=f"^cannot read {path}: no such table: {table}$"):
        read(path)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may write to, for a user who has no special rights."""
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        os.seteuid(NOBODY if is_root else os.geteuid())
        yield folder
        os.seteuid(0 if is_root else os.geteuid())


def test_a_folder_that_may_not_be_written_to(folder: Path) -> None:
    closed = folder / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(StoreError, match=r"^cannot write to .*x\.db: Permission denied$"):
        Store(closed / "x.db")


@OPENERS
def test_a_database_that_may_not_be_read(folder: Path, opener: type[Store | Records]) -> None:
    Store(folder / "x.db").close()
    (folder / "x.db").chmod(0)
    with pytest.raises(StoreError, match=r"^cannot (open|read) .*: unable to open database file$"):
        opener(folder / "x.db")


def test_a_database_that_may_not_be_written_to(folder: Path) -> None:
    Store(folder / "x.db").close()
    (folder / "x.db").chmod(0o400)
    with pytest.raises(StoreError, match="readonly database"), Store(folder / "x.db") as store:
        begin(store)


# Held by another process

HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute(sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store waits for nobody for long."""
    for module in ("schema", "reader"):
        monkeypatch.setattr(f"arena.storage.{module}.BUSY_SECONDS", 0.01)


IMPATIENT = pytest.mark.usefixtures("impatient")  # before there is a store


@contextmanager
def held(path: Path, statement: str) -> Iterator[None]:
    """Another process has done something to a database, and undoes it at the end."""
    command = [sys.executable, "-c", HOLD, str(path), statement]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield


WRITING = "BEGIN IMMEDIATE"
ALONE = "BEGIN EXCLUSIVE"


@IMPATIENT
def test_a_database_that_another_writes_to(store: Store) -> None:
    text = "^cannot write to the database: database is locked$"
    with held(store.path, WRITING), pytest.raises(StoreError, match=text):
        begin(store)


@IMPATIENT
def test_nothing_is_lost_to_another_that_writes(store: Store) -> None:
    record = keep(store, a_record(moves=MOVES))
    with held(store.path, WRITING), suppress(StoreError):
        begin(store)
    assert kept(store.path) == [record]


@IMPATIENT
def test_the_store_goes_on_after_another_has_written(store: Store) -> None:
    with held(store.path, WRITING), suppress(StoreError):
        begin(store)
    assert begin(store) == 1


@IMPATIENT
def test_who_only_reads_does_not_mind_another_that_writes(store: Store) -> None:
    record = keep(store, a_record())
    with held(store.path, WRITING):
        assert kept(store.path) == [record]


@IMPATIENT
@OPENERS
def test_a_database_that_another_has_for_itself(path: Path, opener: type[Store | Records]) -> None:
    Store(path).close()
    alter(path, "PRAGMA journal_mode = DELETE")
    text = r"^cannot (use|read) .*: database is locked$"
    with held(path, ALONE), pytest.raises(StoreError, match=text):
        opener(path)


# Whatever happens to the machine


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can grow beyond this size."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


A_FAULT = Fault(2, 5, 1.5, 0.0, 1.5, 0.25)


def keep_many(store: Store) -> Iterator[MatchRecord]:
    """Keep more matches than there is room for."""
    for number in range(1, 10_000):
        yield keep(store, a_record(a_pairing(number), moves=MOVES, fault=A_FAULT))


def fill(store: Store) -> list[MatchRecord]:
    """Keep matches until there is no room for another."""
    records = []
    with suppress(StoreError):
        for record in keep_many(store):
            records.append(record)
    return records


def test_no_room_for_a_database(path: Path) -> None:
    with full_disk(4096), pytest.raises(StoreError, match=r"^cannot use .*disk"):
        Store(path)


def test_the_disk_is_full(store: Store) -> None:
    with full_disk(300_000), pytest.raises(StoreError, match=r"^cannot write to .*disk"):
        [*keep_many(store)]


def test_nothing_finished_is_lost_when_the_disk_is_full(store: Store) -> None:
    with full_disk(300_000):
        records = fill(store)
    assert kept(store.path) == records != []


def test_a_match_that_there_is_no_room_for_is_not_kept_in_part(store: Store) -> None:
    with full_disk(300_000):
        records = fill(store)
    with closing(sqlite3.connect(store.path)) as db:
        assert db.execute("SELECT count(*) FROM moves").fetchone() == (2 * len(records),)


def test_what_was_kept_before_the_disk_was_full_survives(path: Path) -> None:
    with Store(path) as store, full_disk(300_000):
        records = fill(store)
    assert kept(path) == records != []


def test_the_store_goes_on_when_there_is_room_again(store: Store) -> None:
    with full_disk(300_000):
        records = fill(store)
    last = keep(store, a_record(a_pairing(10_000)))
    assert kept(store.path) == [*records, last]


# Keeps matches for ever, many at once, and prints the number of each once it is said to be kept.
KEEP_FOR_EVER = """
import itertools, os, sys
from dataclasses import replace
from pathlib import Path
from arena.model.results import PlayedMove
from arena.storage.reader import Records
from arena.storage.writer import Store
from tests.support.records import a_pairing, a_record

MOVES = tuple(PlayedMove(ply, ply + 1, 0.5, 0.0, 0.5, 0.0) for ply in range(10))
path = Path(sys.argv[1])
with Store(path) as store:
    with Records(path) as records:
        first = max((number for number, _, _ in records.finished()), default=0) + 1
    for start in itertools.count(first, 10):
        records = [a_record(a_pairing(number), moves=MOVES) for number in range(start, start + 10)]
        begun = [store.begin(record.pairing, "5+0.05", 0.0) for record in records]
        for record, future in zip(records, begun):
            done = store.finish(replace(record, id=future.result()))
            line = f"{record.pairing.number}\\n".encode()
            done.add_done_callback(lambda done, line=line: done.result() or os.write(1, line))
"""


def kill_after(matches: int, path: Path) -> set[int]:
    """Kill a process that keeps matches. Returns the numbers of those that it said are kept."""
    command = [sys.executable, "-c", KEEP_FOR_EVER, str(path)]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(matches)]
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return {int(line) for line in lines}


@pytest.mark.parametrize("matches", [1, 2, 10, 55, 300])
def test_what_is_said_to_be_kept_survives_a_kill(path: Path, matches: int) -> None:
    assert kill_after(matches, path) <= {*finished(path)}


def test_no_match_is_kept_in_part(path: Path) -> None:
    kill_after(100, path)
    assert {len(record.moves) for record in kept(path)} == {10}


def test_killed_again_and_again(path: Path) -> None:
    said = [kill_after(30, path) for _ in range(3)]
    assert set.union(*said) <= {*finished(path)}


def test_each_counts_once_after_kills(path: Path) -> None:
    for _ in range(3):
        kill_after(30, path)
    numbers = [record.pairing.number for record in kept(path)]
    assert len(numbers) == len({*numbers})


def test_a_killed_arena_leaves_no_lock(path: Path) -> None:
    kill_after(1, path)
    with Store(path) as store:
        assert begin(store) > 1
