"""What every game offers: a Position to play on, and a Game that describes it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, Self


class IllegalMove(ValueError):
    """A move that the rules forbid.

    `move` is the move, `number` its place in the game counted from 1, and `rule` says in words
    which rule it breaks.
    """

    def __init__(self, move: int, number: int, rule: str) -> None:
        super().__init__(move, number, rule)
        self.move = move
        self.number = number
        self.rule = rule

    def __str__(self) -> str:
        return f"illegal move {self.number}: {self.rule}"


class Position(Protocol):
    """A game in progress: two players, 1 and 2, move in turn, and who cannot move loses.

    Moves are whole numbers; what they mean is the game's own matter. Equal positions (the same
    future, however it was reached) are equal and have the same hash; a position changes when a
    move is taken, so look it up in a set or a dict only while it rests.
    """

    @property
    def taken(self) -> list[int]:
        """The moves so far, from first to last."""

    @property
    def last(self) -> int | None:
        """The last move, or None before the first."""

    @property
    def player_to_move(self) -> int:
        """1 or 2."""

    @property
    def is_over(self) -> bool:
        """Whether the player to move cannot move."""

    @property
    def winner(self) -> int | None:
        """1 or 2 once the game is over, else None."""

    def legal_moves(self) -> list[int]:
        """All legal moves, ascending; empty when the game is over."""

    def take(self, move: int) -> None:
        """Play a move. Raises IllegalMove, and then nothing has changed."""

    def undo(self) -> int:
        """Take back the last move and return it. Raises IndexError if there is none."""

    def copy(self) -> Self:
        """A position that goes its own way from here."""


class Solver(Protocol):
    """Follows a game from a position on and knows how to play it perfectly."""

    def winning_moves(self) -> list[int]:
        """The moves with which the player to move wins under perfect play, ascending."""

    def take(self, move: int) -> None:
        """Play a move. Raises IllegalMove, and then nothing has changed."""

    def undo(self) -> int:
        """Take back the last move and return it. Raises IndexError if there is none."""


class Parameter(NamedTuple):
    """One whole number of a game's setup: its meaning, its least value, what is usual."""

    meaning: str
    minimum: int
    usual: tuple[int, ...]


class Evaluation(NamedTuple):
    """A static evaluation: the value for player 1, and where it comes from in words."""

    value: float
    words: str


class Game(NamedTuple):
    """A game as the registry knows it.

    `parameters` names what a setup consists of; a game that always starts alike has none.
    `position(**setup, taken=moves)` starts a game and plays the moves; it raises ValueError (for a
    move, IllegalMove) and MemoryError. Positions are of the class `board`. `study` does the same
    with any moves that the game's own command line takes, which may be more than can be played.
    `explain(position)` is the static evaluation that the search goes by, told in words.
    `solver(position, seconds)` makes a solver, for games that have one; it raises MemoryError, and
    TimeoutError if it takes longer than so many seconds, which may be None.
    """

    name: str
    title: str
    parameters: Mapping[str, Parameter]
    position: Callable[..., Position]
    board: type[Position]
    study: Callable[..., Position]
    explain: Callable[[Any], Evaluation]
    solver: Callable[[Any, float | None], Solver] | None = None
