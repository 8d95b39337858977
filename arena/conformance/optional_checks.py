"""Checks of what a game may have beside its rules: an engine, a matching, an encoding. Pure.

docs/contributing/add-a-game.md describes the expected behaviour of a game.
"""

from collections.abc import Mapping
from functools import partial
from itertools import chain
from math import isfinite, prod

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.conformance.rule_checks import facts, raised, require_facts
from arena.conformance.steps import CheckFailed
from core.game import Evaluation, IllegalMove, Matching, Position, Solver
from core.search import Limits, search, strong_search
from core.search.generic import search_position

NODES = 1000  # of a search
DEPTHS = (1, 2, 3)  # plies
STRONG_NODES = 300  # of a strong search


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


def answers_with_partners(sample: Sample) -> None:
    """Check the form of a matching, and that the winner wins by answering with partners."""
    position = sample.position()
    before = facts(position)
    assert sample.game.matching, "the check is skipped without a matching"
    matching = sample.game.matching(position)
    require_facts(position, before, "no change by matching()")
    if matching is None:
        return
    _check_nodes(matching, before.legal_moves)
    partners = _partners(matching)
    winning = [*matching.winning_moves]
    legal = [node.move for node in matching.nodes if node.reason is not None]
    first_kind = next(iter(matching.kinds))
    of_first_kind = [node.move for node in matching.nodes if node.kind == first_kind]
    expected = [move for move in legal if move in of_first_kind]
    require(winning == expected, f"the legal moves of kind {first_kind!r} to win", repr(winning))
    answer = matching.answer
    is_expected = answer in winning if winning else answer is None
    require(is_expected, f"an answer from {winning}, else None", repr(answer))
    if answer is not None:
        position.play(answer)
    _check_play(position, partners)


def _check_nodes(matching: Matching, legal_moves: list[int]) -> None:
    moves = [node.move for node in matching.nodes]
    require(moves == sorted({*moves}), "each node once, ascending", repr(moves))
    legal = [node.move for node in matching.nodes if node.reason]
    require(legal == legal_moves, f"reasons for the legal moves {legal_moves}", repr(legal))
    unknown = {node.kind for node in matching.nodes} - {*matching.kinds}
    require(not unknown, "nodes of known kinds", repr(unknown))
    require(any(map(str.strip, matching.sentences)), "a reason in words", repr(matching.sentences))
    unjoined = {*matching.pairs} - {*matching.edges}
    require(not unjoined, "only edges as pairs", repr(unjoined))
    outside = {*chain(*matching.edges)} - {*moves}
    require(not outside, "edges between nodes", repr(outside))


def _partners(matching: Matching) -> Mapping[int, int]:
    """Return the partner of each move that has one."""
    found = [*chain(*matching.pairs)]
    require(len(found) == len({*found}), "each move in at most one pair", repr(matching.pairs))
    return dict(chain(matching.pairs, ((other, one) for one, other in matching.pairs)))


def _check_play(position: Position, partners: Mapping[int, int]) -> None:
    """Check that each first legal move, to the end of the game, is answered by its partner."""
    while moves := position.legal_moves():
        for move in moves:
            expected = f"a partner for the legal move {move} after {position.moves}"
            require(move in partners, expected, "none")
        position.play(moves[0])
        answer = partners[moves[0]]
        legal = position.legal_moves()
        require(answer in legal, f"a legal partner of move {moves[0]}", repr(answer))
        position.play(answer)


MATCHING_CHECK = GameCheck(22, "answers with partners", answers_with_partners, part="matching")


def searches_strongly(sample: Sample) -> None:
    """Check that a strong search keeps to its nodes, repeats itself and changes nothing."""
    position = sample.position()
    before = facts(position)
    found = strong_search(position, nodes=STRONG_NODES)
    require_facts(position, before, "no change by a strong search")
    visited = found.nodes_visited
    expected = f"at most {STRONG_NODES} nodes of a strong search"
    require(visited <= STRONG_NODES, expected, f"{visited}")
    again = strong_search(position, nodes=STRONG_NODES)
    require(again == found, f"{tuple(found)} from the same nodes again", f"{tuple(again)}")
    _check_variation(position, found.move, found.variation)


def _check_variation(position: Position, move: int, variation: list[int]) -> None:
    begins = variation[:1] == [move]
    require(begins, f"a principal variation that begins with the move {move}", f"{variation}")
    for later in variation:
        is_legal = later in position.legal_moves()
        require(is_legal, "legal moves in the principal variation", f"{later} of {variation}")
        position.play(later)


def plays_endgames(sample: Sample) -> None:
    """Check that a strong search without limits finds a move that plain minimax finds best."""
    position = sample.position()
    player = position.player_to_move
    results = {}
    for move in position.legal_moves():
        position.play(move)
        results[move] = _result(position, player)
        position.undo()
    best = max(results.values())
    wanted = [move for move, result in results.items() if result == best]
    found = strong_search(position).move
    expected = f"one of the moves {wanted} from a strong search, as plain minimax says"
    require(found in wanted, expected, repr(found))


def _result(position: Position, player: int) -> int:
    """Return 1, 0 or -1 for a win, a draw or a loss of a player under perfect play."""
    if outcome := position.outcome:
        return 0 if outcome.winner is None else 1 if outcome.winner == player else -1
    results = []
    for move in position.legal_moves():
        position.play(move)
        results.append(_result(position, player))
        position.undo()
    return max(results) if position.player_to_move == player else min(results)


STRONG_CHECKS = (
    GameCheck(23, "searches strongly", searches_strongly, "unfinished games", part="strong_search"),
    GameCheck(24, "plays endgames", plays_endgames, "endgames", (4, 6), "strong_search"),
)


def is_encoded(sample: Sample) -> None:
    """Check the ranges of moves and games, and the observations of a position by both players."""
    encoding, position = sample.game.encoding, sample.position()
    assert encoding, "the check is of a part of a game"
    setup = sample.game.completed(sample.setup)
    moves, length = encoding.moves(**setup), encoding.length(**setup)
    for move in position.legal_moves():
        require(move in moves, f"move {move} in the range of all moves", repr(moves))
    played = len(sample.moves)
    require(played <= length, f"a game of at most {length} moves", f"{played}")
    has_both = (encoding.shape is None) == (encoding.observe is None)
    require(has_both, "both shape and observe, or neither", "one of them")
    if encoding.shape and encoding.observe:
        size, before = prod(encoding.shape(**setup)), facts(position)
        for player in (1, 2):
            seen = encoding.observe(position, player)
            require_facts(position, before, "no change by an observation")
            _check_observation(seen, size)


def _check_observation(seen: bytearray, size: int) -> None:
    require(isinstance(seen, bytearray), "an observation of bytes (bytearray)", type(seen).__name__)
    require(len(seen) == size, f"an observation of {size} bytes, as its shape", f"{len(seen)}")
    require(set(seen) <= {0, 1}, "an observation of 0 and 1", repr(sorted(set(seen))))


ENCODING_CHECK = GameCheck(25, "encodes its positions", is_encoded, part="encoding")
