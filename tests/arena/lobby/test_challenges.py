"""Challenges: valid ones, acceptance, and the matches that follow."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.lobby.challenges import (
    DEFAULT_TIME_CONTROL,
    MAX_CASUAL_MATCHES,
    MAX_MATCHES_PER_ADDRESS,
    MAX_MATCHES_PER_PLAYER,
    MAX_SETUP_VALUE,
    MAX_TEXT_LENGTH,
    AgreedMatch,
    CasualPlayer,
    Challenges,
)
from arena.model.results import Pairing
from arena.model.time_control import TimeControl
from arena.protocol.player import Accept, Challenge, Challenged, Error
from tests.support.cases import loop_over

BOTH = ["take_stones", "isolation"]
HERE = "192.0.2.1"


def casual_player(name: str, matches: int = 1, address: str | None = None) -> CasualPlayer:
    """Return a casual player, by default at an address of its own."""
    return CasualPlayer(name, BOTH, matches, f"{name}'s" if address is None else address)


ANN, BOB = casual_player("Ann"), casual_player("Bob")
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


@loop_over(
    "message, expected",
    (
        Challenge("chess", {}, 1),
        "you do not play game 'chess' here (choose from isolation, take_stones)",
    ),
    (
        Challenge("x" * 999, {}, 1),
        f"you do not play game '{'x' * MAX_TEXT_LENGTH}' here (choose from",
    ),
    (Challenge("take_stones", {}, 1), "setup parameters of take_stones: expected stones, got none"),
    (
        Challenge("take_stones", {"n": 7}, 1),
        "setup parameters of take_stones: expected stones, got 'n'",
    ),
    (Challenge("take_stones", {"stones": 0}, 1), "stones must be from 1 to 1000, got 0"),
    (
        Challenge("take_stones", {"stones": MAX_SETUP_VALUE + 1}, 1),
        "stones must be from 1 to 1000, got 1001",
    ),
    (
        Challenge("take_stones", {"stones": 10**999}, 1),
        f"stones must be from 1 to 1000, got 1{'0' * (MAX_TEXT_LENGTH - 1)}",
    ),
    (
        Challenge("take_stones", {"stones": 2}, 1),
        "stones 2: player 1 cannot move at the start of take_stones",
    ),
    (challenge_to("greedy", time="soon"), "time 'soon' is not BASE+INCREMENT, BASE or TIME/move"),
    (challenge_to("greedy", time="0"), "time '0' must be above 0 and at most 1000000 seconds"),
    (
        challenge_to("greedy", time="9" * 65),
        f"time control '{'9' * 64}'... is longer than 64 characters",
    ),
    (challenge_to("nobody"), "unknown opponent 'nobody' (choose from greedy, perfect)"),
    (Challenge("isolation", {"size": 9}, 1), "size must be from 3 to 8, got 9"),
    (Challenge("isolation", {}, 1, "perfect"), "perfect does not play isolation"),
    (replace(SEVEN, moves=(10**99,)), "moves: illegal move 1: "),
    (replace(SEVEN, moves=(3, 6, 2, 4, 1, 5)), "moves: the game is over after 6 moves"),
)
def test_bad_challenge_is_refused(
    challenges: Challenges, message: Challenge, expected: str
) -> None:
    assert error_message(challenges, message).startswith(expected)


@pytest.mark.parametrize(("given", "size"), [({}, 8), ({"size": 5}, 5)])
def test_a_parameter_may_have_a_default(
    challenges: Challenges, given: dict[str, int], size: int
) -> None:
    assert challenges.receive(ANN, Challenge("isolation", given, 1, "greedy")) is None
    assert challenges.agreed[0].pairing.setup == {"size": size}


def test_a_match_has_the_moves_and_the_hints_of_its_challenge(challenges: Challenges) -> None:
    message = replace(challenge_to("greedy", 2), moves=(3, 6), hints=True)
    assert challenges.receive(ANN, message) is None
    pairing = challenges.agreed[0].pairing
    assert (pairing.opening, pairing.hints) == ((3, 6), True)


def test_opponent_is_unknown_without_house_bots() -> None:
    assert error_message(Challenges({}), challenge_to("greedy")).endswith(
        "unknown opponent 'greedy' (choose from none)"
    )


@pytest.mark.parametrize("stones", [3, 1000])
def test_smallest_and_largest_setup_are_valid(challenges: Challenges, stones: int) -> None:
    open_challenge(challenges, ANN, Challenge("take_stones", {"stones": stones}, 1))


# Rematches


def rematch(opponent: str, you: int = 2) -> Challenge:
    return replace(SEVEN, you=you, opponent=opponent)


def finish_match(challenges: Challenges, one: CasualPlayer, two: CasualPlayer) -> None:
    """Let two people agree on a match and finish it."""
    assert challenges.receive(two, Accept(open_challenge(challenges, one))) is None
    challenges.finish(challenges.agreed.popleft())


def test_a_rematch_is_for_the_last_opponent_alone(challenges: Challenges) -> None:
    finish_match(challenges, ANN, BOB)
    assert error_code(challenges, ANN, rematch("Eve")) == "bad_challenge"
    key = open_challenge(challenges, ANN, rematch("Bob"))
    assert error_code(challenges, casual_player("Eve"), Accept(key)) == "bad_challenge"
    assert challenges.receive(BOB, Accept(key)) is None
    assert challenges.agreed[0].pairing.players == ("Bob", "Ann")


def test_both_may_ask_for_a_rematch(challenges: Challenges) -> None:
    finish_match(challenges, ANN, BOB)
    open_challenge(challenges, ANN, rematch("Bob"))
    assert challenges.receive(BOB, rematch("Ann", 1)) is None
    assert len(challenges.agreed) == 1


def test_few_last_opponents_are_remembered(
    challenges: Challenges, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.lobby.challenges.MAX_REMATCHES", 2)
    finish_match(challenges, ANN, BOB)
    finish_match(challenges, ANN, casual_player("Eve"))
    assert error_code(challenges, BOB, rematch("Ann")) == "bad_challenge"
    open_challenge(challenges, ANN, rematch("Eve"))


# House bots


@pytest.mark.parametrize(
    ("you", "players", "time", "agreed"),
    [
        (1, ("Ann", "greedy"), "5+0.05", "5+0.05"),
        (2, ("greedy", "Ann"), "05.", "5+0"),
        (1, ("Ann", "greedy"), None, DEFAULT_TIME_CONTROL),
    ],
)
def test_challenge_to_a_house_bot_is_agreed(
    challenges: Challenges, you: int, players: tuple[str, str], time: str | None, agreed: str
) -> None:
    assert challenges.receive(ANN, challenge_to("greedy", you, time)) is None
    pairing = Pairing(None, players, "take_stones", {"stones": 7}, (), True, agreed)
    assert [*challenges.agreed] == [AgreedMatch(pairing, frozenset([ANN.address]))]
    assert TimeControl.parse(DEFAULT_TIME_CONTROL) == TimeControl(3600, per_move=True)


@pytest.mark.parametrize(
    ("time", "is_accepted"),
    [
        *((time, True) for time in ("3600/move", "3600+60", "3500 margin 100")),
        *((time, False) for time in ("3600.1/move", "3601", "1 margin 3600", "60+60.1")),
        *((time, False) for time in ("60/move margin 1000000", "unlimited", "1000 nodes")),
    ],
)
def test_idle_match_ends_within_an_hour(
    challenges: Challenges, time: str, is_accepted: bool
) -> None:
    message = challenge_to("greedy", time=time)
    if is_accepted:
        assert challenges.receive(ANN, message) is None
    else:
        expected = f"time '{time}' must be at most 3600 seconds, with an increment of at most 60"
        assert error_message(challenges, message) == expected


# Other players


@pytest.mark.parametrize(("you", "players"), [(1, ("Ann", "Bob")), (2, ("Bob", "Ann"))])
def test_accepted_challenge_is_agreed(
    challenges: Challenges, you: int, players: tuple[str, str]
) -> None:
    message = Challenge("take_stones", {"stones": 7}, you, time="0.5/move")
    accept = Accept(open_challenge(challenges, ANN, message))
    assert challenges.receive(BOB, accept) is None
    assert [*challenges.agreed] == [
        AgreedMatch(
            Pairing(None, players, "take_stones", {"stones": 7}, (), True, "0.5/move"),
            frozenset([ANN.address, BOB.address]),
        )
    ]


def test_ids_differ_and_fit_into_a_link(challenges: Challenges) -> None:
    ids = [open_challenge(challenges, player) for player in (ANN, BOB)]
    assert ids[0] != ids[1]
    assert all(re.fullmatch(r"[\w-]{8}", id_, re.ASCII) for id_ in ids)
    assert not challenges.agreed


def test_challenge_is_accepted_once(challenges: Challenges) -> None:
    accept = Accept(open_challenge(challenges, ANN))
    challenges.receive(BOB, accept)
    assert error_code(challenges, BOB._replace(matches=2), accept) == "unknown_challenge"
    message = f"challenge '{'x' * 64}' is not open"
    reply = challenges.receive(BOB, Accept("x" * 999))
    assert reply == Error("unknown_challenge", message)


def test_both_players_must_play_the_game(challenges: Challenges) -> None:
    ann, bob = ANN._replace(games=["isolation"]), BOB._replace(games=["isolation"])
    assert error_code(challenges, ann, SEVEN) == "bad_challenge"
    accept = Accept(open_challenge(challenges, ANN))
    assert error_code(challenges, bob, accept) == "bad_challenge"
    assert error_code(challenges, ANN, accept) == "bad_challenge"  # its own


# End of a challenge


def test_only_a_valid_new_challenge_replaces_the_previous_one(challenges: Challenges) -> None:
    first = open_challenge(challenges, ANN)
    second = open_challenge(challenges, ANN)
    assert first != second
    assert error_code(challenges, BOB, Accept(first)) == "unknown_challenge"
    error_message(challenges, Challenge("chess", {}, 1))
    assert challenges.receive(BOB, Accept(second)) is None


def test_withdrawn_challenge_is_not_open(challenges: Challenges) -> None:
    first, other = open_challenge(challenges, ANN), open_challenge(challenges, BOB)
    challenges.withdraw("Ann")
    assert error_code(challenges, BOB, Accept(first)) == "unknown_challenge"
    assert challenges.receive(ANN, Accept(other)) is None


def test_agreed_match_withdraws_open_challenges(challenges: Challenges) -> None:
    first, other = open_challenge(challenges, ANN), open_challenge(challenges, BOB)
    challenges.receive(BOB, Accept(first))
    assert error_code(challenges, casual_player("Cid"), Accept(other)) == "unknown_challenge"


# Limits on simultaneous matches


def test_player_at_its_limit_is_busy(challenges: Challenges) -> None:
    accept = Accept(open_challenge(challenges, ANN))
    challenges.receive(BOB, challenge_to("greedy"))
    assert error_code(challenges, BOB, accept) == "busy"
    two = casual_player("Cid")._replace(matches=2)
    for _ in range(2):
        challenges.receive(two, challenge_to("greedy"))
    for message in (SEVEN, challenge_to("greedy")):
        assert error_code(challenges, two, message) == "busy"


def test_finished_match_makes_room(challenges: Challenges) -> None:
    for _ in range(3):
        assert challenges.receive(ANN, challenge_to("greedy")) is None
        challenges.finish(challenges.agreed.popleft())


def test_arena_is_full_at_its_limit(challenges: Challenges) -> None:
    for number in range(MAX_CASUAL_MATCHES):
        challenges.receive(casual_player(f"{number}"), challenge_to("greedy"))
    assert error_code(challenges, ANN, challenge_to("greedy")) == "arena_full"
    challenges.finish(challenges.agreed[0])
    assert challenges.receive(ANN, challenge_to("greedy")) is None


# Limits of a player and of an address


def test_hello_does_not_raise_the_limit_of_a_player(challenges: Challenges) -> None:
    greedy_player = ANN._replace(matches=1000)
    for _ in range(MAX_MATCHES_PER_PLAYER):
        assert challenges.receive(greedy_player, challenge_to("greedy")) is None
    assert challenges.receive(greedy_player, challenge_to("greedy")) == Error(
        "busy", "too many matches at once: 8 (your limit: 8)"
    )


ADDRESS_FULL = Error(
    "busy", "too many matches and open challenges at once from your address (its limit: 25)"
)


def fill_address(challenges: Challenges, count: int) -> None:
    """Let players at one address start `count` matches against a house bot."""
    for number in range(count):
        player = casual_player(f"{number}", address=HERE)
        assert challenges.receive(player, challenge_to("greedy")) is None


@pytest.mark.parametrize("message", [SEVEN, challenge_to("greedy")])
def test_matches_from_an_address_are_limited(challenges: Challenges, message: Challenge) -> None:
    accept = Accept(open_challenge(challenges, BOB))
    fill_address(challenges, MAX_MATCHES_PER_ADDRESS)
    here = ANN._replace(address=HERE)
    assert challenges.receive(here, message) == ADDRESS_FULL
    assert challenges.receive(here, accept) == ADDRESS_FULL
    assert not isinstance(challenges.receive(ANN, message), Error)


def test_open_challenges_count_for_an_address(challenges: Challenges) -> None:
    for number in range(MAX_MATCHES_PER_ADDRESS):
        open_challenge(challenges, casual_player(f"{number}", address=HERE))
    assert challenges.receive(ANN._replace(address=HERE), SEVEN) == ADDRESS_FULL
    open_challenge(challenges, casual_player("0", address=HERE))  # replaces the one before
    challenges.withdraw("0")
    assert isinstance(challenges.receive(ANN._replace(address=HERE), SEVEN), Challenged)


def test_match_of_two_players_at_one_address_counts_once(challenges: Challenges) -> None:
    fill_address(challenges, MAX_MATCHES_PER_ADDRESS - 1)
    accept = Accept(open_challenge(challenges, ANN._replace(address=HERE)))
    assert challenges.receive(BOB._replace(address=HERE), accept) is None


def test_match_counts_for_the_addresses_of_both_players(challenges: Challenges) -> None:
    challenges.receive(BOB, Accept(open_challenge(challenges, ANN._replace(address=HERE))))
    fill_address(challenges, MAX_MATCHES_PER_ADDRESS - 1)
    cid = casual_player("Cid", address=HERE)
    assert challenges.receive(cid, challenge_to("greedy")) == ADDRESS_FULL
    challenges.finish(challenges.agreed.popleft())
    assert challenges.receive(cid, challenge_to("greedy")) is None


def test_full_address_leaves_room_for_others(challenges: Challenges) -> None:
    fill_address(challenges, MAX_MATCHES_PER_ADDRESS)
    for number in range(100, 100 + MAX_CASUAL_MATCHES - MAX_MATCHES_PER_ADDRESS):
        assert challenges.receive(casual_player(f"{number}"), challenge_to("greedy")) is None


NAMES = st.sampled_from("abcd")
STEPS = st.lists(
    st.tuples(NAMES, st.sampled_from(["open", "challenge_bot", "accept", "withdraw", "finish"]))
)


@given(STEPS)
def test_no_state_remains_after_any_sequence(steps: list[tuple[str, str]]) -> None:
    challenges = Challenges({"greedy": BOTH})
    ids = [""]
    for name, step in steps:
        player = casual_player(name, 2, address=HERE if name in "ab" else "")
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
    fresh = {**vars(Challenges({"greedy": BOTH})), "_opponents": vars(challenges)["_opponents"]}
    assert str(vars(challenges)) == str(fresh)
