"""Validation of the hello."""

import pytest

from arena.protocol.codec import RequestError
from arena.protocol.player import PROTOCOL_VERSION, FromBot, Hello, Resign
from arena.server.handshake import check_hello
from tests.support.cases import loop_over

GAMES = ["take_stones", "isolation"]


@loop_over(
    "message, code, text",
    (Resign("1"), "expected_hello", "the first message must be hello"),
    (Hello(7, "x", GAMES), "unknown_protocol", "unsupported protocol version 7 (supported: 1)"),
    (
        Hello(PROTOCOL_VERSION, "x", []),
        "unknown_game",
        "this arena plays take_stones, isolation",
    ),
    (
        Hello(PROTOCOL_VERSION, "x", GAMES, casual=True),
        "no_challenges",
        "this arena has no matches for casual players",
    ),
)
def test_unacceptable_hellos_are_refused(message: FromBot, code: str, text: str) -> None:
    with pytest.raises(RequestError) as refusal:
        check_hello(message, GAMES, takes_challenges=False)
    assert (refusal.value.code, str(refusal.value)) == (code, text)


@loop_over("takes_challenges", [False, True])
def test_one_common_game_is_enough(takes_challenges: bool) -> None:
    hello = Hello(PROTOCOL_VERSION, "x", ["chess", "isolation"])
    assert check_hello(hello, GAMES, takes_challenges) is hello


def test_casual_players_are_accepted_with_challenges() -> None:
    hello = Hello(PROTOCOL_VERSION, "x", GAMES, casual=True)
    assert check_hello(hello, GAMES, takes_challenges=True) is hello
