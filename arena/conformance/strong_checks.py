"""Checks of a strong search, for a game that has one. Pure.

docs/contributing/add-a-game.md describes the expected behaviour of a game.
"""

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.conformance.rule_checks import facts, require_facts
from core.game import Position
from core.search import strong_search

NODES = 300  # of a search


def searches_strongly(sample: Sample) -> None:
    """Check that a strong search keeps to its nodes, repeats itself and changes nothing."""
    position = sample.position()
    before = facts(position)
    found = strong_search(position, nodes=NODES)
    require_facts(position, before, "no change by a strong search")
    visited = found.nodes_visited
    require(visited <= NODES, f"at most {NODES} nodes of a strong search", f"{visited}")
    again = strong_search(position, nodes=NODES)
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
