"""Our games as games of OpenSpiel, by the tests of the library and by its algorithms."""

import pickle
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, minimax, tabular_qlearner

from arena.integrations.openspiel import register  # the import registers our games
from core import GAMES, solver_of
from core.game import Encoding
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.toy_games import DRAWN_NIM

GAME_STRINGS = [
    "python_take_stones",
    "python_take_stones(stones=7)",
    "python_isolation",
    "python_isolation(size=4)",
]


def load(stones: int) -> pyspiel.Game:
    return pyspiel.load_game("python_take_stones", {"stones": stones})


@loop_over("name", GAME_STRINGS)
@pytest.mark.filterwarnings("ignore:The chararray class is deprecated:DeprecationWarning")
def test_the_simulations_of_the_library_pass_and_can_be_repeated(name: str) -> None:
    # With scipy, a fifth of the time to collect all tests.
    from open_spiel.python.algorithms.generate_playthrough import playthrough
    from open_spiel.python.tests import games_sim_test

    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    # Serialisation of games and states, their copies and their pickles.
    games_sim_test.GamesSimTest().sim_game(game)
    text = playthrough(name, None)
    assert f'GameType.short_name = "{name.partition("(")[0]}"' in text
    actions = [int(line.split()[1]) for line in text.splitlines() if line.startswith("action: ")]
    assert playthrough(name, actions) == text
    assert "IsTerminal() = True" in text


def test_parameters_have_their_usual_values() -> None:
    assert str(load(20)) == str(pyspiel.load_game("python_take_stones"))
    game = pyspiel.load_game("python_isolation(size=5)")
    assert (game.num_distinct_actions(), game.max_game_length()) == (37, 23)
    assert game.observation_tensor_shape() == [3, 5, 5]
    assert pickle.loads(pickle.dumps(game)).get_parameters() == {"size": 5}


def test_a_state_is_the_position() -> None:
    state = load(7).new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["1", "3"]
    state.apply_action(2)
    assert str(state) == "Remaining: 1-2 4-7\nLast taken: 3"
    assert state.position == Board(7, [3])
    assert (state.current_player(), state.is_terminal(), state.returns()) == (1, False, [0, 0])
    assert state.observation_tensor(0) == [1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert state.observation_string(1) == str(state)
    assert state.information_state_string(0) == "2"
    for action in (0, 1, 3):
        state.apply_action(action)
    assert state.position.outcome
    assert (state.current_player(), state.is_terminal()) == (pyspiel.PlayerId.TERMINAL, True)
    assert state.returns() == [-1, 1]
    assert state.legal_actions() == []


def test_a_copy_and_a_stored_state_have_the_moves_only() -> None:
    state = load(20).new_initial_state()
    for action in (2, 5, 11, 3, 0):
        state.apply_action(action)
    stored = state.serialize()
    assert len(stored) < 100
    assert len(pickle.dumps(state)) < 300
    copies = [state.clone(), pickle.loads(pickle.dumps(state))]
    for twin in [*copies, state.get_game().deserialize_state(stored)]:
        twin.apply_action(1)
        assert twin.position.moves == [3, 6, 12, 4, 1, 2]
        assert state.position.moves == [3, 6, 12, 4, 1]
        assert twin.legal_actions() != state.legal_actions()
    with pytest.raises(AttributeError, match=r"^a state has no attribute 'board'$"):
        state.board  # noqa: B018


def test_moves_have_their_names() -> None:
    state = pyspiel.load_game("python_isolation").new_initial_state()
    assert state.action_to_string(1) == "(1 2)"


def test_a_draw_is_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    encoding = Encoding(lambda heap: range(1, 4), lambda heap: heap)  # noqa: ARG005
    game = DRAWN_NIM._replace(name="spiel_nim", encoding=encoding)
    monkeypatch.setitem(GAMES, game.name, game)
    register(game.name)
    state = pyspiel.load_game("python_spiel_nim").new_initial_state()  # of a heap of 10
    for move in (3, 3, 1, 3):
        state.apply_action(move - 1)
    assert (state.is_terminal(), state.returns()) == (True, [0, 0])


def test_there_are_no_other_states_and_observations() -> None:
    game = load(7)
    with pytest.raises(ValueError, match="a state is reached by its actions only"):
        game.new_initial_state({})
    with pytest.raises(ValueError, match="an observation has no parameters"):
        game.make_py_observer(None, {"egocentric": 1})


@loop_over("stones", range(3, 11))
def test_minimax_finds_the_winner(stones: int) -> None:
    value, _ = minimax.alpha_beta_search(load(stones))
    solver = solver_of(Board(stones))
    assert solver
    assert value == (1 if solver.winning_moves() else -1)


def test_tree_search_finds_the_winning_moves() -> None:
    game, random = load(12), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2, 400, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()
    for move in (5, 1):
        state.apply_action(move - 1)
    solver = solver_of(state.position)
    assert solver
    assert bot.step(state) + 1 in solver.winning_moves()


def test_a_learner_of_the_library_plays() -> None:
    environment = rl_environment.Environment(load(7))
    agents = [tabular_qlearner.QLearner(player, 7) for player in range(2)]
    for _ in range(20):
        step = environment.reset()
        while not step.last():
            player = step.observations["current_player"]
            step = environment.step([agents[player].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sorted(step.rewards) == [-1, 1]


def test_a_program_that_has_registered_the_games_ends_well() -> None:
    code = "import arena.integrations.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
