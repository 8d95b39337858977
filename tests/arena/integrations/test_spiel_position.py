"""Games of OpenSpiel as games of the arena."""

import pickle
from pathlib import Path

import pytest

from arena.conformance.game_checks import run_checks
from arena.conformance.optional_checks import ENCODING_CHECK, ENGINE_CHECKS
from arena.conformance.rule_checks import RULE_CHECKS
from arena.integrations.spiel_position import make_game
from arena.storage.verify import RECORD_CHECK
from core import GAMES
from core.game import Evaluation, IllegalMove, Outcome
from core.search import search
from tests.support.cases import loop_over
from tests.support.servers.arena_command import Run

TIC_TAC_TOE = "openspiel:tic_tac_toe"


@pytest.mark.slow
@loop_over("name", ["clobber", "connect_four", "nim", "tic_tac_toe", "oware"])
def test_games_pass_the_checks_of_every_game(name: str) -> None:
    checks = (*RULE_CHECKS, *ENGINE_CHECKS, RECORD_CHECK, ENCODING_CHECK)
    reports = [*run_checks(GAMES[f"openspiel:{name}"], 1, checks)]
    assert [report for report in reports if report.state == "FAILED"] == []
    assert sum(report.state == "ok" for report in reports) == 19


@loop_over("name", ["go(board_size=5,komi=0.5)", "nim(pile_sizes=2;3;4)"])
def test_games_with_parameters_pass_them_too(name: str) -> None:
    checks = (*RULE_CHECKS, *ENGINE_CHECKS, RECORD_CHECK)
    reports = [*run_checks(GAMES[f"openspiel:{name}"], 1, checks)]
    assert [report for report in reports if report.state == "FAILED"] == []


def test_players_texts_and_moves_are_those_of_the_library() -> None:
    game = GAMES[TIC_TAC_TOE]
    assert str(game.position()) == "...\n...\n..."
    assert str(game.position(moves=[4])) == "...\n.x.\n...\nLast move: x(1,1)"
    game = GAMES[TIC_TAC_TOE]
    position = game.position(moves=[4, 0, 1, 7, 8, 2])
    names = game.names_in(position)
    assert names.played == ["x(1,1)", "o(0,0)", "x(0,1)", "o(2,1)", "x(2,2)", "o(0,2)"]
    assert names.legal == ["x(1,0)", "x(1,2)", "x(2,0)"]
    assert game.names_in(game.position(moves=[0, 3, 1, 4, 2])).legal == []
    chess = GAMES["openspiel:chess"].position()
    assert chess.player_to_move == 1
    assert " w KQkq " in str(chess)  # white, which is player 1 of OpenSpiel, counted from 0


@loop_over(
    "moves, outcome, value",
    ([0, 3, 1, 4, 2], Outcome(1, "player 1 has won"), 1),
    ([8, 0, 3, 1, 4, 2], Outcome(2, "player 2 has won"), -1),
    ([0, 1, 2, 4, 3, 5, 7, 6, 8], Outcome(None, "the game is drawn"), 0),
    ([0], None, 0),
)
def test_outcomes(moves: list[int], outcome: Outcome | None, value: int) -> None:
    game = GAMES[TIC_TAC_TOE]
    position = game.position(moves=moves)
    assert position.outcome == outcome
    assert game.evaluate
    words = outcome.reason if outcome else "the game goes on"
    assert game.evaluate(position, 1) == Evaluation(value, words, outcome is not None)


def test_moves_are_played_and_searched() -> None:
    position = GAMES[TIC_TAC_TOE].position(moves=[0, 3, 1, 4])
    assert search(position, 2).move == 2
    position = GAMES[TIC_TAC_TOE].position(moves=[4])
    with pytest.raises(IllegalMove, match=r"^illegal move 2: 4 is none of the 8 legal moves$"):
        position.play(4)


def test_a_copy_and_a_pickle_are_equal_and_independent() -> None:
    position = GAMES[TIC_TAC_TOE].position(moves=[4, 0])
    for twin in (position.copy(), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert hash(twin) == hash(position)
        twin.play(1)
        assert position.moves == [4, 0]
        assert twin != position
        assert twin.undo() == 1
    assert position != GAMES["openspiel:clobber"].position()


def test_a_player_that_moves_twice_is_refused() -> None:
    import pyspiel

    position = make_game("openspiel:amazons", "Amazons", pyspiel.load_game("amazons")).position()
    with pytest.raises(ValueError, match=r"^after move 1 the same player would move again$"):
        position.play(position.legal_moves()[0])
    assert position.moves == []


@pytest.mark.parametrize("flags", [[], ["--workers"]])
def test_bots_play_a_tournament(flags: list[str], db: Path, arena: Run) -> None:
    words = ["--game", TIC_TAC_TOE, "--bots", "random", "spec:2", "--rounds", "2", "--seed", "1"]
    end = arena("tournament", *flags, *words, "--quiet", "--db", db)
    assert end.status == 0
    assert "openspiel:tic_tac_toe, round-robin" in end.out
    assert arena("verify", db).out == "4 matches agree\n"


@pytest.mark.slow
@pytest.mark.parametrize("flags", [[], ["--workers"]])
def test_a_tournament_with_parameters_is_resumed_by_any_order_of_them(
    flags: list[str], db: Path, arena: Run, tmp_path: Path
) -> None:
    bots = ["--bots", "random", "openspiel:mcts:20", "--seed", "1", "--quiet", "--db", db]
    words = ["tournament", *flags, *bots, "--game"]
    first = arena(*words, "openspiel:connect_four(rows=4,columns=5)", "--rounds", "1")
    assert (first.status, first.err) == (0, "")
    assert "openspiel:connect_four(columns=5,rows=4), round-robin" in first.out
    again = arena(*words, "openspiel:connect_four(columns=5,rows=4)", "--rounds", "2", "--extend")
    assert (again.status, again.err) == (0, "")
    other = arena(*words, "openspiel:connect_four(columns=4,rows=4)", "--rounds", "2")
    assert other.status == 2
    arena("export", db, "--output", tmp_path / "records.pgn")
    arena("import", tmp_path / "records.pgn", tmp_path / "twin.db")
    assert arena("verify", tmp_path / "twin.db").out == "4 matches agree\n"


def test_a_game_that_cannot_be_used_is_one_line(arena: Run) -> None:
    end = arena("tournament", "--game", "openspiel:amazons")
    assert end.status == 2
    assert end.out == ""
    assert end.err == (
        "arena: --game: game 'openspiel:amazons' cannot be used: its players do not move in turn\n"
    )
