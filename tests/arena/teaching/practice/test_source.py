"""Random choices, trees and positions of a seed."""

import re

from arena.teaching.practice.source import (
    MAX_DEPTH,
    MAX_LEAVES,
    MAX_NODES,
    Draws,
    Positions,
    Task,
    Trees,
)
from core import GAMES
from tests.support.cases import loop_over

STONES = GAMES["take_stones"]


def test_a_seed_and_a_stream_give_the_same_likely_choices_for_ever() -> None:
    draws = Draws(7, 0)
    assert [draws.one_of(range(100)) for _ in range(8)] == [24, 63, 70, 45, 38, 44, 36, 30]
    sequences = set()
    for seed, stream in ((7, 0), (7, 1), (8, 0), (8, 1)):
        draws = Draws(seed, stream)
        sequences.add(tuple(draws.one_of(range(100)) for _ in range(8)))
    assert len(sequences) == 4
    draws = Draws(1, 0)
    counts = [0, 0, 0]
    for _ in range(3000):
        counts[draws.one_of(range(3))] += 1
    assert all(900 < count < 1100 for count in counts)


def trees(source: Trees, count: int = 30) -> list[Task]:
    drawn = (source.draw(Draws(1, stream)) for stream in range(count))
    return [task for task in drawn if task]


def leaves(task: Task) -> list[float]:
    nodes = task.run.tree.nodes
    return [node.minimax for node in nodes if not node.children and node.minimax is not None]


def test_trees_have_the_depth_and_the_branching() -> None:
    counts = set()
    for task in trees(Trees(depth=2, branching=(2, 4))):
        nodes = task.run.tree.nodes
        counts |= {len(node.children) for node in nodes if node.depth < 2}
        assert {len(node.children) for node in nodes if node.depth == 2} == {0}
    assert counts == {2, 3, 4}


def test_values_and_players_of_trees() -> None:
    for task in trees(Trees(values=(-20, 20))):
        values = leaves(task)
        assert len({*values}) == len(values)
        assert all(-20 <= value <= 20 for value in values)
    assert {*leaves(trees(Trees(values=(1, 2)))[0])} == {1, 2}
    assert {task.source[:4] for task in trees(Trees(player="either"))} == {"max ", "min "}
    drawn = trees(Trees(branching=(2, 4)), 60)
    assert 0 < len(drawn) < 60
    assert all(len(leaves(task)) <= MAX_LEAVES for task in drawn)


@loop_over(("player", "expected"), [("max", {True}), ("min", {False})])
def test_the_player_at_the_root(player: str, expected: set[bool]) -> None:
    drawn = trees(Trees(player=player))  # type: ignore[arg-type]
    assert {task.run.tree.nodes[0].is_max for task in drawn} == expected
    assert {task.title for task in drawn} == {f"{player.title()} moves at the root."}


def test_positions_come_after_random_moves() -> None:
    source = Positions(STONES, {"stones": 10}, plies=(1, 3), depth=3)
    drawn = [source.draw(Draws(1, stream)) for stream in range(40)]
    tasks = [task for task in drawn if task]
    assert {len(task.source.split()) for task in tasks} == {1, 2, 3}
    for task in tasks:
        assert not task.has_leaf_values
        assert "Last taken" in task.board
        assert task.title.startswith(f"Take-Stones (stones 10) after {task.source}: M")
        assert task.title.endswith(" moves; search to depth 3.")
        assert len(task.run.tree.nodes) <= MAX_NODES


def test_finished_games_and_deep_or_large_trees_are_left_out() -> None:
    source = Positions(STONES, {"stones": 3}, plies=(3, 3))
    assert source.draw(Draws(1, 0)) is None
    source = Positions(STONES, {"stones": 3}, plies=(9, 9))
    assert source.draw(Draws(1, 0)) is None
    assert Positions(STONES, {"stones": 12}, plies=(1, 1), depth=0).draw(Draws(1, 0)) is None
    assert Positions(STONES, {"stones": 99}, plies=(0, 0), depth=2).draw(Draws(1, 0)) is None


def test_the_start_and_the_end_of_the_game() -> None:
    task = Positions(STONES, {"stones": 5}, plies=(0, 0), depth=0).draw(Draws(1, 0))
    assert task
    assert task.title == (
        "Take-Stones (stones 5) at the start: Max moves; search to the end of the game."
    )
    assert task.run.tree.totals.max_depth <= MAX_DEPTH


def test_a_game_may_have_no_parameters() -> None:
    task = Positions(GAMES["isolation"], {}, plies=(0, 0), depth=1).draw(Draws(1, 0))
    assert task
    assert task.title.startswith("Isolation at the start: Max moves")


def test_moves_have_the_names_of_the_game() -> None:
    task = Positions(GAMES["isolation"], {}, plies=(2, 2), depth=1).draw(Draws(1, 0))
    assert task
    assert task.title == "Isolation after (1 7) (6 8): Max moves; search to depth 1."
    assert task.source == "6 47"
    names = [task.run.names.short(node) for node in task.run.tree.nodes[1:]]
    assert all(re.fullmatch(r"\(\d \d\)", name) for name in names)
