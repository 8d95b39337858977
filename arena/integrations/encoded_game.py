"""A game with a setup; moves and positions are arrays."""

from collections.abc import Callable, Iterable
from functools import partial
from math import prod
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from core import GAMES
from core.game import Encoding, Game, Position

Array = NDArray[np.int8]

ARGUMENTS = {"folder", "game", "num_envs", "opponent", "player", "render_mode"}  # of environments
MAX_ELEMENTS = 100_000_000  # bytes of an observation, or of those of a vector


class EncodedGame:
    """A game with a setup; moves and positions are arrays.

    An action is the place of a move in the range of all moves, counted from 0.

    Attributes:
        game: The game.
        setup: Its parameters, all of them.
        moves: The range of the moves: `moves[action]` is the move of an action.
        length: The most moves that a game can have.
        shape: The shape of an observation.
        elements: The size of an observation or of an action mask, whichever is larger.
        vector: The class that plays many games at once, if there is one.
    """

    def __init__(self, name: str, setup: dict[str, int]) -> None:
        """Look up a game.

        Args:
            name: The name of a registered game.
            setup: Its parameters; one that is missing has its default, or else its most usual
                value.

        Raises:
            UnknownGame: No game has the name.
            ValueError: The game has no encoding or no first move, a value is out of range, or an
                observation is too large.
            TypeError: The game has no parameter of a name.
        """
        self.game = GAMES[name]
        self.setup = _complete(self.game, setup)
        words = " ".join(f"{each}={value}" for each, value in self.setup.items())
        if self.start().is_over:  # which refuses a setup that the game refuses
            raise ValueError(f"{name} with {words} is over before the first move")
        encoding = _encoding_of(self.game)
        self.moves = encoding.moves(**self.setup)
        self.length = encoding.length(**self.setup)
        self.shape = encoding.shape(**self.setup) if encoding.shape else (4, len(self.moves))
        self.vector: Callable[..., Any] | None = encoding.vector
        self.elements = max(prod(self.shape), len(self.moves))
        if self.elements > MAX_ELEMENTS:
            raise ValueError(
                f"{name} with {words} is too large: an observation has {self.elements} elements"
                f" (at most {MAX_ELEMENTS})"
            )
        self._observe = encoding.observe or partial(_observe_moves, self.moves)

    def start(self, actions: Iterable[int] = ()) -> Position:
        """Return the position before the first move, or after legal actions."""
        return self.game.position(**self.setup, moves=[self.moves[action] for action in actions])

    def move(self, action: Any) -> int:
        """Return the move of an action.

        Args:
            action: A whole number of any type, or an array or a list with one, as learners pass it.

        Raises:
            ValueError: There is no such action.
        """
        number = _whole_number(action)
        if number is None or not 0 <= number < len(self.moves):
            got = " ".join(repr(action).split())
            raise ValueError(f"expected an action from 0 to {len(self.moves) - 1}, got {got:.60}")
        return self.moves[number]

    def observe(self, position: Position, player: int) -> Array:
        """Return a new observation of a position by player 1 or 2."""
        return np.ndarray(self.shape, np.int8, self._observe(position, player))

    def mask(self, legal_moves: list[int]) -> Array:
        """Return a new array with 1 for each action that is legal."""
        mask = bytearray(len(self.moves))
        first = self.moves[0]
        for move in legal_moves:
            mask[move - first] = 1
        return np.ndarray(len(mask), np.int8, mask)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game.name, self.setup)


class Result(NamedTuple):
    """The end of a game: the rewards of the players 1 and 2, and the reason in words."""

    rewards: tuple[int, int]
    reason: str

    @classmethod
    def of(cls, position: Position) -> "Result":
        """Return the result of a position where the game is over: 1, 0 or -1."""
        outcome = position.outcome
        assert outcome, "the game is over"
        return cls({1: (1, -1), 2: (-1, 1), None: (0, 0)}[outcome.winner], outcome.reason)

    @classmethod
    def of_loss(cls, player: int, reason: str) -> "Result":
        """Return the loss of player 1 or 2, as of one that made an illegal move."""
        return cls((-1, 1) if player == 1 else (1, -1), reason)


def encoded_games() -> dict[str, Encoding]:
    """Return the encodings of the registered games that have one, by name."""
    return {name: game.encoding for name, game in GAMES.items() if game.encoding}


def _whole_number(action: Any) -> int | None:
    """Return the whole number that a number or an array of one element is, or None."""
    try:
        return index(action)
    except TypeError:
        pass  # a float, or an array of one element or of more
    try:
        number = np.asarray(action).item()
        return int(number) if number == int(number) else None
    except (TypeError, ValueError, OverflowError):
        return None


def _complete(game: Game, given: dict[str, int]) -> dict[str, int]:
    if taken := ARGUMENTS & game.parameters.keys():
        raise ValueError(
            f"game {game.name!r} cannot be an environment: its parameter {min(taken)!r} has the"
            " name of an argument"
        )
    for name in given:
        if name not in game.parameters:
            known = ", ".join(game.parameters) or "none"
            raise TypeError(f"unknown parameter {name!r} of {game.name} (parameters: {known})")
    setup = game.completed(given)
    usual = {name: parameter.usual[0] for name, parameter in game.parameters.items()}
    return {**usual, **setup}


def _encoding_of(game: Game) -> Encoding:
    if game.encoding is None:
        raise ValueError(f"game {game.name!r} has no encoding: its core.game.Game lacks one")
    return game.encoding


def _observe_moves(moves: range, position: Any, player: int) -> bytearray:
    """Return four rows: the moves of the player and of the opponent, and the last one of each."""
    count, first = len(moves), moves[0]
    observation = bytearray(4 * count)
    made = position.moves
    for row, other in enumerate((player, 3 - player)):
        for move in made[other - 1 :: 2]:
            observation[row * count + move - first] = 1
        if len(made) >= other:
            last = made[other - 1 :: 2][-1]
            observation[(2 + row) * count + last - first] = 1
    return observation
