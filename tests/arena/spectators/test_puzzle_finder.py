"""Choice of puzzles from stored matches."""

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from pathlib import Path

import pytest

from arena.analysis.accuracy import judge_moves
from arena.model.results import MatchRecord, MatchResult, Pairing, PlayedMove, Termination
from arena.protocol.codec import RequestError
from arena.protocol.positions import FindPuzzle, PuzzleInfo
from arena.spectators.puzzle_finder import CANDIDATES, PROBES, PuzzleFinder, stored_puzzle
from arena.storage.spectator_reader import PuzzleReader
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.take_stones import Board
from core.take_stones.solver import winning_moves
from tests.support.cases import loop_over
from tests.support.games.defective_games import sound_game
from tests.support.page.sites import random_game

STONES = "take_stones"
DAY = 86400.0
ASKED = FindPuzzle(7)


def store(
    writer: DatabaseWriter, game: str, setup: dict[str, int], moves: Sequence[int], start: float
) -> MatchRecord:
    """Store a match that took a second."""
    pairing = Pairing(None, ("ann", "bob"), game, setup)
    number = writer.begin_match(pairing, "5+0.1", start).id
    played = tuple(PlayedMove(ply, move, 0.25, 0.0, 0.25, 0.0) for ply, move in enumerate(moves))
    result = MatchResult(Termination.GAME_OVER, 1, "that is why")
    record = MatchRecord(number, pairing, "5+0.1", start, start + 1, result, played)
    writer.finish_match(record).result()
    return record


def store_random(writer: DatabaseWriter, seeds: Iterable[int], start: float) -> list[MatchRecord]:
    setup = {"stones": 30}
    return [store(writer, STONES, setup, random_game(STONES, setup, seed), start) for seed in seeds]


class CountingReader(PuzzleReader):
    """Reader that counts what it reads."""

    drawn = 0
    with_all = 0

    def rated_among(
        self, ids: Sequence[int], ended_before: float
    ) -> list[tuple[MatchRecord, str | None]]:
        self.drawn += len(ids)
        return super().rated_among(ids, ended_before)

    def with_moves(self, record: MatchRecord) -> MatchRecord:
        self.with_all += 1
        return super().with_moves(record)


def ask(db: Path, find: Callable[[PuzzleFinder], PuzzleInfo]) -> PuzzleInfo:
    """Return the answer of a finder whose clock stands still."""
    with PuzzleReader(db) as reader:
        return find(PuzzleFinder(reader, lambda: 0.0))


def daily(db: Path, now: float = DAY) -> PuzzleInfo:
    return ask(db, lambda finder: finder.daily(ASKED, now))


def drawn(db: Path, seed: int, level: int | None = None) -> PuzzleInfo:
    return ask(db, lambda finder: finder.random(FindPuzzle(7, seed=seed, level=level), seed))


def refusal(find: Callable[[], PuzzleInfo]) -> str:
    with pytest.raises(RequestError) as caught:
        find()
    assert caught.value.code == "no_puzzle"
    return str(caught.value)


def test_a_puzzle_can_be_solved(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        records = store_random(writer, range(20), 100.0)
    for seed in range(20):
        found = drawn(db, seed)
        moves = [played.move for played in records[found.match - 1].moves]
        ply = len(found.moves)
        board = Board(30, found.moves)
        assert [*found.moves, found.played] == moves[: ply + 1]
        assert (found.player, found.plies_left) == (1 + ply % 2, len(moves) - ply)
        assert found.legal_moves == board.legal_moves()
        assert found.winning_moves == winning_moves(board)
        assert found.played not in found.winning_moves
        assert found.misleads
        assert (found.game, found.setup, found.players) == (STONES, {"stones": 30}, ("ann", "bob"))
        assert (found.request, found.day) == (7, None)


def test_seeds_draw_different_puzzles_and_the_same_again(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        store_random(writer, range(30), 100.0)
    found = [drawn(db, seed) for seed in range(10)]
    assert len({(puzzle.match, len(puzzle.moves)) for puzzle in found}) > 4
    assert found == [drawn(db, seed) for seed in range(10)]


@loop_over("level", [1, 2, 3])
def test_a_level_can_be_chosen(db: Path, level: int) -> None:
    with DatabaseWriter(db) as writer:
        store_random(writer, range(30), 100.0)
    assert {drawn(db, seed, level).level for seed in range(10)} == {level}


def test_the_daily_puzzle_stays_when_matches_and_verdicts_are_added(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        records = store_random(writer, range(25), 100.0)
        before = [daily(db, day * DAY) for day in range(1, 11)]
        store_random(writer, range(100, 120), 11 * DAY)
        after = [daily(db, day * DAY + 80_000) for day in range(1, 11)]
        for record in records:
            writer.save_verdicts(record.id, judge_moves(record)).result()
        judged = [daily(db, day * DAY) for day in range(1, 11)]
    assert before == after == judged
    assert [found.day for found in before[:2]] == ["1970-01-02", "1970-01-03"]
    assert len({(found.match, len(found.moves)) for found in before}) > 3


def test_matches_that_end_on_the_day_are_not_in_its_puzzle(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        store_random(writer, range(5), DAY - 0.5)
    assert refusal(lambda: daily(db)) == "no rated match has ended before today (UTC)"
    assert daily(db, 2 * DAY).day == "1970-01-03"


def test_an_empty_arena_has_none(db: Path) -> None:
    with DatabaseWriter(db):
        pass
    assert refusal(lambda: daily(db)) == "no rated match has ended before today (UTC)"
    assert refusal(lambda: drawn(db, 1)) == "no rated match has ended yet"


def test_games_without_a_solver_have_none(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        store(writer, "isolation", {}, random_game("isolation", {}, 1), 1.0)
        store(writer, STONES, {"stones": 1000}, [3], 1.0)
    assert refusal(lambda: drawn(db, 1)).startswith("the 2 matches drawn have no solver, or")


def test_few_matches_are_read(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        for _ in range(PROBES + 20):
            store(writer, STONES, {"stones": 7}, [1, 2], 1.0)
    with CountingReader(db) as reader:
        finder = PuzzleFinder(reader, lambda: 0.0)
        text = refusal(lambda: finder.random(FindPuzzle(1, level=3), 1))
        assert (
            text == f"none of the {CANDIDATES} matches that were looked through has such a puzzle"
        )
        assert (reader.drawn, reader.with_all) == (PROBES, CANDIDATES)


def test_the_time_is_limited(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        for _ in range(10):
            store(writer, STONES, {"stones": 7}, [1, 2], 1.0)
    with CountingReader(db) as reader:
        ticks = count()
        finder = PuzzleFinder(reader, lambda: float(next(ticks)))
        refusal(lambda: finder.random(FindPuzzle(1, level=3), 1))
        assert reader.with_all == 3


# Nim: who leaves 1, 5 or 9 wins. With 7 left, taking 2 wins.
KEPT, MISSED = [2, 1, 3, 1], [1, 1, 3, 1, 1]


@pytest.fixture
def nim(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register a game whose search in Python sees through all of it."""
    monkeypatch.setitem(GAMES, "nim", sound_game())


@pytest.mark.usefixtures("nim")
def test_missed_wins_are_preferred(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        for _ in range(8):
            store(writer, "nim", {"heap": 7}, KEPT, 1.0)
        assert drawn(db, 1).played in drawn(db, 1).winning_moves
        for _ in range(8):
            store(writer, "nim", {"heap": 7}, MISSED, 1.0)
    for seed in range(10):
        found = drawn(db, seed)
        assert found.played not in found.winning_moves


@pytest.mark.usefixtures("nim")
def test_matches_without_a_blunder_are_read_only_for_the_first_puzzle(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        for _ in range(10):
            record = store(writer, "nim", {"heap": 7}, KEPT, 1.0)
            writer.save_verdicts(record.id, judge_moves(record)).result()
    with CountingReader(db) as reader:
        found = PuzzleFinder(reader, lambda: 0.0).random(FindPuzzle(1), 1)
        assert found.played == 2
        assert reader.with_all == 1


def test_a_game_that_fails_has_no_puzzle(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("defective")

    monkeypatch.setitem(GAMES, "nim", sound_game(solver=fail))
    with DatabaseWriter(db) as writer:
        record = store(writer, "nim", {"heap": 7}, KEPT, 1.0)
    assert refusal(lambda: drawn(db, 1)).startswith("none of the 1 matches")
    assert refusal(lambda: stored_puzzle(ASKED, record)) == "match 1 has no puzzle after 0 moves"


@pytest.mark.usefixtures("nim")
def test_a_puzzle_is_found_by_its_place(db: Path) -> None:
    with DatabaseWriter(db) as writer:
        record = store(writer, "nim", {"heap": 7}, KEPT, 1.0)
        other = store(writer, "isolation", {}, random_game("isolation", {}, 1), 1.0)
    found = stored_puzzle(FindPuzzle(7, record.id), record)
    assert (found.moves, found.winning_moves, found.played) == ([], [2], 2)
    random = drawn(db, 1)
    assert stored_puzzle(FindPuzzle(7, 1, len(random.moves)), record) == random
    for ply in (1, 3, 4, 99):
        text = refusal(lambda ply=ply: stored_puzzle(FindPuzzle(7, 1, ply), record))  # type: ignore[misc]
        assert text == f"match 1 has no puzzle after {ply} moves"
    assert refusal(lambda: stored_puzzle(ASKED, other)) == "match 2 has no puzzle after 0 moves"
