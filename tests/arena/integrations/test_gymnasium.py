"""Environments of Gymnasium, by the check and the wrappers of the library and by play."""

import copy
import pickle
import random
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env

from arena.integrations.gymnasium import OpponentEnv
from core import GAMES
from tests.support.cases import loop_over

STONES: dict[str, Any] = {"game": "take_stones", "stones": 20}


@loop_over(
    "game, opponent", ("take_stones", "random"), ("take_stones", "greedy"), ("isolation", "spec:2")
)
def test_the_library_finds_no_fault(game: str, opponent: str) -> None:
    env = gymnasium.make(f"arena/{game}-v0", opponent=opponent, render_mode="ansi")
    check_env(env.unwrapped)  # warnings are errors


def follow(env: Any, steps: int) -> list[Any]:
    """Take the first legal action of each step and return what is seen."""
    found: list[Any] = []
    for _ in range(steps):
        seen, reward, is_over, _, info = env.step(env.unwrapped.action_masks().argmax())
        found += [seen.tolist(), reward, info.get("reason")]
        if is_over:
            env.reset()
    return found


def test_wrappers_of_the_library_work() -> None:
    env: Any = gymnasium.make("arena/take_stones-v0", max_episode_steps=1, player=1)
    env = wrappers.RecordEpisodeStatistics(wrappers.FlattenObservation(env))
    env = wrappers.NormalizeReward(wrappers.TimeAwareObservation(env))
    env.reset(seed=1)
    *_, is_over, is_cut, info = env.step(2)
    assert (is_over, is_cut, info["episode"]["l"]) == (False, True, 1)


@pytest.mark.parametrize(
    ("mode", "options"),
    [("sync", {}), pytest.param("async", {"context": "spawn"}, marks=pytest.mark.slow)],
)
def test_vectors_of_the_library_play(mode: str, options: dict[str, Any]) -> None:
    name = "arena/isolation-v0"
    vector = gymnasium.make_vec(name, 2, vectorization_mode=mode, vector_kwargs=options, size=4)
    _, info = vector.reset(seed=1)
    ended = 0
    for _ in range(20):
        *_, is_over, _, info = vector.step(info["action_mask"].argmax(axis=1))
        ended += is_over.sum()
    vector.close()
    assert ended


USERS_BOT = """
from random import Random

class Stateful:
    def __init__(self, seed):
        self.random = Random(seed)

    def choose(self, position, clock):
        return self.random.choice(position.legal_moves())
"""


@loop_over("opponent", ["random", "perfect", "spec:2", "python:stateful_bot:Stateful"])
def test_copies_have_opponents_of_their_own(tmp_path: Path, opponent: str) -> None:
    (tmp_path / "stateful_bot.py").write_text(USERS_BOT)
    env = gymnasium.make("arena/take_stones-v0", opponent=opponent, folder=tmp_path)
    copy.deepcopy(env)
    env.reset(seed=1)
    follow(env, 1)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    went = [follow(each, 30) for each in (env, *twins)]
    assert went[0] == went[1] == went[2]


def test_the_library_makes_it_by_its_name() -> None:
    env = gymnasium.make("arena.integrations.gymnasium:arena/take_stones-v0", stones=9, player=2)
    assert env.action_space == gymnasium.spaces.Discrete(9)
    env.reset(seed=1)
    assert env.unwrapped.player == 2  # type: ignore[attr-defined]


@loop_over("player", [1, 2])
@loop_over("game", ["take_stones", "isolation"])
def test_episodes_are_games_by_the_rules(game: str, player: int) -> None:
    env, choice = OpponentEnv(game, opponent="greedy", player=player), random.Random(1)
    for seed in range(20):
        seen, info = env.reset(seed=seed)
        reward, is_over = 0.0, False
        while not is_over:
            assert env.position
            assert env.position.player_to_move == env.player == player
            mask = env.action_masks()
            assert (mask == info["action_mask"]).all()
            assert [env.moves[action] for action in np.flatnonzero(mask)] == (
                env.position.legal_moves()
            )
            assert seen in env.observation_space
            seen, reward, is_over, is_cut, info = env.step(choice.choice(np.flatnonzero(mask)))
            assert not is_cut
        assert env.position
        assert env.position.outcome
        assert reward == (1 if env.position.outcome.winner == player else -1)
        assert info["reason"] == env.position.outcome.reason
        assert not info["action_mask"].any()
        again = GAMES[game].position(**env._encoded.setup, moves=env.position.moves)
        assert again == env.position


def test_the_seed_draws_the_player_and_the_bots_moves() -> None:
    env = OpponentEnv(**STONES)
    players, openings = [], []
    for seed in [*range(30), *range(30)]:
        env.reset(seed=seed)
        assert env.position
        players.append(env.player)
        openings.append(env.position.moves)
    assert set(players) == {1, 2}
    assert len({move for moves in openings for move in moves}) > 1
    assert (players[:30], openings[:30]) == (players[30:], openings[30:])


def test_an_illegal_move_loses() -> None:
    env = OpponentEnv(**STONES, player=1)
    env.reset(seed=1)
    _, reward, is_over, _, info = env.step(1)
    assert (reward, is_over) == (-1, True)
    assert info["reason"].startswith("illegal move 1: stone 2 cannot be the first")
    with pytest.raises(RuntimeError, match=r"^the game is over: call reset\(\) before step\(\)$"):
        env.step(0)


@loop_over(
    "answer, reason", [("None", "player 2 has resigned"), ("99", "illegal move 2: stone 99")]
)
def test_bots_that_resign_or_move_illegally_lose(tmp_path: Path, answer: str, reason: str) -> None:
    name = f"bad_bot_{answer.lower()}"
    (tmp_path / f"{name}.py").write_text(
        f"class Bad:\n    def choose(self, position, clock):\n        return {answer}\n"
    )
    env = OpponentEnv(**STONES, player=1, opponent=f"python:{name}:Bad", folder=tmp_path)
    env.reset()
    _, reward, is_over, _, info = env.step(0)
    assert (reward, is_over) == (1, True)
    assert info["reason"].startswith(reason)


def test_a_bot_that_gives_up_at_once(tmp_path: Path) -> None:
    (tmp_path / "quick_quitter.py").write_text(
        "class Quitter:\n    def choose(self, position, clock):\n        return None\n"
    )
    env = OpponentEnv(**STONES, player=2, opponent="python:quick_quitter:Quitter", folder=tmp_path)
    _, info = env.reset()
    assert not info["action_mask"].any()
    _, reward, is_over, _, info = env.step(0)
    assert (reward, is_over, info["reason"]) == (1, True, "player 1 has resigned")


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    env = OpponentEnv("take_stones", stones=3, player=1, render_mode="ansi")
    env.reset()
    assert env.render() == "Remaining: 1-3\nLast taken: none"
    assert capsys.readouterr().out == ""
    people = OpponentEnv("take_stones", stones=3, player=2, opponent="greedy", render_mode="human")
    people.reset()
    people.step(1)
    assert capsys.readouterr().out.count("Remaining: ") == 3
    silent = OpponentEnv("take_stones")
    silent.reset()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert silent.render() is None


def test_the_order_of_calls_is_checked() -> None:
    env = OpponentEnv(**STONES)
    with pytest.raises(RuntimeError, match=r"^call reset\(\) first$"):
        env.step(0)
    env.reset()
    with pytest.raises(ValueError, match=r"^expected an action from 0 to 19, got 20$"):
        env.step(20)


@loop_over(
    "option, kind, text",
    ({"player": 3}, ValueError, "^expected player 1, 2 or None, got 3$"),
    ({"opponent": "deep"}, ValueError, "^unknown bot 'deep'"),
    ({"opponent": "strong"}, ValueError, "^bot strong cannot play .*, which has no strong search$"),
    ({"stones": 2}, ValueError, "^take_stones with stones=2 is over before the first move$"),
    ({"render_mode": "rgb"}, TypeError, "^unknown render mode 'rgb'"),
    ({"opponent": print}, TypeError, "^expected an opponent such as 'greedy' or 'spec:4', got <"),
)
def test_bad_options_are_refused(option: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=text):
        OpponentEnv(**{**STONES, **option})
