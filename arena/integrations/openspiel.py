"""Games for OpenSpiel: the import registers each game that has an encoding as `python_NAME`.

The methods have the names of OpenSpiel's interface. An action is the place of a move in the range
of all moves, as in other environments.
"""

from typing import Any

import numpy as np

from arena.integrations.encoded_game import EncodedGame, Result, encoded_games
from arena.integrations.openspiel_family import INSTALL
from core import GAMES
from core.game import Parameter, Position

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(INSTALL) from error


def register(name: str) -> None:
    """Register a game that has an encoding with OpenSpiel, as `python_NAME`.

    Raises:
        UnknownGame: No game has the name.
    """
    game = GAMES[name]
    kind = pyspiel.GameType(
        short_name=f"python_{name}",
        long_name=f"Python {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            parameter: _usual(described) for parameter, described in game.parameters.items()
        },
    )

    # A class: OpenSpiel drops it after the interpreter has ended, which only classes survive.
    class RegisteredGame(SpielGame):
        def __init__(self, params: dict[str, int] | None = None) -> None:
            super().__init__(name, kind, params)

    pyspiel.register_game(kind, RegisteredGame)


def _usual(parameter: Parameter) -> int:
    return parameter.usual[0] if parameter.default is None else parameter.default


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with a setup.

    Attributes:
        encoded: The game, with its moves and positions as arrays.
    """

    def __init__(
        self, name: str, kind: pyspiel.GameType, params: dict[str, int] | None = None
    ) -> None:
        """Prepare a game; OpenSpiel calls this with the parameters that are not the usual ones."""
        self.encoded = EncodedGame(name, params or {})
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoded.moves),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.encoded.length,
        )
        super().__init__(kind, info, params or {})

    def new_initial_state(self, state: None = None) -> "SpielState":
        """Return the state at the start; other states are reached by their actions."""
        if state is not None:
            raise ValueError("a state is reached by its actions only")
        return SpielState(self)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return pyspiel.load_game, (str(self),)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> Any:
        """Return an observer of the states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.encoded, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game: a copy or a stored state has the actions, and plays them when asked.

    OpenSpiel copies and stores what is in `__dict__`, which is missing: all is kept in slots.

    Attributes:
        position: The position, a `core.game.Position`.
    """

    __slots__ = ("_encoded", "_legal", "position")

    position: Position
    _encoded: EncodedGame
    _legal: list[int]

    def __getattr__(self, name: str) -> Any:
        """Return what a state is asked for that is new, copied or stored, and keep it."""
        value: Any
        match name:
            case "_encoded":
                value = self.get_game().encoded
            case "position":
                value = self._encoded.start(self.history())
            case "_legal":
                value = self.position.legal_moves()
            case _:
                raise AttributeError(f"a state has no attribute {name!r}")
        setattr(self, name, value)
        return value

    def current_player(self) -> int:
        """Return 0 or 1, or TERMINAL once the game is over."""
        if not self._legal:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.player_to_move - 1

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        first = self._encoded.moves[0]
        return [move - first for move in self._legal]

    def _apply_action(self, action: int) -> None:
        self.position.play(self._encoded.moves[action])
        self._legal = self.position.legal_moves()

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return self._encoded.game.move_name(self._encoded.moves[action])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return not self._legal

    def returns(self) -> list[float]:
        """Return 1 for a win, -1 for a loss and 0 for a draw or a game that goes on, by player."""
        if self._legal:
            return [0.0, 0.0]
        return [float(reward) for reward in Result.of(self.position).rewards]

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """Observer of states: the observation of the environments, as numbers.

    Attributes:
        tensor: All numbers of the last observation.
        dict: The same numbers in their shape, as `observation`.
    """

    def __init__(self, encoded: EncodedGame, params: dict[str, Any] | None) -> None:
        """Prepare an observer. Raises ValueError for any parameters."""
        if params:
            raise ValueError(f"an observation has no parameters, got {params}")
        self._encoded = encoded
        self.tensor = np.zeros(int(np.prod(encoded.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(encoded.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Observe a state as player 0 or 1."""
        self.dict["observation"][...] = self._encoded.observe(state.position, player + 1)

    def string_from(self, state: SpielState, player: int) -> str:  # noqa: ARG002
        """Return a state as text, which both players see alike."""
        return str(state.position)


for _name in encoded_games():
    register(_name)
