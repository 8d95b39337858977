"""Where exercises come from: random trees, and random positions of a game.

The random numbers of a seed are the same on every machine and in every version of Python.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from arena.teaching.compared_run import Run, run
from arena.teaching.events import Enter, Evaluate
from arena.teaching.notation import parse_tree
from arena.teaching.tracer import MINIMAX, trace
from core.game import Game, Position
from core.seeded_choice import seeded_choice

MAX_LEAVES = 32  # that fit on a page
MAX_NODES = 64
MAX_DEPTH = 6
Player = Literal["max", "min", "either"]


class Draws:
    """A sequence of random choices.

    Args:
        seed: Any integer.
        stream: The number of the sequence: sequences of one seed are independent.
    """

    def __init__(self, seed: int, stream: int) -> None:
        self._seed = seed
        self._stream = stream
        self._count = 0

    def one_of(self, options: Sequence[int]) -> int:
        """Return one of the options, each equally likely."""
        self._count += 1
        return seeded_choice(self._seed, [self._stream, self._count], options)


class Task(NamedTuple):
    """A tree or a position, and its search.

    Attributes:
        title: It in one line.
        board: The position as text, nothing for a tree.
        source: The tree as it is written; for a position its moves.
        run: Its search as in Figure 5.7.
        has_leaf_values: Whether the values of leaves are given.
    """

    title: str
    board: str
    source: str
    run: Run
    has_leaf_values: bool


class Trees(NamedTuple):
    """Random written trees with leaves of equal depth.

    Attributes:
        depth: The depth of the leaves in plies.
        branching: The least and the greatest number of children.
        values: The least and the greatest value of a leaf. The leaves of a tree have different
            values if there are enough.
        player: The player at the root.
    """

    depth: int = 3
    branching: tuple[int, int] = (2, 3)
    values: tuple[int, int] = (1, 50)
    player: Player = "max"

    def draw(self, draws: Draws) -> Task | None:
        """Return a random tree, None if it has more leaves than fit on a page."""
        player = self.player
        if player == "either":
            player = ("max", "min")[draws.one_of(range(2))]
        low, high = self.values
        free = [*range(low, high + 1)]
        leaves: list[int] = []

        def subtree(depth: int) -> str:
            if len(leaves) > MAX_LEAVES:
                return ""
            if not depth:
                value = draws.one_of(free)
                leaves.append(value)
                if high - low >= MAX_LEAVES:
                    free.remove(value)
                return str(value)
            least, most = self.branching
            children = [subtree(depth - 1) for _ in range(draws.one_of(range(least, most + 1)))]
            return f"({' '.join(children)})"

        text = f"{player} {subtree(self.depth)}"
        if len(leaves) > MAX_LEAVES:
            return None
        found = run(parse_tree(text))
        return Task(f"{player.title()} moves at the root.", "", text, found, has_leaf_values=True)


class Positions(NamedTuple):
    """Positions of a game after random moves, searched to a depth.

    Attributes:
        game: The game.
        setup: The parameters of the game.
        plies: The least and the greatest number of moves before the position.
        depth: The depth of the search in plies, 0 for the end of the game.
    """

    game: Game
    setup: Mapping[str, int]
    plies: tuple[int, int] = (1, 3)
    depth: int = 3

    def draw(self, draws: Draws) -> Task | None:
        """Return a random position, None if its tree does not fit on a page.

        Raises ValueError and MemoryError for parameters that the game does not allow.
        """
        position: Position = self.game.position(**self.setup, moves=[])
        least, most = self.plies
        for _ in range(draws.one_of(range(least, most + 1))):
            if position.is_over:
                return None
            position.play(draws.one_of(position.legal_moves()))
        if position.is_over or not _fits(position, self.depth):
            return None
        moves = " ".join(map(str, position.moves))
        names = " ".join(map(self.game.move_name, position.moves))
        setup = ", ".join(f"{name} {value}" for name, value in self.setup.items())
        game = f"{self.game.title} ({setup})" if setup else self.game.title
        after = f"after {names}" if names else "at the start"
        player = "Max" if position.player_to_move == 1 else "Min"
        depth = f"to depth {self.depth}" if self.depth else "to the end of the game"
        words = f"{game} {after}: {player} moves; search {depth}."
        found = run(position, self.depth, move_name=self.game.move_name)
        return Task(words, str(position), moves, found, self.game.evaluate is None)


def usual_positions(game: Game, setup: Mapping[str, int]) -> Positions:
    """Return positions with searches that fit on a page: late ones if the start has many moves.

    Raises ValueError and MemoryError for parameters that the game does not allow.
    """
    position: Position = game.position(**setup, moves=[])
    if len(position.legal_moves()) ** 2 <= MAX_LEAVES:
        return Positions(game, setup)
    draws = Draws(0, 0)
    while not position.is_over:
        position.play(draws.one_of(position.legal_moves()))
    length = len(position.moves)
    return Positions(game, setup, (length // 2, 3 * length // 4), 2)


def _fits(position: Position, depth: int) -> bool:
    """Return whether the tree below a position fits on a page."""
    nodes = leaves = 0
    for event in trace(position, depth, variant=MINIMAX):
        nodes += isinstance(event, Enter)
        leaves += isinstance(event, Evaluate)
        is_deep = isinstance(event, Enter) and event.depth > MAX_DEPTH
        if is_deep or nodes > MAX_NODES or leaves > MAX_LEAVES:
            return False
    return True
