"""Games of OpenSpiel as games of the arena. A move is the number of an action."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from core import GAMES
from core.game import Evaluation, Game, IllegalMove, MoveNames, Outcome


class SpielPosition:
    """A game of OpenSpiel in progress; each game has a subclass of its own.

    Player 1 is the one who begins, whichever number OpenSpiel has for that player. Positions are
    equal if they have the same text after the same number of moves.
    """

    _name: ClassVar[str]
    _spiel: ClassVar[Any]
    _first: ClassVar[int]  # the number that OpenSpiel has for player 1

    def __init__(self, *, moves: Sequence[int] = ()) -> None:
        """Start a game and play moves. Raises IllegalMove."""
        self._moves: list[int] = []
        self._states = [self._spiel.new_initial_state()]  # after each move; they do not change
        for move in moves:
            self.play(move)

    @property
    def names(self) -> MoveNames:
        """The names of the moves so far and of the legal moves, by OpenSpiel."""
        return MoveNames(
            [*map(_name, self._states, self._moves)],
            [_name(self.state, move) for move in self.legal_moves()],
        )

    @property
    def state(self) -> Any:
        """The state of OpenSpiel, a `pyspiel.State` that nothing changes."""
        return self._states[-1]

    @property
    def moves(self) -> list[int]:
        """The moves so far, from first to last."""
        return [*self._moves]

    @property
    def player_to_move(self) -> int:
        """1 or 2; when the game is over, the player who would be next."""
        return 1 + len(self._moves) % 2

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.is_terminal())

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on."""
        if not self.is_over:
            return None
        result = self.state.returns()[self._first]
        if not result:
            return Outcome(None, "the game is drawn")
        winner = 1 if result > 0 else 2
        return Outcome(winner, f"player {winner} has won")

    def legal_moves(self) -> list[int]:
        """Return all legal moves, ascending; none when the game is over."""
        return list(self.state.legal_actions())

    def play(self, move: int) -> None:
        """Play a move.

        Raises:
            IllegalMove: The move is illegal; nothing has changed.
            ValueError: The same player would move again; nothing has changed.
        """
        number, legal = len(self._moves) + 1, self.legal_moves()
        if move not in legal:
            rule = f"{move} is none of the {len(legal)} legal moves"
            raise IllegalMove(move, number, rule)
        state = self.state.child(move)
        if not state.is_terminal() and state.current_player() != (self._first + number) % 2:
            raise ValueError(f"after move {number} the same player would move again")
        self._states.append(state)
        self._moves.append(move)

    def undo(self) -> int:
        """Take back the last move and return it. Raises IndexError without one."""
        move = self._moves.pop()
        self._states.pop()
        return move

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = type(self)()
        twin._moves = [*self._moves]
        twin._states = [*self._states]
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self._name, self._moves)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        """Return the text of OpenSpiel and the name of the last move."""
        text = str(self.state).strip("\n")
        if not self._moves:
            return text
        return f"{text}\nLast move: {_name(self._states[-2], self._moves[-1])}"

    @property
    def _key(self) -> tuple[int, str]:
        return len(self._moves), str(self.state)


def make_game(name: str, title: str, spiel: Any) -> Game:
    """Return a game of OpenSpiel as a game of the arena.

    Args:
        name: The name in the arena.
        title: The name for people.
        spiel: The game, a `pyspiel.Game` of two players who move in turn.
    """
    first = spiel.new_initial_state().current_player()
    members = {"_name": name, "_spiel": spiel, "_first": first}
    board = type("SpielPosition", (SpielPosition,), members)
    return Game(
        name=name,
        title=title,
        parameters={},
        position=board,
        board=board,
        study=board,
        evaluate=evaluate,
        win_value=1.0,
        move_names=lambda position: position.names,
    )


def evaluate(position: SpielPosition, player: int) -> Evaluation:  # noqa: ARG001
    """Return 1, 0 or -1 for a finished game, and 0 for all others."""
    if outcome := position.outcome:
        return Evaluation({1: 1.0, 2: -1.0, None: 0.0}[outcome.winner], outcome.reason, True)
    return Evaluation(0.0, "the game goes on")


def _rebuild(name: str, moves: Sequence[int]) -> Any:
    return GAMES[name].position(moves=moves)


def _name(state: Any, move: int) -> str:
    return str(state.action_to_string(state.current_player(), move))
