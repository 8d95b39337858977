"""Tournament plans for tests."""

from collections.abc import Iterable

from hypothesis import strategies as st

from arena.model.results import Pairing
from arena.tournament.openings import Opening
from arena.tournament.plan import DISTINCT, FORMATS, INDEPENDENT, Plan
from arena.tournament.schedule import Schedule
from arena.tournament.swiss import max_rounds

STATIC_FORMATS = ("round-robin", "gauntlet", "grid")  # formats whose pairs do not depend on scores
BOTS = {"anna": "random", "bert": "greedy", "carl": "spec:1"}
PLAN = Plan(
    game="take_stones",
    bots=BOTS,
    setups=({"stones": 20}, {"stones": 7}),
    time="5+0.05",
    seed=1,
    rounds=2,
    opening_plies=3,
)
BOOK = (Opening({"stones": 20}, (3, 6)), Opening({"stones": 7}, (3,)), Opening({"stones": 9}, ()))


@st.composite
def plans(draw: st.DrawFn, formats: Iterable[str] = FORMATS) -> Plan:
    """Draw a small plan in one of the formats."""
    format_ = draw(st.sampled_from([*formats]))
    bots = draw(st.permutations("abcdef").map(lambda bots: bots[: draw(st.integers(2, 6))]))
    limit = max_rounds(len(bots)) if format_ == "swiss" else 2
    stones = st.integers(1, 30).map(lambda number: {"stones": number})
    return Plan(
        game="take_stones",
        bots={bot: draw(st.sampled_from([bot, "random", "external:" + bot])) for bot in bots},
        setups=tuple(draw(st.lists(stones, min_size=1, max_size=3))),
        time=draw(st.sampled_from(["5+0.05", "1/move margin 0.1"])),
        seed=draw(st.integers()),
        format=format_,
        rounds=draw(st.integers(1, limit)),
        seeds=draw(st.integers(1, len(bots) - 1)),
        pairs=draw(st.integers(1, 3)),
        opening_plies=draw(st.integers(0, 3)),
        book=() if format_ == "grid" else draw(st.sampled_from([(), BOOK])),
        draw=INDEPENDENT if format_ == "grid" else draw(st.sampled_from([DISTINCT, INDEPENDENT])),
        sprt=draw(st.sampled_from([None, "elo0=0 elo1=5", "nelo0=0 nelo1=5"]))
        if format_ == "round-robin"
        else None,
        settings=draw(st.sampled_from([{}, {bots[0]: {"restart": "on", "time": "9+1"}}])),
        grid_plies=draw(st.sampled_from([(0,), (2, 1)])) if format_ == "grid" else (),
    )


def all_pairings(plan: Plan) -> list[Pairing]:
    """Return the pairings of a plan that are known without results."""
    return [*iter(Schedule(plan, []).next_pairing, None)]
