"""Challenges: what may be asked for, who may accept, and what comes of it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.lobby.challenges import LARGEST, LONGEST, MOST_MATCHES, WITHOUT_CLOCK, Challenges, Player
from arena.model.clock import TimeControl
from arena.model.results import Pairing
from arena.protocol.player import Accept, Challenge, Challenged, Error

BOTH = ["take_stones", "isolation"]
ANN, BOB = Player("Ann", BOTH, 1), Player("Bob", BOTH, 1)
SEVEN = Challenge("take_stones", {"stones": 7}, 1)


@pytest.fixture
def challenges() -> Challenges:
    return Challenges({"greedy": BOTH, "perfect": ["take_stones"]})


def against(opponent: str, you: int = 1, time: str | None = None) -> Challenge:
    return Challenge("take_stones", {"stones": 7}, you, opponent, time)


def key(challenges: Challenges, player: Player, message: Challenge = SEVEN) -> str:
    """The id of a challenge that is open now."""
    answer = challenges.receive(player, message)
    assert isinstance(answer, Challenged)
    return answer.challenge


def code(challenges: Challenges, player: Player, message: Challenge | Accept) -> str:
    """The code of the error that a player gets, by which nothing is agreed."""
    before = [*challenges.agreed]
    answer = challenges.receive(player, message)
    assert isinstance(answer, Error)
    assert (answer.match, [*challenges.agreed]) == (None, before)
    assert "\n" not in answer.message
    return answer.code


def text(challenges: Challenges, message: Challenge) -> str:
    """The words with which a challenge of Ann's is refused."""
    answer = challenges.receive(ANN, message)
    assert isinstance(answer, Error)
    assert answer.code == "bad_challenge"
    return answer.message


# What may be asked for


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (Challenge("chess", {}, 1), "game 'chess' is none that you play here: isolation, take_st"),
        (Challenge("x" * 999, {}, 1), f"game '{'x' * LONGEST}' is none that you play"),
        (Challenge("take_stones", {}, 1), "the setup of take_stones has stones, no more and no"),
        (Challenge("take_stones", {"n": 7}, 1), "the setup of take_stones has stones, no more"),
        (Challenge("isolation", {"n": 7}, 1), "the setup of isolation has nothing, no more"),
        (Challenge("take_stones", {"stones": 0}, 1), "stones must be from 1 to 10000, not 0"),
        (
            Challenge("take_stones", {"stones": LARGEST + 1}, 1),
            "stones must be from 1 to 10000, not 10001",
        ),
        (
            Challenge("take_stones", {"stones": 10**999}, 1),
            f"stones must be from 1 to 10000, not 1{'0' * (LONGEST - 1)}",
        ),
        (against("greedy", time="soon"), "time 'soon' is not BASE+INCREMENT, BASE or TIME/move"),
        (against("greedy", time="0"), "time '0' must be above 0 and at most 1000000 seconds"),
        (against("greedy", time="9" * 65), f"time '{'9' * 64}'... is longer than 64 characters"),
        (against("nobody"), "opponent 'nobody' is not offered here: greedy, perfect"),
        (Challenge("isolation", {}, 1, "perfect"), "perfect does not play isolation"),
    ],
)
def test_what_is_refused(challenges: Challenges, message: Challenge, words: str) -> None:
    assert text(challenges, message).startswith(words)


def test_where_no_bots_are_offered() -> None:
    assert text(Challenges({}), against("greedy")).endswith("is not offered here: none")


def test_nobody_asks_for_a_game_that_it_does_not_play(challenges: Challenges) -> None:
    assert code(challenges, ANN._replace(games=["isolation"]), SEVEN) == "bad_challenge"


@pytest.mark.parametrize("stones", [1, LARGEST])
def test_the_least_and_the_largest_setup(challenges: Challenges, stones: int) -> None:
    key(challenges, ANN, Challenge("take_stones", {"stones": stones}, 1))


def test_the_largest_number_is_that_of_the_words() -> None:
    assert (LARGEST, LONGEST) == (10_000, 64)


# An offered bot


@pytest.mark.parametrize(("you", "players"), [(1, ("Ann", "greedy")), (2, ("greedy", "Ann"))])
def test_a_match_with_a_bot(challenges: Challenges, you: int, players: tuple[str, str]) -> None:
    assert challenges.receive(ANN, against("greedy", you, "5+0.05")) is None
    assert [*challenges.agreed] == [
        Pairing(None, players, "take_stones", {"stones": 7}, (), True, "5+0.05")
    ]


def test_without_a_clock(challenges: Challenges) -> None:
    challenges.receive(ANN, against("greedy"))
    assert challenges.agreed[0].time == WITHOUT_CLOCK
    assert TimeControl.parse(WITHOUT_CLOCK) == (86400, 0, True, 0)


def test_times_are_stored_as_the_arena_writes_them(challenges: Challenges) -> None:
    challenges.receive(ANN, against("greedy", time="05."))
    assert challenges.agreed[0].time == "5+0"


# Another player


@pytest.mark.parametrize(("you", "players"), [(1, ("Ann", "Bob")), (2, ("Bob", "Ann"))])
def test_who_accepts_plays(challenges: Challenges, you: int, players: tuple[str, str]) -> None:
    message = Challenge("take_stones", {"stones": 7}, you, time="0.5/move")
    accept = Accept(key(challenges, ANN, message))
    assert challenges.receive(BOB, accept) is None
    assert [*challenges.agreed] == [
        Pairing(None, players, "take_stones", {"stones": 7}, (), True, "0.5/move")
    ]


def test_an_id_fits_into_a_link(challenges: Challenges) -> None:
    assert re.fullmatch(r"[\w-]{8}", key(challenges, ANN), re.ASCII)


def test_ids_are_drawn(challenges: Challenges) -> None:
    assert key(challenges, ANN) != key(challenges, BOB)


def test_what_is_open_is_not_agreed(challenges: Challenges) -> None:
    key(challenges, ANN)
    assert not challenges.agreed


def test_nobody_accepts_twice(challenges: Challenges) -> None:
    accept = Accept(key(challenges, ANN))
    challenges.receive(BOB, accept)
    assert code(challenges, BOB._replace(matches=2), accept) == "unknown_challenge"


def test_what_is_not_open_cannot_be_accepted(challenges: Challenges) -> None:
    answer = challenges.receive(BOB, Accept("x" * 999))
    words = f"challenge '{'x' * LONGEST}' is not open, or not any more"
    assert answer == Error("unknown_challenge", words)


def test_nobody_plays_alone(challenges: Challenges) -> None:
    assert code(challenges, ANN, Accept(key(challenges, ANN))) == "bad_challenge"


def test_nobody_accepts_a_game_that_it_does_not_play(challenges: Challenges) -> None:
    accept = Accept(key(challenges, ANN))
    assert code(challenges, BOB._replace(games=["isolation"]), accept) == "bad_challenge"


# How long a challenge is open


def test_a_new_challenge_replaces_the_one_before(challenges: Challenges) -> None:
    first = key(challenges, ANN)
    assert key(challenges, ANN) != first
    assert code(challenges, BOB, Accept(first)) == "unknown_challenge"


def test_a_bad_challenge_replaces_nothing(challenges: Challenges) -> None:
    first = key(challenges, ANN)
    text(challenges, Challenge("chess", {}, 1))
    assert challenges.receive(BOB, Accept(first)) is None


def test_what_is_withdrawn_is_not_open(challenges: Challenges) -> None:
    first, other = key(challenges, ANN), key(challenges, BOB)
    challenges.withdraw("Ann")
    assert code(challenges, BOB, Accept(first)) == "unknown_challenge"
    assert challenges.receive(ANN, Accept(other)) is None


def test_who_has_found_an_opponent_waits_for_no_other(challenges: Challenges) -> None:
    first, other = key(challenges, ANN), key(challenges, BOB)
    challenges.receive(BOB, Accept(first))
    assert code(challenges, Player("Cid", BOTH, 1), Accept(other)) == "unknown_challenge"


# How many matches at once


@pytest.mark.parametrize("message", [SEVEN, against("greedy")])
def test_nobody_plays_more_than_it_said(challenges: Challenges, message: Challenge) -> None:
    two = ANN._replace(matches=2)
    for _ in range(2):
        challenges.receive(two, against("greedy"))
    assert code(challenges, two, message) == "busy"


def test_who_plays_cannot_accept(challenges: Challenges) -> None:
    accept = Accept(key(challenges, ANN))
    challenges.receive(BOB, against("greedy"))
    assert code(challenges, BOB, accept) == "busy"


def test_after_a_match_comes_another(challenges: Challenges) -> None:
    for _ in range(3):
        assert challenges.receive(ANN, against("greedy")) is None
        challenges.over(challenges.agreed.popleft())


def test_there_is_room_for_so_many_matches(challenges: Challenges) -> None:
    for number in range(MOST_MATCHES):
        challenges.receive(Player(f"{number}", BOTH, 1), against("greedy"))
    assert code(challenges, ANN, against("greedy")) == "arena_full"
    challenges.over(challenges.agreed[0])
    assert challenges.receive(ANN, against("greedy")) is None


NAMES = st.sampled_from("abcd")
STEPS = st.lists(st.tuples(NAMES, st.sampled_from(["ask", "meet", "accept", "leave", "end"])))


@given(STEPS)
def test_whatever_happens_all_is_forgotten_in_the_end(steps: list[tuple[str, str]]) -> None:
    challenges = Challenges({"greedy": BOTH})
    opened = [""]
    for name, step in steps:
        player = Player(name, BOTH, 2)
        if step == "ask" and isinstance(made := challenges.receive(player, SEVEN), Challenged):
            opened.append(made.challenge)
        elif step == "meet":
            challenges.receive(player, against("greedy"))
        elif step == "accept":
            challenges.receive(player, Accept(opened[-1]))
        elif step == "leave":
            challenges.withdraw(name)
        elif challenges.agreed:
            challenges.over(challenges.agreed.popleft())
    for name in "abcd":
        challenges.withdraw(name)
    while challenges.agreed:
        challenges.over(challenges.agreed.popleft())
    assert str(vars(challenges)) == str(vars(Challenges({"greedy": BOTH})))
