"""Checks of a game's evaluation, search and solver, for a game that has them. Pure.

docs/contributing/add-a-game.md describes the expected behaviour of a game.
"""

from functools import partial
from math import isfinite

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.conformance.rule_checks import facts, raised, require_facts
from arena.conformance.steps import CheckFailed
from core.game import Evaluation, IllegalMove, Position, Solver
from core.search import Limits, search
from core.search.generic import search_position

NODES = 1000  # of a search
DEPTHS = (1, 2, 3)  # plies


def evaluates(sample: Sample) -> None:
    """Check that evaluations are finite, explained, and change nothing."""
    position = sample.position()
    before = facts(position)
    for player in (1, 2):
        evaluation = _evaluation(sample, position, player)
        require(isfinite(evaluation.value), "a finite evaluation", repr(evaluation.value))
        words = evaluation.words
        require(bool(words.strip()), "an evaluation explained in words", repr(words))
        may_be_final = position.is_over or sample.game.decides_early
        expected = "is_final only at the end without decides_early"
        require(may_be_final or not evaluation.is_final, expected, "is_final before the end")
        _require_no_early_win(sample, evaluation)
        require_facts(position, before, "no change by evaluate()")


def _require_no_early_win(sample: Sample, evaluation: Evaluation) -> None:
    """Check that only decided positions have the value of a won game, if that is known."""
    win, value = sample.game.win_value, evaluation.value
    if win is not None and not evaluation.is_final:
        expected = f"a value between {-win!r} and {win!r} (win_value) before the game is decided"
        require(-win < value < win, expected, repr(value))


def evaluates_results(sample: Sample) -> None:
    """Check that a win has the sign of its winner and is its best evaluation; a draw is 0."""
    position = sample.position()
    assert position.outcome, "check 6 has found one"
    winner = position.outcome.winner
    if winner is None:
        for player in (1, 2):
            value = _evaluation(sample, position, player).value
            require(value == 0, "an evaluation of 0 for a draw", repr(value))
        return
    sign = 1 if winner == 1 else -1
    best = {player: _evaluation(sample, position, player).value for player in (1, 2)}
    expected = f"an evaluation {'above' if winner == 1 else 'below'} 0, as player {winner} has won"
    require(min(sign * value for value in best.values()) > 0, expected, repr(best[1]))
    for ply in reversed(range(len(sample.moves))):
        position.undo()
        for player, value in best.items():
            earlier = _evaluation(sample, position, player).value
            expected = f"no better evaluation for player {winner} than {value!r} for the win"
            received = f"{earlier!r} after {ply} moves"
            require(sign * earlier <= sign * value, expected, received)


def explains_the_search(sample: Sample) -> None:
    """Check that the search to depth 1 finds the best evaluation, and the first move with it."""
    position = sample.position()
    player = position.player_to_move
    values = {}
    for move in position.legal_moves():
        position.play(move)
        values[move] = _evaluation(sample, position, player).value
        position.undo()
    best = max(values.values()) if player == 1 else min(values.values())
    first = next(move for move, value in values.items() if value == best)
    found = search(position, 1)
    expected = f"the search to depth 1 to find move {first} with its evaluation {best!r}"
    received = f"move {found.move} with {found.value!r}"
    require((found.move, found.value) == (first, best), expected, received)


def searches(sample: Sample) -> None:
    """Check that a search finds a legal move and changes nothing."""
    position = sample.position()
    before = facts(position)
    move = search(position, nodes=NODES).move
    require(move in before.legal_moves, "a legal move from the search", repr(move))
    require_facts(position, before, "no change by a search")


def searches_as_in_python(sample: Sample) -> None:
    """Check that the compiled search has the result and the counts of the search in Python."""
    position = sample.position()
    for depth in DEPTHS:
        limits = Limits(depth, NODES)
        wanted = search_position(sample.game, position, limits, None)
        found = search(position, depth, nodes=NODES)
        expected = f"{tuple(wanted)} from the search to depth {depth}, as in Python"
        require(found == wanted, expected, f"{tuple(found)}")


def solves(sample: Sample) -> None:
    """Check that no game is drawn, and that the solver finds the winning moves of plain minimax."""
    position = sample.position()
    before = facts(position)
    assert sample.game.solver, "the check is skipped without a solver"
    solver = sample.game.solver(position, None)
    solver.winning_moves()
    require_facts(position, before, "no change by a solver")
    _check_winning_moves(position, solver, "the winning moves")
    for move in before.legal_moves:
        position.play(move)
        solver.play(move)
        if not position.is_over:
            _check_winning_moves(position, solver, f"the winning moves after move {move}")
        position.undo()
        undone = solver.undo()
        require(undone == move, f"undo() of the solver to return the move {move}", repr(undone))
        _check_winning_moves(position, solver, f"the winning moves after move {move} is undone")
    raised(partial(solver.play, -1), "an IllegalMove for move -1 from the solver", IllegalMove)
    _check_winning_moves(position, solver, "the winning moves after an illegal move")


def _check_winning_moves(position: Position, solver: Solver, what: str) -> None:
    player, winning = position.player_to_move, []
    for move in position.legal_moves():
        position.play(move)
        if _winner(position) == player:
            winning.append(move)
        position.undo()
    found = solver.winning_moves()
    require(found == winning, f"{what} to be {winning}, as plain minimax says", repr(found))


def _winner(position: Position) -> int:
    """Return the winner under perfect play, by plain minimax.

    Raises:
        CheckFailed: A game below the position is drawn.
    """
    if outcome := position.outcome:
        if outcome.winner is None:
            received = f"{outcome.reason!r} after the moves {position.moves}"
            raise CheckFailed("no draw, as the game has a solver", received)
        return outcome.winner
    player, winners = position.player_to_move, set()
    for move in position.legal_moves():
        position.play(move)
        winners.add(_winner(position))
        position.undo()
    return player if player in winners else 3 - player


def _evaluation(sample: Sample, position: Position, player: int) -> Evaluation:
    assert sample.game.evaluate, "the check is skipped without an evaluation"
    return sample.game.evaluate(position, player)


ENGINE_CHECKS = (
    GameCheck(15, "evaluates positions", evaluates, part="evaluate"),
    GameCheck(16, "evaluates results", evaluates_results, "finished games", (4, 6), "evaluate"),
    GameCheck(17, "explains its search", explains_the_search, "unfinished games", part="evaluate"),
    GameCheck(18, "can be searched", searches, "unfinished games"),
    GameCheck(
        19, "searches as in Python", searches_as_in_python, "unfinished games", part="search"
    ),
    GameCheck(20, "solves endgames", solves, "endgames", part="solver"),
)
