"""Challenges: valid ones, acceptance, and the matches that follow."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.challenges import (
    DEFAULT_TIME_CONTROL,
    MAX_CASUAL_MATCHES,
    MAX_SETUP_VALUE,
    MAX_TEXT_LENGTH,
    CasualPlayer,
    Challenges,
)
from arena.model.results import Pairing
from arena.model.time_control import TimeControl
from arena.protocol.player import Accept, Challenge, Challenged, Error

BOTH = ["take_stones", "isolation"]
ANN, BOB = CasualPlayer("Ann", BOTH, 1), CasualPlayer("Bob", BOTH, 1)
SEVEN = Challenge("take_stones", {"stones": 7}, 1)


@pytest.fixture
def challenges() -> Challenges:
    return Challenges({"greedy": BOTH, "perfect": ["take_stones"]})


def challenge_to(opponent: str, you: int = 1, time: str | None = None) -> Challenge:
    return Challenge("take_stones", {"stones": 7}, you, opponent, time)


def open_challenge(challenges: Challenges, player: CasualPlayer, message: Challenge = SEVEN) -> str:
    """Open a challenge and return its id."""
    reply = challenges.receive(player, message)
    assert isinstance(reply, Challenged)
    return reply.challenge


def error_code(challenges: Challenges, player: CasualPlayer, message: Challenge | Accept) -> str:
    """Return the code of the error reply, after which no match is agreed."""
    before = [*challenges.agreed]
    reply = challenges.receive(player, message)
    assert isinstance(reply, Error)
    assert (reply.match, [*challenges.agreed]) == (None, before)
    assert "\n" not in reply.message
    return reply.code


def error_message(challenges: Challenges, message: Challenge) -> str:
    """Return the message of the error reply to a bad challenge of Ann's."""
    reply = challenges.receive(ANN, message)
    assert isinstance(reply, Error)
    assert reply.code == "bad_challenge"
    return reply.message


# Valid challenges


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (
            Challenge("chess", {}, 1),
            "you do not play game 'chess' here (choose from isolation, take_stones)",
        ),
        (
            Challenge("x" * 999, {}, 1),
            f"you do not play game '{'x' * MAX_TEXT_LENGTH}' here (choose from",
        ),
        (
            Challenge("take_stones", {}, 1),
            "setup parameters of take_stones: expected stones, got none",
        ),
        (
            Challenge("take_stones", {"n": 7}, 1),
            "setup parameters of take_stones: expected stones, got 'n'",
        ),
        (
            Challenge("isolation", {"n": 7}, 1),
            "setup parameters of isolation: expected none, got 'n'",
        ),
        (Challenge("take_stones", {"stones": 0}, 1), "stones must be from 1 to 10000, got 0"),
        (
            Challenge("take_stones", {"stones": MAX_SETUP_VALUE + 1}, 1),
            "stones must be from 1 to 10000, got 10001",
        ),
        (
            Challenge("take_stones", {"stones": 10**999}, 1),
            f"stones must be from 1 to 10000, got 1{'0' * (MAX_TEXT_LENGTH - 1)}",
        ),
        (
            challenge_to("greedy", time="soon"),
            "time 'soon' is not BASE+INCREMENT, BASE or TIME/move",
        ),
        (challenge_to("greedy", time="0"), "time '0' must be above 0 and at most 1000000 seconds"),
        (
            challenge_to("greedy", time="9" * 65),
            f"time control '{'9' * 64}'... is longer than 64 characters",
        ),
        (challenge_to("nobody"), "unknown opponent 'nobody' (choose from greedy, perfect)"),
        (Challenge("isolation", {}, 1, "perfect"), "perfect does not play isolation"),
    ],
)
def test_bad_challenge_is_refused(
    challenges: Challenges, message: Challenge, expected: str
) -> None:
    assert error_message(challenges, message).startswith(expected)


def test_opponent_is_unknown_without_house_bots() -> None:
    assert error_message(Challenges({}), challenge_to("greedy")).endswith(
        "unknown opponent 'greedy' (choose from none)"
    )


def test_challenger_must_play_the_game(challenges: Challenges) -> None:
    assert error_code(challenges, ANN._replace(games=["isolation"]), SEVEN) == "bad_challenge"


@pytest.mark.parametrize("stones", [1, MAX_SETUP_VALUE])
def test_smallest_and_largest_setup_are_valid(challenges: Challenges, stones: int) -> None:
    open_challenge(challenges, ANN, Challenge("take_stones", {"stones": stones}, 1))


def test_limits_are_those_of_the_messages() -> None:
    assert (MAX_SETUP_VALUE, MAX_TEXT_LENGTH) == (10_000, 64)


# House bots


@pytest.mark.parametrize(("you", "players"), [(1, ("Ann", "greedy")), (2, ("greedy", "Ann"))])
def test_challenge_to_a_house_bot_is_agreed(
    challenges: Challenges, you: int, players: tuple[str, str]
) -> None:
    assert challenges.receive(ANN, challenge_to("greedy", you, "5+0.05")) is None
    assert [*challenges.agreed] == [
        Pairing(None, players, "take_stones", {"stones": 7}, (), True, "5+0.05")
    ]


def test_default_time_control_is_one_day_for_each_move(challenges: Challenges) -> None:
    challenges.receive(ANN, challenge_to("greedy"))
    assert challenges.agreed[0].time == DEFAULT_TIME_CONTROL
    assert TimeControl.parse(DEFAULT_TIME_CONTROL) == (86400, 0, True, 0)


def test_time_control_is_normalized(challenges: Challenges) -> None:
    challenges.receive(ANN, challenge_to("greedy", time="05."))
    assert challenges.agreed[0].time == "5+0"


# Other players


@pytest.mark.parametrize(("you", "players"), [(1, ("Ann", "Bob")), (2, ("Bob", "Ann"))])
def test_accepted_challenge_is_agreed(
    challenges: Challenges, you: int, players: tuple[str, str]
) -> None:
    message = Challenge("take_stones", {"stones": 7}, you, time="0.5/move")
    accept = Accept(open_challenge(challenges, ANN, message))
    assert challenges.receive(BOB, accept) is None
    assert [*challenges.agreed] == [
        Pairing(None, players, "take_stones", {"stones": 7}, (), True, "0.5/move")
    ]


def test_id_fits_into_a_link(challenges: Challenges) -> None:
    assert re.fullmatch(r"[\w-]{8}", open_challenge(challenges, ANN), re.ASCII)


def test_ids_differ(challenges: Challenges) -> None:
    assert open_challenge(challenges, ANN) != open_challenge(challenges, BOB)


def test_open_challenge_is_not_agreed(challenges: Challenges) -> None:
    open_challenge(challenges, ANN)
    assert not challenges.agreed


def test_challenge_is_accepted_once(challenges: Challenges) -> None:
    accept = Accept(open_challenge(challenges, ANN))
    challenges.receive(BOB, accept)
    assert error_code(challenges, BOB._replace(matches=2), accept) == "unknown_challenge"


def test_unknown_challenge_is_refused(challenges: Challenges) -> None:
    reply = challenges.receive(BOB, Accept("x" * 999))
    message = f"challenge '{'x' * MAX_TEXT_LENGTH}' is not open"
    assert reply == Error("unknown_challenge", message)


def test_own_challenge_cannot_be_accepted(challenges: Challenges) -> None:
    assert error_code(challenges, ANN, Accept(open_challenge(challenges, ANN))) == "bad_challenge"


def test_accepting_player_must_play_the_game(challenges: Challenges) -> None:
    accept = Accept(open_challenge(challenges, ANN))
    assert error_code(challenges, BOB._replace(games=["isolation"]), accept) == "bad_challenge"


# End of a challenge


def test_new_challenge_replaces_the_previous_one(challenges: Challenges) -> None:
    first = open_challenge(challenges, ANN)
    assert open_challenge(challenges, ANN) != first
    assert error_code(challenges, BOB, Accept(first)) == "unknown_challenge"


def test_bad_challenge_replaces_nothing(challenges: Challenges) -> None:
    first = open_challenge(challenges, ANN)
    error_message(challenges, Challenge("chess", {}, 1))
    assert challenges.receive(BOB, Accept(first)) is None


def test_withdrawn_challenge_is_not_open(challenges: Challenges) -> None:
    first, other = open_challenge(challenges, ANN), open_challenge(challenges, BOB)
    challenges.withdraw("Ann")
    assert error_code(challenges, BOB, Accept(first)) == "unknown_challenge"
    assert challenges.receive(ANN, Accept(other)) is None


def test_agreed_match_withdraws_open_challenges(challenges: Challenges) -> None:
    first, other = open_challenge(challenges, ANN), open_challenge(challenges, BOB)
    challenges.receive(BOB, Accept(first))
    assert (
        error_code(challenges, CasualPlayer("Cid", BOTH, 1), Accept(other)) == "unknown_challenge"
    )


# Limits on simultaneous matches


@pytest.mark.parametrize("message", [SEVEN, challenge_to("greedy")])
def test_player_at_its_limit_is_busy(challenges: Challenges, message: Challenge) -> None:
    two = ANN._replace(matches=2)
    for _ in range(2):
        challenges.receive(two, challenge_to("greedy"))
    assert error_code(challenges, two, message) == "busy"


def test_player_at_its_limit_cannot_accept(challenges: Challenges) -> None:
    accept = Accept(open_challenge(challenges, ANN))
    challenges.receive(BOB, challenge_to("greedy"))
    assert error_code(challenges, BOB, accept) == "busy"


def test_finished_match_makes_room(challenges: Challenges) -> None:
    for _ in range(3):
        assert challenges.receive(ANN, challenge_to("greedy")) is None
        challenges.finish(challenges.agreed.popleft())


def test_arena_is_full_at_its_limit(challenges: Challenges) -> None:
    for number in range(MAX_CASUAL_MATCHES):
        challenges.receive(CasualPlayer(f"{number}", BOTH, 1), challenge_to("greedy"))
    assert error_code(challenges, ANN, challenge_to("greedy")) == "arena_full"
    challenges.finish(challenges.agreed[0])
    assert challenges.receive(ANN, challenge_to("greedy")) is None


NAMES = st.sampled_from("abcd")
STEPS = st.lists(
    st.tuples(NAMES, st.sampled_from(["open", "challenge_bot", "accept", "withdraw", "finish"]))
)


@given(STEPS)
def test_no_state_remains_after_any_sequence(steps: list[tuple[str, str]]) -> None:
    challenges = Challenges({"greedy": BOTH})
    ids = [""]
    for name, step in steps:
        player = CasualPlayer(name, BOTH, 2)
        if step == "open" and isinstance(reply := challenges.receive(player, SEVEN), Challenged):
            ids.append(reply.challenge)
        elif step == "challenge_bot":
            challenges.receive(player, challenge_to("greedy"))
        elif step == "accept":
            challenges.receive(player, Accept(ids[-1]))
        elif step == "withdraw":
            challenges.withdraw(name)
        elif challenges.agreed:
            challenges.finish(challenges.agreed.popleft())
    for name in "abcd":
        challenges.withdraw(name)
    while challenges.agreed:
        challenges.finish(challenges.agreed.popleft())
    assert str(vars(challenges)) == str(vars(Challenges({"greedy": BOTH})))
