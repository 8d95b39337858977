"""Database reader: matches, results, verdicts, and reading while another writes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.results import (
    FORFEITS,
    Fault,
    Info,
    MatchFilter,
    MatchRecord,
    Pairing,
    RatedResult,
    Termination,
)
from arena.storage.reader import EVERY_MATCH, DatabaseReader
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import (
    MOVES,
    PLAN,
    begin_match,
    make_database,
    result_numbers,
    run_script,
    store_record,
    stored_plan,
    stored_records,
    write_value,
)
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
)

FINISHED = [termination for termination in Termination if termination is not Termination.ABORTED]


def analysed(path: Path, game: str = "take_stones") -> list[tuple[MatchRecord, str]]:
    with DatabaseReader(path) as records:
        return [*records.analysed(game)]


def unanalysed(path: Path, game: str = "take_stones") -> list[MatchRecord]:
    with DatabaseReader(path) as records:
        found = records.unanalysed_between(0, None, [game], 100)
        assert records.count_unanalysed([game]) == len(found)
        return found


# Matches


def test_moves_faults_tags_and_information_are_read_on_request(writer: DatabaseWriter) -> None:
    tags = {"Event": "cup", "Round": "3", "White": ""}
    infos = {MOVES[0].ply: Info(0.5, 3, 17, (1, 2))}
    fault = Fault(2, 5, 1.5, 0.0, 1.5, 0.0)
    pairing = replace(make_pairing(), tags=tags)
    record = store_record(writer, make_record(pairing, moves=MOVES, fault=fault, infos=infos))
    assert stored_records(writer.path) == [record]
    with DatabaseReader(writer.path) as records:
        [bare] = records.matches()
        assert (bare.moves, bare.fault, bare.tags, bare.infos) == ((), None, {}, {})
        assert records.with_moves(bare) == record


def test_matches_and_attempts_are_in_order(writer: DatabaseWriter) -> None:
    for number in (3, 1, 2):
        for make in (make_aborted_record, make_record):
            store_record(writer, make(make_pairing(number)))
    found = [(record.pairing.number, record.id) for record in stored_records(writer.path)]
    assert found == [(1, 3), (1, 4), (2, 5), (2, 6), (3, 1), (3, 2)]
    assert result_numbers(writer.path) == [1, 2, 3]


def test_a_new_database_is_empty(writer: DatabaseWriter) -> None:
    """As is one with matches in progress, and a reader counts no aborted ones."""
    assert stored_plan(writer.path) is None
    for pairing in (make_pairing(7), make_casual_pairing()):
        begin_match(writer, pairing)
    assert stored_records(writer.path) == []
    assert latest_ids(writer.path) == []
    aborted = store_record(writer, make_aborted_record())
    assert stored_records(writer.path) == [aborted]
    assert latest_ids(writer.path) == [aborted.id]
    assert unanalysed(writer.path) == []
    assert result_numbers(writer.path) == []
    with DatabaseReader(writer.path) as records:
        assert (records.tallies(), records.mean_duration()) == ({}, None)


# Casual matches


def test_casual_matches_are_unrated_and_not_analysed(writer: DatabaseWriter) -> None:
    for termination in FINISHED:
        store_record(writer, make_record(make_casual_pairing(), termination=termination))
    store_record(writer, make_record(make_casual_pairing(make_pairing(9))))
    with DatabaseReader(writer.path) as records:
        assert (records.tallies(), records.mean_duration()) == ({}, None)
        assert ([*records.results()], [*records.forfeits()]) == ([], [])
    assert unanalysed(writer.path) == []


# One match, and the latest ones


@pytest.mark.parametrize(
    "record", [make_record(moves=MOVES), make_record(make_casual_pairing()), make_aborted_record()]
)
def test_a_match_by_its_id(writer: DatabaseWriter, record: MatchRecord) -> None:
    store_record(writer, make_record(make_pairing(7)))
    record = store_record(writer, replace(record, fault=Fault(2, 5, 1.5, 0.0, 1.5, 0.0)))
    with DatabaseReader(writer.path) as records:
        assert records.match(record.id) == record


def test_only_a_match_that_has_ended_has_a_record(writer: DatabaseWriter) -> None:
    begin_match(writer)
    with DatabaseReader(writer.path) as records:
        assert [records.match(match) for match in (1, 2, 0, -1)] == [None] * 4


PAIRINGS = [
    make_pairing(None),
    make_casual_pairing(make_pairing(None, ("bert", "carl"))),
    Pairing(None, ("carl", "anna"), "isolation", {}),
    Pairing(None, ("anna", "dora"), "isolation", {}),
]


def latest_ids(
    path: Path,
    limit: int = 9,
    before: int | None = None,
    selected: MatchFilter = EVERY_MATCH,
) -> list[int]:
    with DatabaseReader(path) as records:
        return [record.id for record, _ in records.latest_matches(limit, before, selected)]


def test_the_latest_matches_have_a_number_of_plies_but_no_moves(writer: DatabaseWriter) -> None:
    record = store_record(
        writer, make_record(replace(make_pairing(), opening=(3, 6, 2)), moves=MOVES)
    )
    casual = store_record(writer, make_record(make_casual_pairing()))
    with DatabaseReader(writer.path) as records:
        assert records.latest_matches(9) == [(casual, 0), (replace(record, moves=()), 5)]


def test_the_latest_matches(writer: DatabaseWriter) -> None:
    for pairing in PAIRINGS:
        store_record(writer, make_record(pairing))
    expected = {
        (9, None): [4, 3, 2, 1],
        (2, None): [4, 3],
        (0, None): [],
        (9, 3): [2, 1],
        (1, 3): [2],
    }
    assert {asked: latest_ids(writer.path, *asked) for asked in expected} == expected
    assert not any(latest_ids(writer.path, *asked, MatchFilter(game="chess")) for asked in expected)


# Verdicts


def store_analysed(writer: DatabaseWriter, record: MatchRecord, verdicts: str) -> MatchRecord:
    """Store a match and its verdicts; return the record as it is read, without moves."""
    record = store_record(writer, record)
    writer.save_verdicts(record.id, verdicts).result()
    return replace(record, moves=())


def isolation_pairing(number: int | None) -> Pairing:
    return Pairing(number, ("anna", "bert"), "isolation", {})


@pytest.mark.parametrize("verdicts", ["kb", ""])
def test_verdicts_are_stored_once(writer: DatabaseWriter, verdicts: str) -> None:
    record = store_record(writer, make_record(moves=MOVES))
    bare = replace(record, moves=())
    assert (analysed(writer.path), len(unanalysed(writer.path))) == ([], 1)
    writer.save_verdicts(record.id, verdicts).result()
    assert (analysed(writer.path), unanalysed(writer.path)) == ([(bare, verdicts)], [])
    with pytest.raises(DatabaseError, match="UNIQUE"):
        writer.save_verdicts(record.id, "b").result()


def test_analysed_and_unanalysed_matches_of_one_game_are_in_order(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(isolation_pairing(9)))
    store_analysed(writer, make_record(isolation_pairing(8)), "b")
    done = [store_analysed(writer, make_record(make_pairing(number)), "k") for number in (3, 1, 2)]
    assert [record for record, _ in analysed(writer.path)] == [*done[1:], done[0]]
    left = [store_record(writer, make_record(make_pairing(number))) for number in (6, 4, 5)]
    assert unanalysed(writer.path) == left
    assert [record.pairing.number for record, _ in analysed(writer.path, "isolation")] == [8]
    assert [record.pairing.number for record in unanalysed(writer.path, "isolation")] == [9]


# Results


def test_results_have_number_players_and_winner(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_pairing(7, ("anna", "bert")), winner=2))
    store_record(writer, make_record(make_pairing(8, ("bert", "anna")), winner=1))
    with DatabaseReader(writer.path) as records:
        assert [*records.results()] == [(7, ("anna", "bert"), 2), (8, ("bert", "anna"), 1)]
        assert [*records.numbers()] == [7, 8]


def test_a_draw_is_a_result_without_a_winner(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(winner=None, termination=Termination.GAME_OVER))
    with DatabaseReader(writer.path) as records:
        assert [*records.results()] == [(1, ("anna", "bert"), None)]
        drawn = RatedResult("anna", "bert", None, Termination.GAME_OVER)
        assert records.tallies() == {"take_stones": {drawn: 1}}


def test_outcomes_are_counted_by_game(writer: DatabaseWriter) -> None:
    for winner in (1, 1, 2):
        store_record(writer, make_record(make_pairing(None), winner))
    for termination in FINISHED:
        store_record(writer, make_record(isolation_pairing(None), termination=termination))
    assert result_numbers(writer.path) == []  # outside of a tournament
    with DatabaseReader(writer.path) as records:
        assert records.tallies() == {
            "isolation": {RatedResult("anna", "bert", 1, kind): 1 for kind in FINISHED},
            "take_stones": {
                RatedResult("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 2,
                RatedResult("anna", "bert", 2, Termination.NO_LEGAL_MOVE): 1,
            },
        }


def test_the_latest_rated_matches_have_players_game_and_result(writer: DatabaseWriter) -> None:
    stored = [
        store_record(writer, make_record(isolation_pairing(number), 2, Termination.TIMEOUT))
        for number in (2, 3, 4)
    ]
    store_record(writer, make_aborted_record())
    store_record(writer, make_record(make_casual_pairing()))
    with DatabaseReader(writer.path) as records:
        found = [*records.rated_matches(2)]
        assert (records.games(), records.count_rated()) == (["isolation"], 3)
    assert [record.id for record in found] == [record.id for record in stored[1:]]
    assert {record.pairing.game for record in found} == {"isolation"}
    assert found[0].rated_result == stored[1].rated_result


def test_mean_duration(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_pairing(1)))  # 1.75 s
    store_record(writer, replace(make_record(make_pairing(2)), finished_at=1003.0))  # 2.5 s
    with DatabaseReader(writer.path) as records:
        assert records.mean_duration() == 2.125


def test_forfeits_are_in_order_with_their_logs(writer: DatabaseWriter) -> None:
    terminations = [*Termination]
    for number, termination in reversed([*enumerate(terminations, 1)]):
        record = make_record(make_pairing(number), termination=termination, moves=MOVES)
        store_record(writer, replace(record, log="no idea"))
    with DatabaseReader(writer.path) as records:
        found = [(record.result.termination, record.log) for record in records.forfeits()]
    assert found == [(kind, "no idea") for kind in terminations if kind in FORFEITS]


# Concurrent writes


def test_a_reader_sees_later_writes_and_does_not_change_the_file(path: Path) -> None:
    with DatabaseWriter(path) as writer, DatabaseReader(path) as records:
        assert [*records.results()] == []
        store_record(writer, make_record(make_pairing(7)))
        assert [*records.results()] == [(7, ("anna", "bert"), 1)]
    before = path.read_bytes()
    with DatabaseReader(path) as records:
        assert [*records.results()]
    assert path.read_bytes() == before


def test_a_pending_read_does_not_block_the_writer(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_pairing(1)))
    store_record(writer, make_record(make_pairing(2)))
    with DatabaseReader(writer.path) as records:
        reading = records.matches()
        next(reading)
        store_record(writer, make_record(make_pairing(3)))
        assert [record.pairing.number for record in reading] == [2]


# Damaged rows


@loop_over(
    ("table", "column", "value", "error"),
    [
        ("matches", "winner", 3, "match 1 in .* is damaged: winner: Invalid enum value 3"),
        ("matches", "termination", "x", "match 1 in .* is damaged: termination: Invalid"),
        ("matches", "player1", b"ann", "match 1 in .* is damaged: player1: Expected `str`"),
        ("matches", "setup", b"5", "match 1 in .* is damaged: setup: expected text$"),
        ("matches", "setup", "[" * 100_000, "match 1 in .* is damaged: setup: Expected `object`"),
        ("matches", "opening", "7", "match 1 in .* is damaged: opening: Expected `array`"),
        ("matches", "opening", "[9e99]", "match 1 in .* is damaged: opening: "),
        ("matches", "started_at", float("inf"), "match 1 in .* is damaged: started_at: "),
        ("matches", "finished_at", None, "match 1 in .* is damaged: finished_at: "),
        ("matches", "time_control", "soon", "match 1 in .* is damaged: time_control: time 'soon'"),
        ("moves", "elapsed", "x", r"^/.*arena\.db is damaged: elapsed: Expected `float`"),
        ("faults", "move", "9" * 5000, "match 1 in .* is damaged: move: Exceeds the limit"),
        ("infos", "info", '{"depth": -3}', "match 1 in .* is damaged: info: Expected `int`"),
    ],
)
def test_a_damaged_value_is_an_error(
    tmp_path: Path, table: str, column: str, value: object, error: str
) -> None:
    fault = Fault(2, 5, 1.5, 0.0, 1.5, 0.0)
    infos = {MOVES[0].ply: Info(depth=3)}
    record = make_record(moves=MOVES, fault=fault, infos=infos)
    path = make_database(tmp_path / "arena.db", [record])
    write_value(path, table, column, value)
    with pytest.raises(DatabaseError, match=error):
        stored_records(path)


@loop_over("read", [DatabaseReader.results, DatabaseReader.numbers])
def test_numbers_that_do_not_ascend_are_an_error(
    tmp_path: Path, read: Callable[[DatabaseReader], Iterator[object]]
) -> None:
    path = make_database(tmp_path / "arena.db", [make_record(make_pairing(1))])
    write_value(path, "matches", "number", 0)
    error = f"^{path} is damaged: match number 0 follows 0$"
    with DatabaseReader(path) as records, pytest.raises(DatabaseError, match=error):
        list(read(records))


@loop_over(
    "plan",
    [
        *("", "{", '{"kind": "sweep"}'),
        *(
            PLAN.replace("{", f"{{{text}, ", 1)
            for text in (
                '"pairs": 0',
                '"grid_plies": [1]',
                '"format": "grid"',
                '"format": "grid", "grid_plies": [1], "draw": "distinct"',
            )
        ),
    ],
)
def test_a_damaged_plan_is_an_error(tmp_path: Path, plan: str) -> None:
    path = make_database(tmp_path / "arena.db", [], plan)
    error = f"^the plan in {path} is damaged: "
    with DatabaseReader(path) as records, pytest.raises(DatabaseError, match=error):
        records.decoded_plan()


def test_scores_that_are_not_those_of_the_results_are_an_error(writer: DatabaseWriter) -> None:
    for number, players in (1, ("anna", "bert")), (2, ("bert", "anna")):
        store_record(writer, make_record(make_pairing(number, players)))
    with DatabaseReader(writer.path) as records:
        _, [score] = records.pair_scores("take_stones")
        assert (score.one, score.two, score.pairs) == ("anna", "bert", 1)
        run_script(writer.path, "UPDATE pair_scores SET opponent = 'carl'")
        with pytest.raises(DatabaseError, match=r"the scores of take_stones are not its results$"):
            records.pair_scores("take_stones")


def test_a_query_may_run_between_the_rows_of_another(writer: DatabaseWriter) -> None:
    for number in (1, 2):
        store_record(writer, make_record(make_pairing(number)))
    with DatabaseReader(writer.path) as reader:
        found = [(record.id, reader.count_rated()) for record in reader.matches()]
    assert found == [(1, 2), (2, 2)]
