"""What is searched: a position of a game, or a tree that is written down, with a current node."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol

from arena.teaching.events import Move
from core.game import Evaluation, Game, Position
from core.registry import game_of
from core.search.leaves import Leaves


class Node(NamedTuple):
    """A node of a tree: a name that differs from its siblings' names, a value for Max, children.

    An inner node needs a value only where a search to a limited depth ends.
    """

    name: str
    value: float | None = None
    children: "tuple[Node, ...]" = ()


class GameTree(NamedTuple):
    """A tree and the player at its root; the players alternate from ply to ply."""

    root: Node
    is_max: bool = True


class Space(Protocol):
    """A tree that is searched, with its current node, at first the root."""

    @property
    def is_max(self) -> bool:
        """Whether Max moves."""

    def leaf(self) -> Evaluation | None:
        """Return the evaluation of a leaf of the search, None for an inner node."""

    def moves(self) -> Sequence[Move]:
        """Return the moves to the children, from left to right."""

    def play(self, move: Move) -> None:
        """Go to a child."""

    def undo(self) -> None:
        """Go back to the parent."""

    def key(self) -> Hashable:
        """Return a value that two nodes share only if the trees below them are equal."""


class TreeSpace:
    """A written tree, to a depth in plies (0: to its leaves)."""

    def __init__(self, tree: GameTree, depth: int = 0) -> None:
        self._path = [tree.root]
        self._children: list[dict[Move, Node]] = []  # by name, of the path
        self._is_max = tree.is_max
        self._depth = depth

    @property
    def is_max(self) -> bool:
        """Whether Max moves."""
        return self._is_max ^ (len(self._path) % 2 == 0)

    def leaf(self) -> Evaluation | None:
        """Return the value of a leaf. Raises ValueError if it has none."""
        node = self._path[-1]
        if not node.children:
            words = "it is a leaf"
        elif self._depth and len(self._path) > self._depth:
            words = "it is at the depth limit"
        else:
            return None
        if node.value is None:
            raise ValueError(f"node {node.name!r} needs a value, as a leaf of the search")
        return Evaluation(node.value, words)

    def moves(self) -> Sequence[Move]:
        """Return the names of the children."""
        return [child.name for child in self._path[-1].children]

    def play(self, move: Move) -> None:
        """Go to the child of that name."""
        if len(self._children) < len(self._path):
            self._children.append({child.name: child for child in self._path[-1].children})
        self._path.append(self._children[-1][move])

    def undo(self) -> None:
        """Go back to the parent."""
        self._path.pop()
        del self._children[len(self._path) :]

    def key(self) -> Hashable:
        """Return the identity of the node."""
        return id(self._path[-1]), len(self._path)


class PositionSpace:
    """The continuations of a position of any game, to a depth in plies (0: to the end of the game).

    `game` has the evaluation, by default the registered game of the position. Raises ValueError if
    the game is over, and NoEvaluation if it has no evaluation and the search is not to its end: as
    the search does.
    """

    def __init__(self, position: Position, depth: int = 0, game: Game | None = None) -> None:
        if outcome := position.outcome:
            raise ValueError(f"the game is over: {outcome.reason}")
        self._position = position.copy()
        self._leaves = Leaves(game or game_of(position), position.player_to_move, depth)
        self._depth = depth
        self._plies = 0

    @property
    def is_max(self) -> bool:
        """Whether player 1 moves."""
        return self._position.player_to_move == 1

    def leaf(self) -> Evaluation | None:
        """Return the evaluation of a position that is over, decided or at the depth limit."""
        if not self._plies:
            return None  # the search does not evaluate its root
        return self._leaves.evaluation(self._position, self._plies)

    def moves(self) -> Sequence[Move]:
        """Return the legal moves."""
        return self._position.legal_moves()

    def play(self, move: Move) -> None:
        """Play a move."""
        assert isinstance(move, int)
        self._position.play(move)
        self._plies += 1

    def undo(self) -> None:
        """Take the last move back."""
        self._position.undo()
        self._plies -= 1

    def key(self) -> Hashable:
        """Return the position and the number of plies that are left."""
        return self._position.copy(), self._depth and self._depth - self._plies


def space_of(start: Position | GameTree, depth: int = 0, game: Game | None = None) -> Space:
    """Return what a search of a position or a tree to a depth visits. Raises as the search does."""
    if depth < 0:
        raise ValueError(f"depth must be 0 or more plies, not {depth}")
    if isinstance(start, GameTree):
        return TreeSpace(start, depth)
    return PositionSpace(start, depth, game)
