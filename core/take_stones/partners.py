"""Perfect play in words and as a graph: the partners of stones in a maximum matching.

docs/explanation/theory.md has the proof. The graph has the remaining stones and the last one as
vertices, joined if one divides the other. The player to move wins if every maximum matching of it
pairs the last stone: its possible partners are the winning moves. Otherwise the opponent wins.
"""

from collections.abc import Collection, Sequence

from core.game import Matching, MatchingNode
from core.take_stones.board import Board
from core.take_stones.solver import Solver

MAX_STONES = 1000  # of a graph that is shown: it has about 6,000 edges, 85 KB as a message
KINDS = {
    "outer": "a maximum matching of the remaining stones may leave it out: it wins if legal",
    "inner": "it always has a partner, and an outer neighbour: it loses",
    "other": "it always has a partner, and no outer neighbour: it loses",
    "last": "it was taken last",
}


def find_partners(board: Board) -> Matching | None:
    """Return the maximum matching that decides a position; None for more than MAX_STONES stones.

    If the player to move wins, the last stone has the first winning move as its partner; before the
    first move, that one is without a partner.

    Raises:
        MemoryError: If there are too many stones for the machine.
    """
    if board.n > MAX_STONES:
        return None
    solver = Solver(board)
    kinds, winning = solver.kinds(), solver.winning_moves()
    answer = winning[0] if winning else None
    if answer is not None:  # leave it out: then it is free for the last stone
        solver.take(answer)
    mates = solver.mates()
    if board.last is not None:
        kinds[board.last] = "last"
        if answer is not None:
            mates[board.last], mates[answer] = answer, board.last
    legal = set(board.legal_moves())
    return Matching(
        nodes=[
            MatchingNode(stone, kinds[stone], _prime_factors(stone), _reason(board, stone, legal))
            for stone in sorted(kinds)
        ],
        edges=_edges(kinds, board.n),
        pairs=[(stone, mate) for stone, mate in sorted(mates.items()) if stone < mate],
        kinds=KINDS,
        last=board.last,
        winning_moves=winning,
        answer=answer,
        sentences=_sentences(board, winning),
    )


def _edges(stones: Collection[int], n: int) -> list[tuple[int, int]]:
    """Return the pairs of stones where one divides the other."""
    return [
        (stone, multiple)
        for stone in sorted(stones)
        for multiple in range(2 * stone, n + 1, stone)
        if multiple in stones
    ]


def _prime_factors(number: int) -> int:
    """Return the number of prime factors, each counted as often as it divides."""
    count, divisor = 0, 2
    while number > 1:
        if number % divisor == 0:
            number //= divisor
            count += 1
        else:
            divisor += 1
    return count


def _reason(board: Board, stone: int, legal: Collection[int]) -> str | None:
    """Return why a stone may be taken now, None if it may not."""
    if stone not in legal:
        return None
    if board.last is None:
        return f"{stone} is odd and below n/2 = {board.n / 2:g}"
    relation = "factor" if stone < board.last else "multiple"
    return f"{stone} is a {relation} of {board.last}"


def _sentences(board: Board, winning: Sequence[int]) -> list[str]:
    """Return why the position is won or lost."""
    player, other = board.player_to_move, 3 - board.player_to_move
    if board.is_over:
        return [f"Player {other} has won: player {player} has no stone to take."]
    afterwards = "has a partner, and player {} takes that, until there is none left to take."
    if not winning:
        why = f"a maximum matching leaves {board.last}, the last stone, without a partner."
        if board.last is None:
            why = "every maximum matching has a partner for each stone that may be taken first."
        return [
            f"Player {other} wins: {why}",
            f"Every stone that player {player} can take {afterwards.format(other)}",
        ]
    if board.last is None:
        why = "some maximum matching leaves out a stone that may be taken first."
        one, several = "The only such stone is", "Such stones are"
    else:
        why = f"every maximum matching has a partner for {board.last}, the last stone."
        one, several = "Its only possible partner is", "Its possible partners are"
    listed, first = ", ".join(map(str, winning)), winning[0]
    choice = f"{several} the winning moves: {listed}. Here it is {first}."
    if len(winning) == 1:
        choice = f"{one} {first}, the winning move."
    return [
        f"Player {player} wins: {why}",
        choice,
        f"Then every stone that player {other} can take {afterwards.format(player)}",
    ]
