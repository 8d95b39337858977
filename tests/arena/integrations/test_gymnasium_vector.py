"""Vector environments of Gymnasium, against single environments."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from hypothesis import given
from hypothesis import strategies as st

import arena.integrations.gymnasium  # noqa: F401  it registers the environments
from arena.integrations.gymnasium_vector import GameVectorEnv
from arena.integrations.pettingzoo import GameEnv
from tests.support.cases import loop_over

COUNT, STEPS = 3, 25


class Single:
    """A game in an environment of PettingZoo that follows a game of a vector."""

    def __init__(self, stones: int) -> None:
        self.env = GameEnv("take_stones", stones=stones)
        self.env.reset()

    def follow(self, observation: np.ndarray) -> None:
        """Play the last move of an observation, unless that has been played."""
        assert self.env.position
        for action in np.flatnonzero(observation[1]):
            if self.env.moves[action] not in self.env.position.moves:
                self.env.step(action)

    def shows(self, observation: np.ndarray, mask: np.ndarray | None = None) -> bool:
        seen = self.env.observe(self.env.agent_selection)
        is_same = (seen["observation"] == observation).all()
        return bool(is_same and (mask is None or (seen["action_mask"] == mask).all()))


@given(
    stones=st.integers(3, 70),
    opponent=st.sampled_from(["random", None]),
    player=st.sampled_from([1, 2, None]),
    seed=st.integers(0, 2**40),
    numbers=st.randoms(use_true_random=False),
)
def test_games_are_those_of_single_environments(
    stones: int, opponent: str | None, player: int | None, seed: int, numbers: Any
) -> None:
    vector = GameVectorEnv("take_stones", COUNT, opponent=opponent, player=player, stones=stones)
    seen, info = vector.reset(seed=seed)
    singles = [Single(stones) for _ in range(COUNT)]
    for _ in range(STEPS):
        for single, observation, mask in zip(singles, seen, info["action_mask"], strict=True):
            single.follow(observation)
            assert single.shows(observation, mask)
        players = info["player"]
        assert [f"player_{each}" for each in players] == [
            single.env.agent_selection for single in singles
        ]
        assert not opponent or player in (None, *players)
        is_illegal = numbers.random() < 0.1
        actions = [
            numbers.choice(np.arange(stones) if is_illegal else np.flatnonzero(mask))
            for mask in info["action_mask"]
        ]
        seen, rewards, ends, cuts, info = vector.step(actions)
        assert not cuts.any()
        for i, single in enumerate(singles):
            agent = single.env.agent_selection
            single.env.step(actions[i])
            if ends[i] and not single.env.terminations[agent]:
                single.follow(info["final_obs"][i])  # the random player has won
            elif opponent and not ends[i]:
                single.follow(seen[i])
            assert ends[i] == single.env.terminations[agent]
            assert rewards[i] == single.env.rewards[agent]
            if ends[i]:
                assert info["_final_obs"][i]
                assert single.shows(info["final_obs"][i])
                singles[i] = Single(stones)


@loop_over("opponent", ["random", None])
def test_the_library_makes_it(opponent: str | None) -> None:
    mode = "vector_entry_point"
    name = "arena/take_stones-v0"
    vector = gymnasium.make_vec(name, 5, vectorization_mode=mode, stones=9, opponent=opponent)
    recorded = RecordEpisodeStatistics(vector)
    seen, info = recorded.reset(seed=1)
    assert seen in recorded.observation_space
    vector.action_space.seed(1)
    episodes = 0
    for _ in range(30):
        seen, rewards, _, _, info = recorded.step(info["action_mask"].argmax(axis=1))
        assert seen in recorded.observation_space
        assert rewards.dtype == np.float64
        episodes += info["_episode"].sum() if "_episode" in info else 0
    assert episodes > 20


def test_arrays_are_the_callers_and_seeds_decide() -> None:
    vector = GameVectorEnv("take_stones", 20, player=2)
    first, info = vector.reset(seed=1)
    kept = first.copy()
    vector.step(info["action_mask"].argmax(axis=1))
    assert (first == kept).all()
    second, _ = vector.reset()
    again, _ = vector.reset(seed=1)
    assert (again == kept).all()
    assert not (second == kept).all()


def test_a_step_follows_a_reset() -> None:
    vector = GameVectorEnv("take_stones", 1)
    with pytest.raises(RuntimeError, match=r"^call reset\(\) first$"):
        vector.step([0])


def test_actions_of_any_type() -> None:
    vector = GameVectorEnv("take_stones", 2, opponent=None, stones=9)
    for actions in ([0, 2], np.array([[0], [2]]), np.array([0.0, 2.0])):
        vector.reset()
        seen, *_ = vector.step(actions)
        assert seen[:, 1].argmax(axis=1).tolist() == [0, 2]
    for bad in (0.5, np.nan):
        with pytest.raises(ValueError, match=f"^expected whole numbers as actions, got {bad}$"):
            vector.step([0, bad])
    for unusable in ([0, None], ["0", "a"], [0, 2**70]):
        with pytest.raises(ValueError, match=r"^expected whole numbers as actions, got \["):
            vector.step(unusable)
    with pytest.raises(ValueError, match=r"^expected 2 actions, got 1$"):
        vector.step([0])


@loop_over(
    "options, text",
    ({"opponent": "greedy"}, "^expected opponent 'random' or None, got 'greedy'"),
    ({"player": 3}, "^expected player 1, 2 or None, got 3$"),
    ({"num_envs": 0}, "^expected 1 to 2500000 environments of this game, got 0$"),
    ({"num_envs": 10**9}, "^expected 1 to 2500000 environments of this game, got 1000000000$"),
    ({"stones": 2}, "is over before the first move$"),
    ({"game": "isolation"}, "^game 'isolation' has no vector"),
)
def test_bad_options_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        GameVectorEnv(**{"game": "take_stones", **options})
