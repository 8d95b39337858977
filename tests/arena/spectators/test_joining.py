"""Answers for people who are about to play."""

import pytest

from arena.lobby.challenges import CasualPlayer, Challenges
from arena.protocol.codec import RequestError
from arena.protocol.player import Challenge, Challenged
from arena.protocol.spectator import ChallengeInfo, CheckName, FindChallenge, NameCheck
from arena.spectators.joining import check_name, find_challenge
from tests.support.cases import loop_over

ANN = CasualPlayer("Ann", ["take_stones"], 1, "127.0.0.1")


@loop_over(
    "name, expected, problem",
    ("\uff21nn ", "Ann", None),
    ("x" * 60_000, "x" * 1000, "expected 1 to 64 characters, got 1000"),
    ("a\u2800", "a\u2800", "the name has an invisible character, U+2800"),
)
def test_a_name_is_checked_in_its_closest_spelling(
    name: str, expected: str, problem: str | None
) -> None:
    assert check_name(CheckName(1, name)) == NameCheck(1, expected, problem)


def test_an_open_challenge_is_found() -> None:
    challenges = Challenges({})
    setup = {"stones": 20}
    answer = challenges.receive(
        ANN, Challenge("take_stones", setup, 2, time="180+2", moves=(3,), hints=True)
    )
    assert isinstance(answer, Challenged)
    info = ChallengeInfo(5, "Ann", "take_stones", setup, 2, "180+2", (3,), True)
    assert find_challenge(FindChallenge(5, answer.challenge), challenges) == info


@loop_over(
    "challenges, problem",
    [(None, "this arena has no challenges"), (Challenges({}), "challenge 'x' is not open")],
)
def test_other_challenges_are_unknown(challenges: Challenges | None, problem: str) -> None:
    with pytest.raises(RequestError, match=problem):
        find_challenge(FindChallenge(1, "x"), challenges)
