"""Queries of spectators, on the database of a small finished tournament."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

from arena.analysis.position import MAX_SIZE
from arena.model.results import Info, Pairing, PlayedMove
from arena.protocol.bots import BotMatches, FindBotMatches
from arena.protocol.codec import RequestError, encode
from arena.protocol.positions import (
    ExplainSteps,
    FindExercise,
    FindMoveValues,
    FindPuzzle,
    SearchStart,
    Trace,
)
from arena.protocol.spectator import (
    Analyse,
    FindContinuations,
    FindGames,
    FindMatching,
    FindPosition,
    FindRecord,
    Watch,
)
from arena.spectators.queries import (
    Analyses,
    Queries,
    analyse_position,
    find_matching,
    find_move_values,
    find_position,
)
from arena.storage.writer import DatabaseWriter
from core import GAMES
from core.game import Position
from core.take_stones import Board
from core.take_stones.solver import solve
from tests.support.cases import loop_over
from tests.support.games.defective_games import SoundHeap, sound_game
from tests.support.page.sites import random_game, store_match
from tests.support.tournaments.databases import begin_match, run_script, store_record
from tests.support.tournaments.records import make_pairing, make_record


@pytest.fixture
def queries(complete: Path) -> Queries:
    return Queries(complete)


@pytest.mark.parametrize(
    ("asked", "found", "more", "total"),
    [
        (FindGames(7, limit=4), [6, 5, 4, 3], True, 6),
        (FindGames(7, before=3, limit=2), [2, 1], False, None),
    ],
)
def test_latest_games_come_first(
    queries: Queries, asked: FindGames, found: list[int], more: bool, total: int | None
) -> None:
    games = queries.games(asked)
    assert [summary.facts.match for summary in games.games] == found
    assert (games.request, games.more, games.total) == (7, more, total)
    of_greedy = queries.games(FindGames(7, bot="greedy")).games
    assert ["greedy" in summary.facts.players for summary in of_greedy] == [True] * 4


def test_matches_of_a_bot_are_summed_up(queries: Queries) -> None:
    answer = queries.answer(FindBotMatches(7, "greedy", "take_stones"))
    found = msgspec.json.decode(answer, type=BotMatches)
    assert (found.request, found.bot, found.matches) == (7, "greedy", 4)


def test_damaged_matches_of_a_bot_are_reported(complete: Path, queries: Queries) -> None:
    run_script(complete, "UPDATE matches SET setup = '{'")
    with pytest.raises(RequestError) as error:
        queries.answer(FindBotMatches(7, "greedy", "take_stones"))
    assert (error.value.code, str(error.value)) == ("damaged", "the stored matches cannot be read")


def test_match_has_its_winners(queries: Queries) -> None:
    match = queries.match(1)
    moves = [*match.moves.moves]
    assert match.winners
    assert [*match.winners] == [
        solve(Board(7, moves[:ply])).winner for ply in range(len(moves) + 1)
    ]
    assert match.result
    assert len(match.moves.charged_ms) == len(moves)


@pytest.mark.parametrize("number", [99, 2**63, 10**30, -(2**63) - 1])
def test_unknown_match_is_refused(queries: Queries, number: int) -> None:
    questions: list[Callable[[], object]] = [partial(queries.match, number)]
    if number != 99:
        questions.append(partial(queries.games, FindGames(1, before=number)))
    for ask in questions:
        with pytest.raises(RequestError, match=f"unknown match {number}") as caught:
            ask()
        assert caught.value.code == "unknown_match"


def test_answers_are_frames(queries: Queries) -> None:
    position = ("take_stones", {"stones": 7}, [3])
    found, record = FindGames(1), FindRecord(2, 1)
    assert queries.answer(found) == encode(queries.games(found))
    assert queries.answer(record) == encode(queries.record(record))
    assert queries.answer(Watch(1)) == encode(queries.match(1))
    asked = FindPosition(3, *position)
    assert queries.answer(asked) == encode(find_position(asked))
    asked_matching = FindMatching(4, *position)
    assert queries.answer(asked_matching) == encode(find_matching(asked_matching))
    asked_continuations = FindContinuations(8, *position)
    assert queries.answer(asked_continuations) == encode(queries.continuations(asked_continuations))
    assert '"type":"analysis"' in Analyses().answer(Analyse(4, *position))
    start = SearchStart(*position)
    assert '"type":"traced_search"' in Analyses().answer(Trace(5, start))
    asked_values = FindMoveValues(9, *position, depth=2)
    assert Analyses().answer(asked_values) == encode(find_move_values(asked_values))
    assert '"type":"exercise"' in Analyses().answer(FindExercise(7, 1))
    assert '"type":"explained_steps"' in Analyses().answer(ExplainSteps(6, start, 0, 1))


@loop_over("setup", [{}, {"size": 8}])
def test_continuations_of_matches_without_the_later_parameters(
    db: Path, setup: dict[str, int]
) -> None:
    with DatabaseWriter(db) as writer:
        for stored in ({}, {"size": 8}, {"size": 7}):
            pairing = Pairing(None, ("ann", "bob"), "isolation", stored, (1,))
            store_record(writer, make_record(pairing))
    queries = Queries(db)
    found = queries.continuations(FindContinuations(1, "isolation", setup))
    assert [*found.continuations] == [(1, 2, 0, 0)]


def test_continuations_of_an_invalid_position_are_refused(queries: Queries) -> None:
    with pytest.raises(RequestError, match="illegal") as caught:
        queries.continuations(FindContinuations(1, "take_stones", {"stones": 7}, [3, 4]))
    assert caught.value.code == "bad_position"


def test_puzzles_are_found(db: Path) -> None:
    setup = {"stones": 30}
    with DatabaseWriter(db) as writer:
        for seed in range(10):
            store_match(
                writer,
                ("ann", "bob"),
                "take_stones",
                setup,
                random_game("take_stones", setup, seed),
            )
    queries = Queries(db)
    daily, drawn = queries.puzzle(FindPuzzle(1)), queries.puzzle(FindPuzzle(1, seed=5))
    assert daily.day
    assert drawn.day is None
    place = FindPuzzle(1, drawn.match, len(drawn.moves))
    assert queries.puzzle(place) == drawn
    assert queries.answer(place) == encode(drawn)
    with pytest.raises(RequestError, match="unknown match 99"):
        queries.puzzle(FindPuzzle(1, 99))


def test_record_has_its_log_and_what_the_bots_reported(db: Path) -> None:
    move = PlayedMove(0, 3, 0.1, 0.0, 0.1, 0.0)
    with DatabaseWriter(db) as writer:
        log = "standard error:\nKilled"
        store_record(writer, make_record(moves=(move,), infos={0: Info(depth=3)}, log=log))
        running = begin_match(writer, make_pairing(2))
    queries = Queries(db)
    record = queries.record(FindRecord(3, 1))
    assert (record.request, record.log, record.infos) == (3, log, {0: Info(depth=3)})
    assert record.text.startswith('[Game "take_stones"]')
    assert '"infos":{"0":{"depth":3}}' in queries.answer(FindRecord(1, 1))
    with pytest.raises(RequestError, match="unknown match 2"):
        queries.record(FindRecord(1, running))


@pytest.mark.parametrize(
    "damage",
    [
        "setup = '{}'",
        "game = 'chess'",
        """setup = '{"stones": -1}'""",
        "setup = '{\"stones\": 3}'",
    ],
)
def test_damaged_match_is_refused(complete: Path, damage: str) -> None:
    run_script(complete, f"UPDATE matches SET {damage} WHERE id = 1")
    queries = Queries(complete)
    with pytest.raises(RequestError, match="match 1 is damaged") as caught:
        queries.match(1)
    assert caught.value.code == "damaged"


def test_an_unreadable_match_is_refused_without_the_path(complete: Path) -> None:
    with closing(sqlite3.connect(complete)) as db, db:
        db.execute("UPDATE matches SET opening = '[' WHERE id = 1")
    asked = FindContinuations(1, "take_stones", {"stones": 7})
    queries = Queries(complete)
    for ask in (
        partial(queries.match, 1),
        partial(queries.games, FindGames(1)),
        partial(queries.continuations, asked),
        partial(queries.puzzle, FindPuzzle(1, seed=1)),
        partial(queries.puzzle, FindPuzzle(1, 1)),
    ):
        with pytest.raises(RequestError) as caught:
            ask()
        assert caught.value.code == "damaged"
        assert str(complete) not in str(caught.value)


def test_position_is_analysed_and_found() -> None:
    analysis = analyse_position(Analyse(5, "take_stones", {"stones": 7}, [3]))
    assert (analysis.request, analysis.player, [*analysis.legal_moves]) == (5, 2, [1, 6])
    info = find_position(FindPosition(5, "take_stones", {"stones": 7}, [3]))
    assert (info.request, info.player, [*info.legal_moves]) == (5, 2, [1, 6])
    for ask in (
        partial(analyse_position, Analyse(5, "take_stones", {"stones": 7}, [2, 3])),
        partial(find_position, FindPosition(5, "take_stones", {"stones": 7}, [2, 3])),
    ):
        with pytest.raises(RequestError) as caught:
            ask()
        assert caught.value.code == "bad_position"


def test_position_that_is_too_large_for_a_search_is_refused() -> None:
    with pytest.raises(RequestError, match="too large to be searched here") as caught:
        analyse_position(Analyse(5, "take_stones", {"stones": MAX_SIZE}, [1], 50))
    assert caught.value.code == "too_large"
    with pytest.raises(RequestError, match="at most 100000 here") as caught:
        find_position(FindPosition(5, "take_stones", {"stones": MAX_SIZE + 1}))
    assert caught.value.code == "bad_position"


def test_position_is_computed_once_for_all_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    studied: list[Sequence[int]] = []
    game = sound_game()

    def study(*, heap: int, moves: Sequence[int]) -> Position:
        studied.append(moves)
        return game.study(heap=heap, moves=moves)

    monkeypatch.setitem(GAMES, "counted_nim", game._replace(study=study))
    one, other = (find_position(FindPosition(n, "counted_nim", {"heap": 6}, [2])) for n in (1, 2))
    assert (one.request, other.request, len(studied)) == (1, 2, 1)
    assert one.text == other.text == "4 left"
    assert find_position(FindPosition(3, "counted_nim", {"heap": 6}, [3])).text == "3 left"
    assert len(studied) == 2


class FailingHeap(SoundHeap):
    """A heap that cannot be described."""

    def __str__(self) -> str:
        raise RuntimeError("no words\nleft")


def fail(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("no words\nleft")


def test_failure_of_a_game_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "nim", sound_game(FailingHeap, evaluate=fail, matching=fail))
    for answer in (
        partial(find_matching, FindMatching(5, "nim", {"heap": 6}, [])),
        partial(find_position, FindPosition(5, "nim", {"heap": 6}, [])),
        partial(analyse_position, Analyse(5, "nim", {"heap": 6}, [])),
        partial(find_move_values, FindMoveValues(5, "nim", {"heap": 6}, [])),
        partial(Analyses().answer, Trace(5, SearchStart("nim", {"heap": 6}, depth=1))),
    ):
        with pytest.raises(RequestError) as caught:
            answer()
        assert caught.value.code == "game_failed"
        assert str(caught.value) == "nim: RuntimeError: no words left"


@pytest.mark.parametrize("part", ["solver", "position"])
def test_winners_are_unknown_if_the_game_fails(
    queries: Queries, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing: dict[str, Any] = {part: fail}
    game = GAMES["take_stones"]._replace(**failing)
    monkeypatch.setitem(GAMES, "take_stones", game)
    match = queries.match(1)
    assert match.winners is None
    assert match.result
    assert queries.winners(1, "take_stones", {"stones": 7}, [3]) is None


def test_winners_follow_a_running_match(queries: Queries) -> None:
    first = queries.winners(1, "take_stones", {"stones": 7}, [3])
    then = queries.winners(1, "take_stones", {"stones": 7}, [3, 1])
    assert first
    assert then
    assert [*then][:2] == [*first]
    queries.discard_line(1)
    queries.discard_line(1)
    assert queries.winners(1, "take_stones", {"stones": 7}, [3, 1]) == then


def test_winners_of_a_long_match_are_unknown(
    queries: Queries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.spectators.queries.LINE_STEP", 1)
    assert queries.match(1).winners
    monkeypatch.setattr("arena.spectators.queries.LINE_SECONDS", -1.0)
    assert queries.match(1).winners is None
    moves = [3, 6, 2, 4]
    assert queries.winners(1, "take_stones", {"stones": 7}, moves) is None
    assert queries.winners(2, "take_stones", {"stones": 7}, moves[:1])


def test_winners_are_unknown_without_a_solver(queries: Queries) -> None:
    assert queries.winners(1, "isolation", {}, []) is None
