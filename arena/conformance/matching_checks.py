"""The check of a game's matching, for a game that is decided by one. Pure."""

from collections.abc import Mapping
from itertools import chain

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.conformance.rule_checks import facts, require_facts
from core.game import Matching, Position


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
