"""The check of a matching: it fails for a game with one defect in it."""

from typing import Any

from arena.conformance.optional_checks import MATCHING_CHECK
from core import GAMES
from core.game import Game, Matching
from core.take_stones import Board
from core.take_stones.partners import find_partners
from tests.support.cases import loop_over
from tests.support.games.defective_games import Check

CHECKS = (MATCHING_CHECK,)


def found(board: Board) -> Matching:
    matching = find_partners(board)
    assert matching
    return matching


def changed(**fields: Any) -> Game:
    """Return the game with matchings of which some fields are replaced by those of functions."""

    def matching(board: Board) -> Matching:
        sound = found(board)
        return sound._replace(**{name: change(sound) for name, change in fields.items()})

    return GAMES["take_stones"]._replace(matching=matching)


def careless(board: Board) -> Matching:
    """Return the matching after a move of its own."""
    if not board.is_over:
        board.take(board.legal_moves()[0])
    return found(board)


DEFECTS = [
    (GAMES["take_stones"]._replace(matching=careless), "no change by matching()"),
    (changed(nodes=lambda sound: [*sound.nodes][::-1]), "each node once, ascending"),
    (
        changed(nodes=lambda sound: [node._replace(reason="why not") for node in sound.nodes]),
        "reasons for the legal moves [",
    ),
    (changed(kinds=lambda _: {"outer": ""}), "nodes of known kinds"),
    (changed(sentences=lambda _: [" "]), "a reason in words"),
    (changed(pairs=lambda _: [(1, 1)]), "only edges as pairs"),
    (changed(edges=lambda sound: [*sound.edges, (0, 1)]), "edges between nodes"),
    (changed(pairs=lambda sound: sound.edges), "each move in at most one pair"),
    (changed(winning_moves=lambda _: [0]), "the legal moves of kind 'outer' to win"),
    (changed(answer=lambda _: 0), "an answer from ["),
    (changed(pairs=lambda _: []), "a partner for the legal move"),
    (changed(pairs=lambda sound: [*sound.pairs][:1]), "a partner for the legal move"),
]


def test_games_that_pass_or_are_skipped(check: Check) -> None:
    assert check(GAMES["take_stones"], 22)[22].state == "ok"
    assert check(GAMES["take_stones"]._replace(matching=lambda _: None), 22)[22].state == "ok"
    report = check(GAMES["isolation"], 22)[22]
    assert (report.state, report.detail) == ("skipped", "the game has no matching")


@loop_over(("game", "text"), DEFECTS)
def test_a_defect_is_found(game: Game, text: str, check: Check) -> None:
    report = check(game, 22)[22]
    assert report.state == "FAILED"
    assert f"expected {text}" in report.detail


def test_a_partner_must_be_legal(check: Check) -> None:
    # The partners of a lost position are exchanged: the graph gets an edge that is no move.
    def matching(board: Board) -> Matching:
        sound = found(board)
        if len(sound.pairs) < 2:
            return sound
        (one, first), (two, second), *others = sound.pairs
        pairs = [(one, second), (two, first), *others]
        return sound._replace(pairs=pairs, edges=[*sound.edges, *pairs])

    report = check(GAMES["take_stones"]._replace(matching=matching), 22)[22]
    assert "expected a legal partner of move" in report.detail
