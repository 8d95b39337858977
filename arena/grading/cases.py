"""Cases of a grading: the official ones, and positions drawn from a seed, with expected lines."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.grading.diagnosis.revealing import revealed
from arena.grading.diagnosis.search import Position, Searches
from arena.grading.diagnosis.variants import readings
from core.rounding import one_decimal
from core.search import search
from core.take_stones import Board
from core.take_stones.six_lines import LABELS, find_values, format_six_lines

OFFICIAL = (
    Position(7, (1, 4, 2), 3),  # the example of the assignment
    Position(3, (), 0),
    Position(7, (1,), 2),
    Position(10, (4, 2, 6), 4),  # the first stone may not be taken first
)
JAVA_NODES_PER_SECOND = 300_000  # of an ordinary solution in Java
SMALL_STONES, SMALL_NODES = (3, 20), (25, 50, 150, 400)  # of the cases that reveal misreadings
LARGE_STONES = (10, 100)
FEWEST_NODES = 5
CANDIDATES = 16  # for each small case; the most revealing is taken
FIRST_MOVES = {2: 2, 6: 3}  # indexes of cases that begin the game: the stones modulo 4
TIES = (1, 5)  # indexes of cases with a branching factor that languages round differently
WANTED = 2  # small cases that reveal each misreading, if possible
MAX_PLIES = 10
MAX_DEPTH = 12
TO_THE_END = 0.25  # share of the cases without a depth limit, where the tree is small enough
MAX_ATTEMPTS = 1000


@dataclass(frozen=True)
class Case:
    """Case of a grading.

    Attributes:
        number: Its number, from 1.
        position: The position and the depth limit.
        nodes: The number of nodes that the right search visits.
        expected: The values of the six lines.
    """

    number: int
    position: Position
    nodes: int
    expected: tuple[str, ...]

    @property
    def arguments(self) -> list[str]:
        """The arguments of a program."""
        stones, taken, depth = self.position
        return [str(number) for number in (stones, len(taken), *taken, depth)]


def make_cases(count: int, seed: int, seconds: float) -> list[Case]:
    """Return the cases of a grading: the official ones first, then drawn ones by size.

    The first half of the drawn cases is small and reveals misreadings of the assignment; the sizes
    of the others spread up to the largest. Max and Min are to move in turn.

    Args:
        count: The number of cases; below four, only the first official ones. There are fewer
            if the same position is drawn twice.
        seed: The seed of the drawn cases.
        seconds: The time that an ordinary solution in Java needs at most.
    """
    chance = random.Random(seed)
    drawn = max(0, count - len(OFFICIAL))
    positions = {*_revealing(chance, (drawn + 1) // 2)} - {*OFFICIAL}
    largest = max(FEWEST_NODES, int(seconds * JAVA_NODES_PER_SECOND))
    positions |= {*_spread(chance, drawn - len(positions), largest)}
    by_size = sorted(positions, key=lambda position: (_nodes(position), position))
    return [
        _case(number, position) for number, position in enumerate([*OFFICIAL, *by_size][:count], 1)
    ]


def _case(number: int, position: Position) -> Case:
    result = search(_board(position), position.depth)
    nodes = result.nodes_visited, result.nodes_evaluated
    values = find_values(format_six_lines(result.move, result.value, *nodes, result.max_depth))
    return Case(number, position, result.nodes_visited, tuple(values[label] for label in LABELS))


def _board(position: Position) -> Board:
    return Board(position.stones, position.taken, any_first=True)


def _nodes(position: Position, limit: int | None = None) -> int | None:
    """Return the number of nodes of the search, or None if it exceeds the limit."""
    result = search(_board(position), position.depth, nodes=limit)
    return None if result.stopped else result.nodes_visited


def _revealing(chance: random.Random, count: int) -> Iterator[Position]:
    """Yield small positions where, together, misreadings change a number."""
    searches = Searches(growth=1)
    seen: Counter[object] = Counter(dict.fromkeys(readings(), 0))
    for index in range(count):
        if index in FIRST_MOVES:
            best = _first_move(chance, FIRST_MOVES[index])
        else:
            best = _tie(chance) if index in TIES else _news(chance, index % 2, seen, searches)
        seen.update(revealed(best, readings(), searches))
        yield best


def _news(
    chance: random.Random, parity: int, seen: Counter[object], searches: Searches
) -> Position:
    """Return the one of some drawn positions that reveals most of what others have not."""
    wanted = [reading for reading in readings() if seen[reading] < WANTED]
    limits = SMALL_NODES * (CANDIDATES // len(SMALL_NODES))
    drawn = [_draw(chance, SMALL_STONES, limit, parity) for limit in limits]
    found = {position: revealed(position, wanted, searches) for position in drawn}

    def worth(position: Position) -> float:
        new = (seen[shown] for shown in found[position] if seen[shown] < WANTED)
        return sum(1 / (1 + number) ** 2 for number in new)  # rare ones count most

    return max(drawn, key=worth)


def _first_move(chance: random.Random, remainder: int) -> Position:
    """Return a position without moves; its number of stones, divided by 4, has this remainder."""
    stones = 4 * chance.randint(1, SMALL_STONES[1] // 4) + remainder
    return _deepest(chance, Board(stones), SMALL_NODES[-1])[0]


def _tie(chance: random.Random) -> Position:
    """Return a small position with a branching factor that C and Python round differently."""
    for _ in range(MAX_ATTEMPTS):
        position = _draw(chance, SMALL_STONES, SMALL_NODES[1], parity=1)
        result = search(_board(position), position.depth)
        numerator = result.nodes_visited - 1
        denominator = result.nodes_visited - result.nodes_evaluated
        if one_decimal(numerator, denominator) != f"{numerator / denominator:.1f}":
            break
    return position


def _spread(chance: random.Random, count: int, largest: int) -> Iterator[Position]:
    """Yield positions with sizes from the small cases up to the largest."""
    for index in range(count):
        share = (index + 1) / count
        limit = round(math.exp(math.log(FEWEST_NODES) * (1 - share) + math.log(largest) * share))
        yield _draw(chance, LARGE_STONES, limit, index % 2)


def _draw(chance: random.Random, stones: Sequence[int], limit: int, parity: int) -> Position:
    """Return a position and a depth; its search has at most, and nearly, `limit` nodes.

    Args:
        chance: The source of random numbers.
        stones: The smallest and the largest number of stones.
        limit: The highest number of nodes.
        parity: 0 if Max is to move, 1 if Min is.
    """
    best, most = Position(3, (), 1), 0
    for _ in range(MAX_ATTEMPTS):
        board = _random_board(chance, chance.randint(*stones), parity)
        if board is None:
            continue
        position, nodes = _deepest(chance, board, limit)
        if nodes > most:
            best, most = position, nodes
        if most > limit // 3:
            break
    return best


def _random_board(chance: random.Random, stones: int, parity: int) -> Board | None:
    """Return a random position that is not over, or None if the game ended before."""
    board = Board(stones)
    for _ in range(2 * chance.randint(0, MAX_PLIES // 2) + parity):
        if board.is_over:
            return None
        board.take(chance.choice(board.legal_moves()))
    return None if board.is_over else board


def _deepest(chance: random.Random, board: Board, limit: int) -> tuple[Position, int]:
    """Return the largest search of a position within a number of nodes, and its nodes."""
    start = Position(board.n, tuple(board.taken), 0)
    if chance.random() < TO_THE_END and (nodes := _nodes(start, limit)):
        return start, nodes
    found, most = start, 0
    for depth in range(1, MAX_DEPTH + 1):
        position = start._replace(depth=depth)
        nodes = _nodes(position, limit)
        if not nodes or nodes == most:
            break
        found, most = position, nodes
    return found, most
