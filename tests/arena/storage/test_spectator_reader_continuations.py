"""Moves that followed the same beginning, against counts over the records."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.model.results import MatchRecord, Pairing, PlayedMove, Termination
from arena.storage.reader import DatabaseReader
from arena.storage.spectator_reader import ContinuationReader
from arena.storage.writer import DatabaseWriter
from tests.support.cases import loop_over
from tests.support.page.sites import random_game
from tests.support.tournaments.databases import store_record
from tests.support.tournaments.records import make_aborted_record, make_record

SETUP = {"stones": 7}
TEXT = '{"stones": 7}'
STONES = "take_stones"
WINNERS = (None, 1, 2, 1, 2)


def played_record(seed: int, opening: int, casual: bool = False) -> MatchRecord:
    """Return the record of a random match whose first moves are stored as its opening."""
    moves = random_game(STONES, SETUP, seed)
    pairing = Pairing(None, ("ann", "bob"), STONES, SETUP, tuple(moves[:opening]), casual)
    played = [PlayedMove(ply, move, 1.0, 0.0, 1.0, 0.0) for ply, move in enumerate(moves)]
    winner = WINNERS[seed % len(WINNERS)]
    return make_record(pairing, winner, Termination.GAME_OVER, moves=tuple(played[opening:]))


@pytest.fixture
def database(db: Path) -> Path:
    """Return a database with 30 rated matches, and others that do not count."""
    with DatabaseWriter(db) as writer:
        for seed in range(30):
            store_record(writer, played_record(seed, opening=seed % 3))
        store_record(writer, played_record(1, opening=0, casual=True))
        store_record(
            writer, make_aborted_record(Pairing(None, ("ann", "bob"), STONES, SETUP, (3,)))
        )
        store_record(
            writer, make_record(Pairing(None, ("ann", "bob"), STONES, {"stones": 8}, (3,)))
        )
    return db


def counted(path: Path, beginning: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """Count the continuations by reading all records."""
    counts: Counter[tuple[int, int | None]] = Counter()
    with DatabaseReader(path) as records:
        for record in records.matches(moves=True):
            moves = [*record.pairing.opening, *(played.move for played in record.moves)]
            at = len(beginning)
            is_rated = not record.pairing.casual and record.pairing.setup == SETUP
            is_known = is_rated and record.result.termination is not Termination.ABORTED
            if is_known and moves[:at] == [*beginning] and len(moves) > at:
                counts[moves[at], record.result.winner] += 1
    moves = sorted({move for move, _ in counts})
    return [(move, counts[move, 1], counts[move, None], counts[move, 2]) for move in moves]


@loop_over("beginning", [(), (1,), (3,), (3, 6), (3, 1, 2), (3, 1), (9,)])
def test_continuations_are_counted(database: Path, beginning: Sequence[int]) -> None:
    with ContinuationReader(database) as records:
        found = records.continuations(STONES, [TEXT], beginning)
    assert found == counted(database, beginning)
    assert bool(found) == (beginning != (9,))


def test_the_latest_matches_alone_are_looked_through(database: Path) -> None:
    with ContinuationReader(database) as records:
        [*found] = records.continuations(STONES, [TEXT], (), latest=13)
        assert sum(sum(numbers) for _, *numbers in found) == 10
        assert records.continuations("chess", [TEXT], ()) == []


def test_setups_may_have_several_texts(database: Path) -> None:
    with ContinuationReader(database) as records:
        both = records.continuations(STONES, [TEXT, '{"stones": 8}'], ())
    assert sum(sum(numbers) for _, *numbers in both) == 31
