"""Answers for people who are about to play. They need no worker, as they are known at once."""

from arena.lobby.challenges import Challenges
from arena.protocol.codec import RequestError
from arena.protocol.names import closest_name, name_problem
from arena.protocol.spectator import ChallengeInfo, CheckName, FindChallenge, NameCheck

LONGEST_NAME = 1000  # characters that are looked at; the normal form of many takes long


def check_name(question: CheckName) -> NameCheck:
    """Return the closest spelling of a name that is valid, or why it is not."""
    name = closest_name(question.name[:LONGEST_NAME])
    return NameCheck(question.request, name, name_problem(name))


def find_challenge(question: FindChallenge, challenges: Challenges | None) -> ChallengeInfo:
    """Return what an open challenge offers.

    Args:
        question: Names the challenge.
        challenges: All challenges; None if casual players are not accepted.

    Raises:
        RequestError: The challenge is not open.
    """
    if challenges is None:
        raise RequestError("unknown_challenge", "this arena has no challenges")
    player, challenge, time = challenges.find(question.challenge)
    offer = challenge.game, challenge.setup, challenge.you, time
    opening = challenge.moves, challenge.hints
    return ChallengeInfo(question.request, player.name, *offer, *opening)
