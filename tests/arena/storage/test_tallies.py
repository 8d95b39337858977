"""Tallies: counted as matches are stored, against counts of the stored matches."""

import sqlite3
from collections import Counter
from contextlib import closing
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import (
    MISSING,
    MatchRecord,
    Pairing,
    PairScore,
    PlayedMove,
    Tally,
    Termination,
)
from arena.storage import tallies as tallies_module
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.tournaments.databases import prepare, run_script, store_record
from tests.support.tournaments.records import (
    make_aborted_record,
    make_casual_pairing,
    make_pairing,
    make_record,
    played_matches,
)

GAME = "take_stones"


def make_game(
    number: int | None, *moves: int, players: tuple[str, str] = ("anna", "bert"), winner: int = 1
) -> MatchRecord:
    played = tuple(PlayedMove(ply, move, 0, 0, 0, 0) for ply, move in enumerate(moves))
    return make_record(make_pairing(number, players), winner, moves=played)


def make_pair(first: int, *moves: int) -> list[MatchRecord]:
    """Return a pair of matches with the same moves, won by player 1 and player 2."""
    return [
        make_game(first, *moves),
        make_game(first + 1, *moves, players=("bert", "anna"), winner=2),
    ]


def scores(db: Path, game: str = GAME) -> list[PairScore]:
    with DatabaseReader(db) as records:
        return sorted(records.pair_scores(game)[1])


def distinct_games(db: Path) -> int:
    with DatabaseReader(db) as records:
        return records.distinct_games(GAME)


def stored(db: Path, *records: MatchRecord) -> Path:
    with DatabaseWriter(db) as writer:
        for record in records:
            store_record(writer, record)
    return db


@loop_over("order", [1, -1])
def test_pair_counts_when_both_matches_have_ended(db: Path, order: int) -> None:
    stored(db, make_aborted_record(), make_record(make_casual_pairing()))  # which are not rated
    first, second = make_pair(1, 3, 1)[::order]
    assert (scores(stored(db, first)), distinct_games(db)) == ([], 1)
    assert scores(stored(db, second)) == [PairScore("anna", "bert", 2, 2, 1, 1, 1)]


def test_copies_of_a_pair_are_one_cluster(db: Path) -> None:
    copies = [*make_pair(1, 3, 1), *make_pair(3, 3, 1), *make_pair(5, 3, 2), *make_pair(7, 3, 1)]
    assert scores(stored(db, *copies)) == [PairScore("anna", "bert", 2, 2, 4, 2, 10)]
    assert distinct_games(db) == 4


def test_match_outside_of_a_tournament_is_half_a_pair(db: Path) -> None:
    one = make_game(None, 3, 1)
    two = make_game(None, 3, 1, players=("bert", "anna"))
    assert scores(stored(db, one, two, two)) == [
        PairScore("anna", "bert", MISSING, 0, 2, 1, 4),
        PairScore("anna", "bert", 2, MISSING, 1, 1, 1),
    ]


def test_matches_of_other_players_are_no_pair(db: Path) -> None:
    """As in foreign records, whose numbers belong to an unknown schedule."""
    foreign = [make_game(1, 3, 1), make_game(2, 3, 1, players=("anna", "carl"), winner=2)]
    assert scores(stored(db, *foreign)) == [
        PairScore("anna", "bert", 2, MISSING, 1, 1, 1),
        PairScore("anna", "carl", 0, MISSING, 1, 1, 1),
    ]


def test_draws_are_half_points(db: Path) -> None:
    drawn = make_record(make_pairing(None), None, Termination.GAME_OVER)
    assert scores(stored(db, drawn)) == [PairScore("anna", "bert", 1, MISSING, 1, 1, 1)]


@loop_over(
    "other",
    [
        make_game(None, 3, 2),
        make_game(None, 3, 1, winner=2),
        make_game(None, 3, 1, players=("anna", "carl")),
        make_record(
            Pairing(None, ("anna", "bert"), GAME, {"stones": 9}),
            moves=make_game(None, 3, 1).moves,
        ),
        make_game(None, 3),
        make_record(Pairing(None, ("anna", "bert"), GAME, {"stones": 7}, (3, 1))),
        make_record(Pairing(None, ("anna", "bert"), "isolation", {"stones": 7}, (3, 1))),
    ],
)
def test_games_differ_in_players_setup_moves_and_result(db: Path, other: MatchRecord) -> None:
    game = make_game(None, 3, 1)
    opening = other.pairing.opening
    assert distinct_games(stored(db, game, game, other)) == (1 if opening else 2)


def random_records(number: int) -> list[MatchRecord]:
    """Return matches of a tournament, outside of it, and unrated ones, in any order."""
    random, records = Random(7), []
    for match in range(1, number):  # the last pair lacks a match
        moves = [3, random.choice([1, 6])]
        winner = random.choice([1, 2])
        pair = ["anna", "bert"] if (match + 1) // 2 % 3 else ["bert", "carl"]
        players = (pair[0], pair[1]) if match % 2 else (pair[1], pair[0])
        records.append(make_game(match, *moves, players=players, winner=winner))
        if not match % 3:
            records.append(make_game(None, *moves, players=players, winner=winner))
        if not match % 5:
            records += [make_aborted_record(), make_record(make_casual_pairing())]
    random.shuffle(records)
    return records


def rows(db: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the contents of the tables, without the ids of the scores."""
    queries = {
        "tallies": "SELECT * FROM tallies",
        "pair_scores": "SELECT game, bot, opponent, first, second, pairs, clusters, squares"
        " FROM pair_scores",
        "identities": "SELECT * FROM identities",
        "half_pairs": "SELECT * FROM half_pairs",
    }
    with closing(sqlite3.connect(db)) as database:
        return {name: sorted(database.execute(query)) for name, query in queries.items()}


def test_tallies_are_those_of_the_results(db: Path) -> None:
    records = random_records(40)
    stored(db, *records)
    with DatabaseReader(db) as reader:
        results = [record.rated_result for record in records]
        assert reader.tallies() == {GAME: Tally(result for result in results if result)}


@loop_over("batch", [1, 7, 1000])
def test_upgrade_counts_what_was_stored(
    db: Path, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(db, *random_records(40))
    expected, names = rows(db), ["tallies", "pair_scores", "identities", "half_pairs"]
    assert all(expected.values())
    drop = "".join(f"DROP TABLE {name};" for name in [*names, "tags", "infos", "former_plans"])
    run_script(db, f"{drop} PRAGMA user_version = 4")
    monkeypatch.setattr(tallies_module, "BATCH", batch)
    before = scores(db)
    prepare(db)
    assert rows(db) == expected
    assert scores(db) == before


def test_batches_count_as_single_matches(
    db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    records = random_records(60)
    stored(db, *records)
    monkeypatch.setattr(tallies_module, "PARAMETERS", 14)
    other = tmp_path / "other.db"
    with DatabaseWriter(other) as writer:
        ended = [record for record in records if not record.pairing.casual]
        writer.add_matches(played_matches(*ended[:20])).result()
        writer.add_matches(played_matches(*ended[20:])).result()
    assert rows(other) == rows(db)


def test_changed_scores_have_the_highest_numbers(db: Path) -> None:
    stored(db, *make_pair(1, 3, 1), make_game(None, 3, 1))
    with DatabaseReader(db) as records:
        last, found = records.pair_scores(GAME)
        assert len(found) == 2
        assert records.pair_scores(GAME, last) == (last, [])
        stored(db, make_game(None, 3, 1))
        later, changed = records.pair_scores(GAME, last)
        assert later > last
        assert changed == [PairScore("anna", "bert", 2, MISSING, 2, 1, 4)]


def test_equal_pairs_of_a_batch_are_one_cluster(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        writer.add_matches(played_matches(*make_pair(1, 3, 1), *make_pair(3, 3, 1))).result()
    assert scores(db) == [PairScore("anna", "bert", 2, 2, 2, 1, 4)]
    assert Counter(times for _, times in rows(db)["identities"]) == {2: 3}


@given(st.integers(0, 1000), st.integers(1, 300))
def test_parts_have_few_different_lengths(count: int, size: int) -> None:
    found = [*tallies_module.parts(range(count), size)]
    assert [*chain.from_iterable(found)] == [*range(count)]
    lengths = {len(part) for part in found}
    assert all(length <= size and length.bit_count() == 1 for length in lengths)
    assert len(found) <= count // size * size.bit_length() + size.bit_length()
