"""Extension of tournaments: what was played stays valid, and nothing is missing."""

from dataclasses import replace
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.extension import extend, is_extension
from arena.tournament.plan import Plan
from arena.tournament.round_robin import MatchPair, Scores, Size
from tests.support.cases import loop_over
from tests.support.tournaments.plans import BOTS, PLAN, all_pairings, plans

NEW_BOTS = ["dora", "emil", "fred"]


@st.composite
def extensions(draw: st.DrawFn) -> list[Plan]:
    """Draw a round robin or a gauntlet, and up to three extensions of it in a row."""
    stored = replace(draw(plans(["round-robin", "gauntlet"])), sprt=None)
    found, names = [stored], iter(NEW_BOTS)
    for _ in range(draw(st.integers(1, 3))):
        added = dict.fromkeys(islice(names, draw(st.integers(0, 2))), "random")
        rounds = stored.rounds + draw(st.integers(0, 2))
        given = replace(stored, bots={**stored.bots, **added}, rounds=rounds, former_sizes=())
        found.append(stored := extend(stored, given))
    return found


def match_pairs(plan: Plan, scores: Scores | None = None) -> list[MatchPair | None]:
    return [*plan.match_pairs(scores or {})]


@given(extensions())
def test_pairs_and_openings_of_the_stored_plan_are_kept(grown: list[Plan]) -> None:
    for stored, extended in pairwise(grown):
        before = match_pairs(stored)
        assert match_pairs(extended)[: len(before)] == before
    pairings = all_pairings(grown[0])
    assert all_pairings(grown[-1])[: len(pairings)] == pairings
    assert Plan.from_json(grown[-1].to_json()) == grown[-1]


@given(extensions())
def test_an_extended_tournament_has_the_pairs_of_a_complete_one(grown: list[Plan]) -> None:
    extended = match_pairs(grown[-1])
    complete = match_pairs(replace(grown[-1], former_sizes=()))
    assert [pair and pair.number for pair in extended] == [*range(1, len(complete) + 1)]
    assert 2 * len(complete) == grown[-1].matches
    content = {pair[1:] for pair in extended if pair}
    assert content == {pair[1:] for pair in complete if pair}
    assert len(content) == len(complete)


@given(plans())
def test_an_equal_plan_changes_nothing(plan: Plan) -> None:
    assert extend(plan, plan) == plan
    assert is_extension(plan, plan)


def test_the_size_before_bots_were_added_is_kept() -> None:
    more = extend(PLAN, replace(PLAN, rounds=4))
    assert more.former_sizes == ()
    larger = extend(more, replace(more, bots=BOTS | {"dora": "random"}))
    assert larger.former_sizes == (Size(3, 4),)
    given = replace(larger, rounds=5, former_sizes=())
    assert extend(larger, given).former_sizes == (Size(3, 4),)


@given(st.integers(1, 3), st.data())
def test_rounds_are_added_to_a_swiss(pairs: int, data: st.DataObject) -> None:
    bots = dict.fromkeys("abcdef", "random")
    stored = replace(PLAN, format="swiss", bots=bots, rounds=2, pairs=pairs)
    points = st.sampled_from([(2.0, 0.0), (1.0, 1.0), (0.0, 2.0)])
    scores = {number: data.draw(points) for number in range(1, 6 * pairs + 1)}
    before = match_pairs(stored, scores)
    extended = extend(stored, replace(stored, rounds=3))
    assert [*islice(extended.match_pairs(scores), len(before))] == before


@loop_over(
    "stored, given, error",
    ({}, {"seed": 2}, "--extend changes only bots and rounds; seed: stored 1, given 2"),
    (
        {"settings": {"anna": {"time": "1+0"}}},
        {"settings": {"anna": {"time": "2+0"}}},
        "--extend changes only bots and rounds; settings: stored anna time=1\\+0, given anna",
    ),
    ({}, {"rounds": 1}, "--rounds must be at least 2, not 1"),
    (
        {},
        {"bots": {"dora": "random", **BOTS}},
        "--extend adds bots after the stored ones; bots: stored anna=random, bert=greedy,"
        " carl=spec:1, given dora=random, anna=random, bert=greedy, carl=spec:1",
    ),
    ({}, {"bots": {"anna": "random"}}, "--extend adds bots after the stored ones; bots: s"),
    (
        {"format": "swiss"},
        {"bots": {**BOTS, "dora": "random"}},
        "--extend changes only rounds; bots: stored anna=random",
    ),
    (
        {"format": "knockout"},
        {"pairs": 2},
        "a knockout cannot be extended; pairs: stored 1, given 2",
    ),
)
def test_plans_may_differ(stored: dict[str, object], given: dict[str, object], error: str) -> None:
    first = replace(PLAN, **stored)  # type: ignore[arg-type]
    second = replace(first, **given)  # type: ignore[arg-type]
    assert not is_extension(first, second)
    with pytest.raises(ValueError, match=f"^{error}"):
        extend(first, second)


def test_a_new_bot_may_have_settings() -> None:
    stored = replace(PLAN, settings={"anna": {"time": "1+0"}})
    settings = {"anna": {"time": "1+0"}, "dora": {"dir": "/dora"}}
    bots = {**BOTS, "dora": "random"}
    assert extend(stored, replace(stored, bots=bots, settings=settings)).settings == settings
