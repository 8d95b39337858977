"""Database reader: matches, results, verdicts, and reading while another writes."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.model.info import Info
from arena.model.match_filter import MatchFilter
from arena.model.results import (
    FORFEITS,
    Fault,
    MatchRecord,
    Pairing,
    PlayedMove,
    RatedResult,
    Termination,
)
from arena.storage.reader import EVERY_MATCH, DatabaseReader
from arena.storage.schema import DatabaseError
from arena.storage.writer import DatabaseWriter
from tests.support.tournaments.databases import (
    MOVES,
    begin_match,
    result_numbers,
    run_script,
    store_record,
    stored_plan,
    stored_records,
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


def test_moves_are_read_only_on_request(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(moves=MOVES))
    with DatabaseReader(writer.path) as records:
        assert [record.moves for record in records.matches()] == [()]


def test_tags_are_read_with_the_moves(writer: DatabaseWriter) -> None:
    tags = {"Event": "cup", "Round": "3", "White": ""}
    record = store_record(writer, make_record(replace(make_pairing(), tags=tags), moves=MOVES))
    assert stored_records(writer.path) == [record]
    with DatabaseReader(writer.path) as records:
        assert [match.tags for match in records.matches()] == [{}]


def test_matches_and_results_are_in_the_order_of_the_schedule(writer: DatabaseWriter) -> None:
    for number in (3, 1, 2):
        store_record(writer, make_record(make_pairing(number)))
    assert [record.pairing.number for record in stored_records(writer.path)] == [1, 2, 3]
    assert result_numbers(writer.path) == [1, 2, 3]


def test_faults_are_read_only_on_request(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(fault=Fault(0, 2, 1.5, 0.0, 1.5, 0.0)))
    with DatabaseReader(writer.path) as records:
        assert [record.fault for record in records.matches()] == [None]


def test_moves_and_fault_can_be_added_to_a_record(writer: DatabaseWriter) -> None:
    record = store_record(writer, make_record(moves=MOVES, fault=Fault(2, 5, 1.5, 0.0, 1.5, 0.0)))
    with DatabaseReader(writer.path) as records:
        [bare] = records.matches()
        assert records.with_moves(bare) == record


def test_attempts_are_in_order(writer: DatabaseWriter) -> None:
    attempts = [
        store_record(writer, record(make_pairing(7)))
        for record in (make_aborted_record, make_aborted_record, make_record)
    ]
    assert stored_records(writer.path) == attempts


@pytest.mark.parametrize("pairing", [make_pairing(7), make_casual_pairing()])
def test_a_match_in_progress_is_neither_read_nor_a_result(
    writer: DatabaseWriter, pairing: Pairing
) -> None:
    begin_match(writer, pairing)
    assert (stored_records(writer.path), result_numbers(writer.path)) == ([], [])


def test_a_new_database_is_empty(writer: DatabaseWriter) -> None:
    assert (stored_plan(writer.path), result_numbers(writer.path), stored_records(writer.path)) == (
        None,
        [],
        [],
    )


# Casual matches


def test_casual_matches_are_unrated(writer: DatabaseWriter) -> None:
    for termination in FINISHED:
        store_record(writer, make_record(make_casual_pairing(), termination=termination))
    store_record(writer, make_record(make_casual_pairing(make_pairing(9))))
    with DatabaseReader(writer.path) as records:
        assert (records.tallies(), records.mean_duration()) == ({}, None)
        assert ([*records.results()], [*records.forfeits()]) == ([], [])


def test_casual_matches_are_not_analysed(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_casual_pairing()))
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


def test_a_match_in_progress_is_not_among_the_latest_matches(writer: DatabaseWriter) -> None:
    store_record(writer, make_aborted_record())
    begin_match(writer)
    assert latest_ids(writer.path) == [1]


def test_a_damaged_row_among_the_latest_matches(writer: DatabaseWriter) -> None:
    store_record(writer, make_record())
    run_script(writer.path, "UPDATE matches SET winner = 3")
    with pytest.raises(
        DatabaseError, match=r"^match 1 in .* is damaged: expected winner 1 or 2, got 3$"
    ):
        latest_ids(writer.path)


# Verdicts


def store_analysed(writer: DatabaseWriter, record: MatchRecord, verdicts: str) -> MatchRecord:
    """Store a match and its verdicts; return the record as it is read, without moves."""
    record = store_record(writer, record)
    writer.save_verdicts(record.id, verdicts).result()
    return replace(record, moves=())


def isolation_pairing(number: int) -> Pairing:
    return Pairing(number, ("anna", "bert"), "isolation", {})


def test_verdicts_are_stored(writer: DatabaseWriter) -> None:
    record = store_analysed(writer, make_record(moves=MOVES), "kb")
    assert analysed(writer.path) == [(record, "kb")]


def test_verdicts_may_be_empty(writer: DatabaseWriter) -> None:
    record = store_analysed(writer, make_record(), "")
    assert analysed(writer.path) == [(record, "")]


def test_an_analysed_match_is_not_analysed_again(writer: DatabaseWriter) -> None:
    store_analysed(writer, make_record(), "")
    assert unanalysed(writer.path) == []


def test_a_stored_match_is_unanalysed(writer: DatabaseWriter) -> None:
    record = store_record(writer, make_record())
    assert (analysed(writer.path), unanalysed(writer.path)) == ([], [record])


def test_aborted_matches_and_those_in_progress_are_not_counted(writer: DatabaseWriter) -> None:
    store_record(writer, make_aborted_record())
    begin_match(writer)
    assert unanalysed(writer.path) == []
    with DatabaseReader(writer.path) as records:
        assert (records.tallies(), records.mean_duration()) == ({}, None)


def test_analysed_matches_are_in_order_and_by_game(writer: DatabaseWriter) -> None:
    pairings = map(make_pairing, (3, 1, 2))
    records = [store_analysed(writer, make_record(pairing), "k") for pairing in pairings]
    assert [record for record, _ in analysed(writer.path)] == [*records[1:], records[0]]
    other = store_analysed(writer, make_record(isolation_pairing(4)), "b")
    assert analysed(writer.path, "isolation") == [(other, "b")]


def test_unanalysed_matches_are_in_order_and_by_game(writer: DatabaseWriter) -> None:
    records = [store_record(writer, make_record(make_pairing(number))) for number in (3, 1, 2)]
    assert unanalysed(writer.path) == records
    other = store_record(writer, make_record(isolation_pairing(4)))
    assert unanalysed(writer.path, "isolation") == [other]


def test_verdicts_are_stored_once(writer: DatabaseWriter) -> None:
    match = store_record(writer, make_record()).id
    writer.save_verdicts(match, "k").result()
    with pytest.raises(DatabaseError, match="UNIQUE"):
        writer.save_verdicts(match, "b").result()


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


def test_matches_outside_a_tournament_are_no_results_but_are_counted(
    writer: DatabaseWriter,
) -> None:
    for _ in range(2):
        store_record(writer, make_record(make_pairing(None)))
    assert result_numbers(writer.path) == []
    with DatabaseReader(writer.path) as records:
        assert [tally.total() for tally in records.tallies().values()] == [2]


def test_outcomes_are_counted(writer: DatabaseWriter) -> None:
    for number, winner in enumerate([1, 1, 2], 1):
        store_record(writer, make_record(make_pairing(number), winner))
    with DatabaseReader(writer.path) as records:
        assert records.tallies() == {
            "take_stones": {
                RatedResult("anna", "bert", 1, Termination.NO_LEGAL_MOVE): 2,
                RatedResult("anna", "bert", 2, Termination.NO_LEGAL_MOVE): 1,
            }
        }


def test_every_outcome_is_counted(writer: DatabaseWriter) -> None:
    for number, termination in enumerate(FINISHED, 1):
        store_record(writer, make_record(make_pairing(number), termination=termination))
    with DatabaseReader(writer.path) as records:
        tally = records.tallies()["take_stones"]
    assert {outcome.termination: number for outcome, number in tally.items()} == dict.fromkeys(
        FINISHED, 1
    )


def test_outcomes_are_counted_by_game(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_pairing(1)))
    store_record(writer, make_record(isolation_pairing(2)))
    with DatabaseReader(writer.path) as records:
        assert [*records.tallies()] == ["isolation", "take_stones"]


def test_rated_matches_have_players_game_and_result(writer: DatabaseWriter) -> None:
    stored = store_record(writer, make_record(isolation_pairing(2), 2, Termination.TIMEOUT))
    store_record(writer, make_aborted_record())
    store_record(writer, make_record(make_casual_pairing()))
    with DatabaseReader(writer.path) as records:
        [found] = records.rated_matches(10)
        assert (records.games(), records.count_rated()) == (["isolation"], 1)
    assert (found.id, found.pairing.game) == (stored.id, "isolation")
    assert found.rated_result == stored.rated_result


def test_the_latest_rated_matches_are_read(writer: DatabaseWriter) -> None:
    stored = [store_record(writer, make_record(make_pairing(None))).id for _ in range(3)]
    with DatabaseReader(writer.path) as records:
        assert [record.id for record in records.rated_matches(2)] == stored[1:]


def test_mean_duration(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_pairing(1)))  # 1.75 s
    store_record(writer, replace(make_record(make_pairing(2)), finished_at=1003.0))  # 2.5 s
    with DatabaseReader(writer.path) as records:
        assert records.mean_duration() == 2.125


def test_forfeits(writer: DatabaseWriter) -> None:
    terminations = [*Termination]
    for number, termination in enumerate(terminations, 1):
        store_record(writer, make_record(make_pairing(number), termination=termination))
    with DatabaseReader(writer.path) as records:
        found = [record.result.termination for record in records.forfeits()]
    assert found == [termination for termination in terminations if termination in FORFEITS]


def test_forfeits_have_their_logs(writer: DatabaseWriter) -> None:
    record = make_record(make_pairing(1), termination=Termination.TIMEOUT)
    store_record(writer, replace(record, log="no idea"))
    with DatabaseReader(writer.path) as records:
        assert [record.log for record in records.forfeits()] == ["no idea"]


def test_forfeits_are_in_order(writer: DatabaseWriter) -> None:
    for number in (2, 1):
        store_record(
            writer, make_record(make_pairing(number), termination=Termination.TIMEOUT, moves=MOVES)
        )
    with DatabaseReader(writer.path) as records:
        assert [record.pairing.number for record in records.forfeits()] == [1, 2]


# Concurrent writes


def test_a_reader_sees_later_writes(writer: DatabaseWriter) -> None:
    with DatabaseReader(writer.path) as records:
        assert [*records.results()] == []
        store_record(writer, make_record(make_pairing(7)))
        assert [*records.results()] == [(7, ("anna", "bert"), 1)]


def test_a_pending_read_does_not_block_the_writer(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(make_pairing(1)))
    store_record(writer, make_record(make_pairing(2)))
    with DatabaseReader(writer.path) as records:
        reading = records.matches()
        next(reading)
        store_record(writer, make_record(make_pairing(3)))
        assert [record.pairing.number for record in reading] == [2]


def test_a_reader_does_not_change_the_file(path: Path) -> None:
    with DatabaseWriter(path):
        pass
    before = path.read_bytes()
    with DatabaseReader(path) as records:
        assert not [*records.results()]
    assert path.read_bytes() == before


# Damaged rows


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("winner = 3", "expected winner 1 or 2, got 3"),
        ("termination = 'boredom'", "'boredom' is not a valid Termination"),
        ("opening = '7'", "'int' object is not iterable"),
    ],
)
def test_a_damaged_row_is_an_error(writer: DatabaseWriter, change: str, error: str) -> None:
    store_record(writer, make_record())
    run_script(writer.path, f"UPDATE matches SET {change} WHERE id = 1")
    with pytest.raises(DatabaseError, match=f"match 1 in {writer.path} is damaged: {error}"):
        stored_records(writer.path)


def test_information_is_read_with_the_moves(writer: DatabaseWriter) -> None:
    infos = {MOVES[0].ply: Info(0.5, 3, 17, (1, 2))}
    store_record(writer, make_record(moves=MOVES, infos=infos))
    assert [record.infos for record in stored_records(writer.path)] == [infos]


def test_damaged_information_is_an_error(writer: DatabaseWriter) -> None:
    store_record(writer, make_record(moves=MOVES, infos={MOVES[0].ply: Info(depth=3)}))
    run_script(writer.path, """UPDATE infos SET info = '{"depth": -3}'""")
    with pytest.raises(DatabaseError, match=f"match 1 in {writer.path} is damaged: Expected `int`"):
        stored_records(writer.path)


# Distinct games


def test_matches_with_the_same_moves_are_one_game(writer: DatabaseWriter) -> None:
    other = tuple(PlayedMove(move.ply, move.move + 1, 1.0, 0.0, 1.0, 0.0) for move in MOVES)
    for number, moves in enumerate([MOVES, other, MOVES[:1], MOVES]):
        store_record(writer, make_record(make_pairing(2 * number + 1), moves=moves))
    store_record(writer, make_aborted_record())
    with DatabaseReader(writer.path) as records:
        assert records.distinct_games("take_stones") == 3
        assert records.distinct_games("isolation") == 0


@pytest.mark.parametrize(
    "change",
    [{"players": ("x", "y")}, {"setup": {"stones": 99}}, {"opening": (7,)}, {"game": "isolation"}],
)
def test_games_that_differ_in_more_than_their_moves(
    writer: DatabaseWriter, change: dict[str, object]
) -> None:
    pairing = make_pairing(1)
    for each in (pairing, replace(pairing, number=3, **change)):  # type: ignore[arg-type]
        store_record(writer, make_record(each, moves=MOVES))
    with DatabaseReader(writer.path) as records:
        counts = [records.distinct_games(game) for game in ("take_stones", "isolation")]
    assert sum(counts) == 2
