"""Environments of PettingZoo, by the tests of the library and by play."""

import copy
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test

from arena.integrations.pettingzoo import GameEnv, make_module
from core import GAMES
from core.game import Encoding
from tests.support.cases import loop_over
from tests.support.games.toy_games import DRAWN_NIM

CASES: list[tuple[str, dict[str, Any]]] = [
    ("take_stones", {"stones": 20}),
    ("take_stones", {"stones": 100}),
    ("isolation", {}),
    ("isolation", {"size": 4}),
]
# An observation with an action mask has these two, unless its name is one of the library's own.
OF_MASKS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or"
    " gymnasium.spaces.discrete",
}


def drawn_nim(monkeypatch: pytest.MonkeyPatch) -> GameEnv:
    """Return an environment of a game that may be drawn."""
    encoding = Encoding(lambda heap: range(1, 4), lambda heap: heap)  # noqa: ARG005
    monkeypatch.setitem(GAMES, DRAWN_NIM.name, DRAWN_NIM._replace(encoding=encoding))
    return GameEnv(DRAWN_NIM.name, heap=4)


def play(env: GameEnv, *moves: int) -> None:
    for move in moves:
        env.step(env.moves.index(move))


@loop_over(("name", "setup"), CASES)
def test_the_library_finds_no_fault_and_repeats_runs(name: str, setup: dict[str, Any]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(GameEnv(name, **setup), num_cycles=200)
    assert {str(warning.message) for warning in caught} == OF_MASKS
    seed_test(lambda: GameEnv(name, **setup), num_cycles=200)


@loop_over(("name", "setup"), CASES[::3])
def test_all_modes_render(
    name: str, setup: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(lambda **options: GameEnv(name, **setup, **options))
    env = GameEnv(name, **setup)
    env.reset()
    assert str(env.position) in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.unmeasured
def test_the_benchmark_of_the_library_runs(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(make_module("take_stones").env(stones=20))
    assert "turns per second" in capsys.readouterr().out


@loop_over(("name", "setup"), CASES)
def test_random_games_are_those_of_the_rules(name: str, setup: dict[str, Any]) -> None:
    env, choice = GameEnv(name, **setup), random.Random(1)
    for _ in range(20):
        env.reset()
        position = GAMES[name].position(**setup)
        while legal := position.legal_moves():
            seen, reward, is_over, is_cut, info = env.last()
            assert seen
            assert (reward, is_over, is_cut, info) == (0, False, False, {})
            assert [env.moves[action] for action in np.flatnonzero(seen["action_mask"])] == legal
            other = env.observe(env.possible_agents[env.agent_selection == "player_1"])
            assert not other["action_mask"].any()
            move = choice.choice(legal)
            position.play(move)
            play(env, move)
        assert env.position == position
        assert position.outcome
        winner = f"player_{position.outcome.winner}"
        for agent in env.agent_iter():
            _, reward, is_over, is_cut, info = env.last()
            assert (is_over, is_cut) == (True, False)
            assert reward == (1 if agent == winner else -1)
            assert info == {"reason": position.outcome.reason}
            env.step(None)
        assert env.agents == []


def test_a_draw_is_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    env = drawn_nim(monkeypatch)
    env.reset()
    play(env, 1, 3)
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.rewards == {"player_1": 0, "player_2": 0}


@loop_over(("moves", "loser"), [((2,), "player_1"), ((3, 3), "player_2")])
def test_an_illegal_move_loses(moves: tuple[int, ...], loser: str) -> None:
    env = GameEnv("take_stones", stones=7)
    env.reset()
    play(env, *moves)
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.rewards[loser] == -1
    assert sum(env.rewards.values()) == 0
    assert env.infos[loser]["reason"].startswith(f"illegal move {len(moves)}: stone {moves[-1]} ")
    seen, *_ = env.last()
    assert seen
    assert not seen["action_mask"].any()


@loop_over("action", [-1, 20, None])
def test_an_action_outside_of_the_space_is_refused(action: int | None) -> None:
    env = GameEnv("take_stones", stones=20)
    env.reset()
    with pytest.raises(ValueError, match=f"^expected an action from 0 to 19, got {action}$"):
        env.step(action)


def test_a_third_agent_observes_nothing() -> None:
    env = GameEnv("take_stones", stones=3)
    env.reset()
    with pytest.raises(KeyError, match=r"^'player_3'$"):
        env.observe("player_3")


def test_the_order_of_calls_is_checked() -> None:
    env = GameEnv("take_stones", stones=3, render_mode="ansi")
    for call in (env.render, lambda: env.observe("player_1")):
        with pytest.raises(RuntimeError, match=r"^call reset\(\) first$"):
            call()
    with pytest.raises(RuntimeError, match=r"^call reset\(\) first$"):
        env.step(0)
    env.reset()
    play(env, 1, 2)
    env.step(None)
    env.step(None)
    with pytest.raises(RuntimeError, match=r"^the game is over for both agents"):
        env.step(None)


def test_rendering() -> None:
    env = GameEnv("take_stones", stones=7, render_mode="ansi")
    env.reset()
    play(env, 3)
    assert env.render() == "Remaining: 1-2 4-7\nLast taken: 3"
    silent = GameEnv("take_stones")
    silent.reset()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None
    env.close()
    with pytest.raises(TypeError, match="unknown render mode 'rgb'"):
        GameEnv("take_stones", render_mode="rgb")


def test_people_see_each_position(capsys: pytest.CaptureFixture[str]) -> None:
    env = GameEnv("take_stones", stones=3, render_mode="human")
    env.reset()
    play(env, 1)
    assert capsys.readouterr().out == (
        "Remaining: 1-3\nLast taken: none\n\nRemaining: 2-3\nLast taken: 1\n\n"
    )


@loop_over("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(twin_of: Any) -> None:
    env = GameEnv("take_stones", stones=7)
    env.reset()
    play(env, 3)
    twin = twin_of(env)
    play(twin, 6)
    assert env.position.moves == [3]  # type: ignore[union-attr]
    assert twin.position.moves == [3, 6]


def test_the_library_finds_it_by_name_and_module() -> None:
    env = pettingzoo.make("aec", "arena/take_stones-v0", stones=7)
    assert isinstance(env.unwrapped, GameEnv)
    assert env.unwrapped.moves == range(1, 8)
    module = make_module("isolation")
    assert isinstance(module.env(size=5), GameEnv)
    assert str(module.raw_env()) == "isolation_v0"
    assert module.__doc__ == "Isolation"
