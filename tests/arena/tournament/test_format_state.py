"""The first places of finished tournaments."""

from collections import Counter

from arena.model.results import RatedResult, Termination
from arena.ratings import rate
from arena.tournament.encounters import Decision, Encounter
from arena.tournament.format_state import FormatState, final_places, format_state, rating_places
from arena.tournament.plan import Plan
from arena.tournament.standings import standings
from tests.arena.tournament.test_swiss import Scores
from tests.support.cases import loop_over


def plan(bots: str, tournament_format: str, rounds: int = 1) -> Plan:
    specs = dict.fromkeys(bots, "random")
    setups = ({"stones": 7},)
    return Plan("take_stones", specs, setups, "5+0.05", 1, tournament_format, rounds=rounds)


def play(plan: Plan, score: tuple[float, float] | None = None) -> Scores:
    """Return the scores of all pairs: the given one, or else the first name wins."""
    scores: Scores = {}
    for pair in plan.match_pairs(scores):
        assert pair
        one, two = pair.players
        scores[pair.number] = score or ((2.0, 0.0) if one < two else (0.0, 2.0))
    return scores


def test_places_of_a_knockout_with_a_champion_and_a_finalist() -> None:
    cup = plan("dcba", "knockout")
    assert final_places(cup, play(cup)) == [
        (1, "a", "won the final"),
        (2, "b", "lost the final"),
        (3, "d", "lost the semifinal"),
        (3, "c", "lost the semifinal"),
    ]
    cup = plan("ba", "knockout")
    assert [place[:2] for place in final_places(cup, play(cup))] == [(1, "a"), (2, "b")]
    assert final_places(cup, play(cup, (1.0, 1.0)))[0].bot == "b"


def test_places_of_a_swiss() -> None:
    swiss = plan("dcba", "swiss", rounds=2)
    places = final_places(swiss, play(swiss))
    assert places[0] == (1, "a", "4 points")
    assert [place.rank for place in places] == [1, 2, 2]
    swiss = plan("ba", "swiss")
    assert final_places(swiss, play(swiss, (1.0, 1.0))) == [
        (1, "b", "1 point"),
        (1, "a", "1 point"),
    ]
    assert final_places(plan("ab", "round-robin"), {}) == []


@loop_over("tournament_format", ["swiss", "knockout"])
def test_there_are_no_places_before_the_end(tournament_format: str) -> None:
    tournament = plan("dcba", tournament_format)
    scores = play(tournament)
    scores.popitem()
    assert final_places(tournament, scores) == []


def test_the_state_of_a_knockout_has_its_bracket() -> None:
    cup = plan("cba", "knockout")
    state = format_state(cup, play(cup))
    assert state.rounds == [
        [
            Encounter(("c", None), winner="c", decided=Decision.BYE),
            Encounter(("b", "a"), (0.0, 2.0), "a", Decision.PLAYED),
        ],
        [Encounter(("c", "a"), (0.0, 2.0), "a", Decision.PLAYED)],
    ]
    assert (state.points, [place.bot for place in state.places]) == ((), ["a", "c", "b"])


def test_the_state_of_a_swiss_has_the_rounds_that_are_paired_and_the_points() -> None:
    swiss = plan("cba", "swiss", rounds=2)
    assert format_state(swiss, {}).rounds == [
        [
            Encounter(("c", "b")),
            Encounter(("a", None), (2.0, 0.0), "a", Decision.BYE),
        ]
    ]
    state = format_state(swiss, play(swiss))
    assert state.rounds[0][0] == Encounter(("c", "b"), (0.0, 2.0), "b", Decision.PLAYED)
    assert [(line.bot, line.points) for line in state.points] == [("a", 4), ("b", 2), ("c", 2)]
    drawn = format_state(swiss, dict.fromkeys((1, 2), (1.0, 1.0)))
    assert drawn.rounds[0][0] == Encounter(("c", "b"), (1.0, 1.0), None, Decision.PLAYED)


def test_other_formats_have_no_state() -> None:
    assert format_state(plan("ab", "round-robin"), {}) == FormatState()


def test_places_by_rating() -> None:
    tally = Counter(
        RatedResult(one, two, 1, Termination.NO_LEGAL_MOVE) for one, two in ("ab", "ac", "ba", "ca")
    )
    tally[RatedResult("a", "d", 1, Termination.NO_LEGAL_MOVE)] += 9
    ratings = rate(tally)
    places = rating_places(standings(tally, ratings, "abcde"), ratings)
    assert [(rank, bot) for rank, bot, _ in places] == [(1, "a"), (1, "b"), (1, "c")]
    assert {score for *_, score in places} == {f"{ratings.elo['a']:+.0f} Elo"}
