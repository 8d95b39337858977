"""Searches shown step by step, against the traces and the searches themselves."""

import math
from itertools import count
from time import monotonic
from typing import Any

import pytest

from arena.analysis import traced_search
from arena.analysis.position import MAX_SIZE, TooLarge
from arena.analysis.traced_search import explain, trace
from arena.protocol.codec import encode
from arena.protocol.positions import (
    MAX_STEPS,
    ExplainedSteps,
    ExplainSteps,
    SearchStart,
    Trace,
    TracedSearch,
)
from arena.teaching import VARIANTS, Names, pseudocode, steps
from arena.teaching import trace as trace_events
from arena.teaching.events import Cutoff, Enter, Generate, Update
from arena.teaching.notation import parse_tree
from arena.teaching.space import PositionSpace
from core import GAMES
from core.game import Position
from core.search import search
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT

TREE = "((5 9 7) (4 6 8) (2 11 3))"
LARGE = SearchStart("take_stones", {"stones": 200}, depth=9)


def traced(start: SearchStart, seconds: float = TEST_TIMEOUT) -> TracedSearch:
    return trace(Trace(3, start), seconds, monotonic)


def explained(start: SearchStart, first: int, number: int) -> ExplainedSteps:
    return explain(ExplainSteps(4, start, first, number), TEST_TIMEOUT, monotonic)


@loop_over("variant", VARIANTS)
def test_steps_of_a_tree_are_those_of_its_trace(variant: str) -> None:
    tree, known = parse_tree(TREE), VARIANTS[variant]
    found = traced(SearchStart(tree=TREE, variant=variant))
    events = [*trace_events(tree, variant=known)]
    assert [step[1] for step in found.steps] == [event[0] for event in events]  # the node
    assert [kind(found, step) for step in found.steps] == [
        type(event).__name__.lower() for event in events
    ]
    assert found.stopped is None
    assert found.minimax
    assert (found.minimax.nodes_visited, found.minimax.nodes_evaluated) == (13, 9)
    assert (found.root, found.is_max, found.totals.value) == ("A", True, found.minimax.value)


def kind(found: TracedSearch, step: Any) -> str:
    return str(found.kinds[step[0]].kind)


def test_steps_have_the_values_of_the_events() -> None:
    found = traced(SearchStart(tree=TREE))
    for event, step in zip(trace_events(parse_tree(TREE)), found.steps, strict=True):
        values = step[2:]
        match event:
            case Enter(alpha=alpha, beta=beta):
                assert values == (finite(alpha), finite(beta))
            case Generate(moves=moves, first=first, value=value):
                assert values == (first, finite(value), moves)
            case Update(child=child, value=value, alpha=alpha, beta=beta):
                assert values == (child, value, finite(alpha), finite(beta))
            case Cutoff(bound=bound):
                assert values == (bound,)
            case _:
                assert values == (event.value,)  # type: ignore[union-attr]


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def test_an_equal_position_names_the_earlier_one() -> None:
    start = SearchStart("take_stones", {"stones": 12}, depth=5, variant="transpositions")
    found = traced(start)
    reused: list[Any] = [step for step in found.steps if kind(found, step) == "reuse"]
    assert reused
    for _, node, earlier, _, bound in reused:
        assert earlier < node
        assert bound in {"exact", "at least", "at most"}


@loop_over("moves", [[], [3, 1, 6]])
def test_totals_are_those_of_the_search(moves: list[int]) -> None:
    found = traced(SearchStart("take_stones", {"stones": 20}, moves, depth=4))
    result = search(Board(20, moves), 4)
    totals = found.totals
    assert (totals.move, totals.value) == (result.move, result.value)
    assert totals.nodes_visited == result.nodes_visited
    assert totals.nodes_evaluated == result.nodes_evaluated
    assert (totals.max_depth, totals.branching_factor) == (
        result.max_depth,
        result.branching_factor,
    )
    assert found.is_max == (len(moves) % 2 == 0)


def test_steps_name_their_lines_of_pseudocode() -> None:
    found = traced(SearchStart(tree=TREE))
    tree = parse_tree(TREE)
    expected = steps(trace_events(tree), VARIANTS["alpha-beta"], Names.of(tree))
    lines = [[number - 1 for number in step.lines] for step in expected]
    assert [[*found.kinds[int(str(step[0]))].lines] for step in found.steps] == lines
    texts = [line.text for line in pseudocode(VARIANTS["alpha-beta"]).lines]
    assert [text for _, text in found.pseudocode] == texts


def test_answers_and_words_stay_below_the_limit_of_a_connection() -> None:
    found = traced(LARGE, seconds=1)
    assert found.stopped
    assert len(encode(found)) < 1024**2
    assert found.totals.nodes_visited == sum(kind(found, step) == "enter" for step in found.steps)
    assert found.minimax is None
    root = "L" * 10_000  # a name in each sentence about the root
    answer = explained(SearchStart(tree=f"{root}({'1 ' * 490})"), 0, MAX_STEPS)
    assert traced_search.MAX_SIZE - 2 * len(root) < len(encode(answer)) < 1024**2
    assert 0 < len(answer.texts) < MAX_STEPS


@loop_over(("limit", "stopped"), [("MAX_STEPS", "steps"), ("MAX_SIZE", "size")])
def test_limits_cut_the_steps(limit: str, stopped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = traced(SearchStart(tree=TREE))
    monkeypatch.setattr(traced_search, limit, 20)
    found = traced(SearchStart(tree=TREE))
    assert found.stopped == stopped
    assert 0 < len(found.steps) <= 20
    assert [*found.steps] == [*whole.steps[: len(found.steps)]]
    assert found.minimax == whole.minimax


def test_time_cuts_steps_and_words() -> None:
    ticks = count()
    found = trace(Trace(3, LARGE), 50, lambda: next(ticks))
    assert found.stopped == "seconds"
    assert found.totals.nodes_visited == 31  # the root, and a node for each tick until 0.6 * 50
    assert found.minimax is None
    answer = explain(ExplainSteps(4, LARGE, 0, MAX_STEPS), 20, lambda: next(ticks))
    assert 0 < len(answer.texts) < MAX_STEPS


def test_steps_are_explained_in_words() -> None:
    start, tree = SearchStart(tree=TREE), parse_tree(TREE)
    expected = [
        step.words for step in steps(trace_events(tree), VARIANTS["alpha-beta"], Names.of(tree))
    ]
    answer = explained(start, 20, 6)
    assert (answer.request, answer.first) == (4, 20)
    assert [*answer.texts] == expected[20:26]
    assert [*explained(start, 30, MAX_STEPS).texts] == expected[30:]
    assert [*explained(start, 10_000, 1).texts] == []


def test_moves_of_a_game_are_in_braces() -> None:
    start = SearchStart("isolation", {}, [7, 56], depth=1)
    assert "has 18 children: {1}, {2}," in explained(start, 1, 1).texts[0]
    assert "{1} has the value " in explained(start, 3, 1).texts[0]


@loop_over(
    "start, message",
    (SearchStart(), "expected a game or a tree, and not both"),
    (SearchStart("isolation", tree=TREE), "expected a game or a tree, and not both"),
    (SearchStart("chess"), "unknown game 'chess'"),
    (SearchStart("take_stones", {"stones": 7}, [3, 5]), "illegal move 2"),
    (SearchStart("take_stones", {"stones": 7}, [3, 6, 2, 4, 1, 5]), "the game is over"),
    (SearchStart(tree="((1 2"), "line 1, column"),
    (SearchStart(tree="(" * 12_000), "the tree is deeper than 1,000 plies"),
    (SearchStart(tree=TREE, variant="Astar"), "unknown variant 'Astar' (choose from alpha-"),
)
def test_invalid_searches_are_refused_with_one_line(start: SearchStart, message: str) -> None:
    for answer in (traced, lambda start: explained(start, 0, 1)):
        with pytest.raises(ValueError, match=r"^[^\n]*$") as caught:
            answer(start)
        assert message in str(caught.value)


def test_large_positions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="too large to be searched here"):
        traced(SearchStart("take_stones", {"stones": MAX_SIZE}, [1], depth=1))
    start = SearchStart("take_stones", {"stones": 20}, depth=4, variant="best-first")
    monkeypatch.setattr("arena.teaching.minimax.MAX_POSITIONS", 5)
    for answer in (traced, lambda start: explained(start, 0, 9)):
        with pytest.raises(TooLarge, match="more than 5 different positions"):
            answer(start)


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PositionSpace, "key", out_of_memory)  # of the positions that it keeps
    found = traced(SearchStart("take_stones", {"stones": 10}, depth=2))
    assert (found.minimax, found.stopped) == (None, None)
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        traced(SearchStart("take_stones", {"stones": 10}, depth=2, variant="transpositions"))
    vast = GAMES["take_stones"]._replace(study=out_of_memory)
    monkeypatch.setitem(GAMES, "vast", vast)
    with pytest.raises(ValueError, match="too large for this machine's memory"):
        traced(SearchStart("vast", {"stones": 7}))


def out_of_memory(*_: object, **setup: int) -> Position:
    raise MemoryError(setup)
