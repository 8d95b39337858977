"""The partners of stones, against a library's maximum matching, the solver and the game itself."""

import random
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from core.game import Matching
from core.take_stones import Board
from core.take_stones.partners import KINDS, MAX_STONES, find_partners
from core.take_stones.solver import solve
from tests.support.cases import loop_over
from tests.support.games.reference import Taken
from tests.support.games.stone_graph import graph, pairs, without
from tests.support.games.strategies import games

positions = games(st.integers(1, 40), st.integers(0, 20))


def partners(n: int, taken: Taken) -> tuple[Board, Matching]:
    board = Board(n, taken, any_first=True)
    matching = find_partners(board)
    assert matching
    return board, matching


def kinds(matching: Matching) -> dict[int, str]:
    return {node.move: node.kind for node in matching.nodes}


def mates(matching: Matching) -> dict[int, int]:
    return dict(chain(matching.pairs, ((other, one) for one, other in matching.pairs)))


@given(positions)
def test_the_graph_has_a_maximum_matching_and_its_kinds(game: tuple[int, Taken]) -> None:
    _, matching = partners(*game)
    n, taken = game
    expected = graph(n, taken[:-1])
    assert [node.move for node in matching.nodes] == sorted(expected)
    assert sorted(matching.edges) == sorted(tuple(sorted(edge)) for edge in expected.edges)
    assert {*matching.pairs} <= {*matching.edges}
    assert len({*chain(*matching.pairs)}) == 2 * len(matching.pairs) == 2 * pairs(expected)
    stones = graph(*game)
    found = kinds(matching)
    if matching.last:
        assert found.pop(matching.last) == "last"
    matched = pairs(stones)
    outer = {stone for stone in stones if pairs(without(stones, stone)) == matched}
    inner = {other for stone in outer for other in stones[stone]} - outer
    assert found == {
        stone: "outer" if stone in outer else "inner" if stone in inner else "other"
        for stone in stones
    }
    assert {*found.values()} <= {*KINDS}


@given(positions)
def test_winning_moves_and_answers_are_those_of_the_matching(game: tuple[int, Taken]) -> None:
    board, matching = partners(*game)
    found = kinds(matching)
    assert matching.winning_moves == solve(board).winning_moves
    assert matching.winning_moves == [
        node.move
        for node in matching.nodes
        if node.reason is not None and found[node.move] == "outer"
    ]
    assert matching.answer == next(iter(matching.winning_moves), None)
    if matching.last:
        assert mates(matching).get(matching.last) == matching.answer
    else:
        assert matching.answer not in mates(matching)


@given(games(st.integers(1, 60), st.integers(0, 20)), st.randoms())
def test_the_winner_answers_with_the_partner(game: tuple[int, Taken], draw: random.Random) -> None:
    board, matching = partners(*game)
    winner, partner = solve(board).winner, mates(matching)
    if matching.answer is not None:
        board.take(matching.answer)
    while not board.is_over:
        stone = draw.choice(board.legal_moves())
        board.take(stone)
        board.take(partner[stone])
    assert board.winner == winner


@given(positions)
def test_each_legal_stone_has_its_reason(game: tuple[int, Taken]) -> None:
    board, matching = partners(*game)
    reasons = {node.move: node.reason for node in matching.nodes if node.reason is not None}
    assert [*reasons] == board.legal_moves()
    last = board.last
    for stone, reason in reasons.items():
        if last is None:
            assert reason == f"{stone} is odd and below n/2 = {board.n / 2:g}"
        elif stone % last:
            assert last % stone == 0
            assert reason == f"{stone} is a factor of {last}"
        else:
            assert reason == f"{stone} is a multiple of {last}"


def test_the_row_is_the_number_of_prime_factors() -> None:
    _, matching = partners(30, ())
    rows = {node.move: node.row for node in matching.nodes}
    assert [rows[stone] for stone in (1, 2, 29, 9, 26, 30, 16, 24)] == [0, 1, 1, 2, 2, 3, 4, 4]


# The example of docs/explanation/theory.md is the game with 8 stones.
def rest(begin: str, player: int) -> str:
    """Return the sentence about the partners of all stones that a player can take."""
    taken = f"{begin} stone that player {player} can take has a partner"
    return f"{taken}, and player {3 - player} takes that, until there is none left to take."


@loop_over(
    "n, taken, sentences",
    (
        8,
        (),
        [
            "Player 1 wins: some maximum matching leaves out a stone that may be taken first.",
            "The only such stone is 3, the winning move.",
            rest("Then every", 2),
        ],
    ),
    (
        8,
        (3, 6),
        [
            "Player 1 wins: every maximum matching has a partner for 6, the last stone.",
            "Its only possible partner is 2, the winning move.",
            rest("Then every", 2),
        ],
    ),
    (
        8,
        (3,),
        [
            "Player 1 wins: a maximum matching leaves 3, the last stone, without a partner.",
            rest("Every", 2),
        ],
    ),
    (
        7,
        (),
        [
            "Player 2 wins: every maximum matching has a partner for each stone that may be"
            " taken first.",
            rest("Every", 1),
        ],
    ),
    (
        20,
        (),
        [
            "Player 1 wins: some maximum matching leaves out a stone that may be taken first.",
            "Such stones are the winning moves: 3, 5, 7, 9. Here it is 3.",
            rest("Then every", 2),
        ],
    ),
    (
        20,
        (3, 6),
        [
            "Player 1 wins: every maximum matching has a partner for 6, the last stone.",
            "Its possible partners are the winning moves: 2, 12. Here it is 2.",
            rest("Then every", 2),
        ],
    ),
    (8, (1, 5), ["Player 2 has won: player 1 has no stone to take."]),
)
def test_the_reason_is_given_in_words(n: int, taken: Taken, sentences: list[str]) -> None:
    assert partners(n, taken)[1].sentences == sentences


def test_a_large_position_is_not_shown() -> None:
    assert find_partners(Board(MAX_STONES))
    assert find_partners(Board(MAX_STONES + 1)) is None
