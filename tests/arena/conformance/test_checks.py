"""The items of `arena check`, tried on bots that are functions."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from arena.conformance import checks as check
from arena.conformance.checks import ITEMS
from arena.conformance.steps import Fault, Referee, Skipped
from arena.protocol.codec import encode
from arena.protocol.player import Hello
from tests.support.scripts import Pretended, legal, perform

HELLO = Hello(1, "bot", ["take_stones"], 2)


def referee(bot: Pretended, hello: Hello = HELLO, name: str | None = "bot") -> Referee:
    """One that has heard a hello."""
    result = Referee(1.0, None, name)
    bot.heard.append((encode(hello), 0.0))
    perform(result.first_hello(), bot)
    return result


def told(script: Callable[[Referee], Any], bot: Pretended, **more: Any) -> str:
    return str(perform(script(referee(bot, **more)), bot))


@pytest.mark.parametrize("item", ITEMS[1:], ids=lambda item: str(item.number))
def test_a_good_bot_passes(item: check.Item) -> None:
    assert told(item.script, Pretended(legal))


def test_every_item_is_tried_once() -> None:
    assert sorted(item.number for item in ITEMS) == [*range(1, 16)]


def test_what_an_item_needs_is_tried_before() -> None:
    numbers = [item.number for item in ITEMS]
    for item in ITEMS:
        assert set(item.needs) <= set(numbers[: numbers.index(item.number)])


def resigns(message: dict[str, Any]) -> list[str]:
    return [json.dumps({"type": "resign", "match": message["match"]})]


def test_a_resignation_is_no_move() -> None:
    with pytest.raises(Fault, match="expected a move; came a resignation"):
        told(check.first_player, Pretended(resigns))


def test_a_resignation_ends_a_game() -> None:
    bot = Pretended(resigns)
    judge = referee(bot)
    perform(check.whole_games(judge), bot)
    assert {ending.termination for ending in judge.endings.values()} == {"resignation"}


def test_a_game_has_the_right_winner() -> None:
    bot = Pretended(legal)
    judge = referee(bot)
    perform(check.whole_games(judge), bot)
    for ending in judge.endings.values():
        assert ending.winner == (1 if len(ending.moves) % 2 else 2)


def test_matches_are_finished_for_who_understands_that() -> None:
    bot = Pretended(legal)
    judge = referee(bot)
    perform(check.next_match(judge), bot)
    perform(check.hurry(judge), bot)
    assert [message["type"] for message in bot.sent] == ["welcome", "turn", "finished", "turn"]


def test_only_who_says_so_plays_several_matches() -> None:
    with pytest.raises(Skipped, match="one match at once"):
        told(check.several_matches, Pretended(legal), hello=Hello(1, "bot", ["take_stones"]))


def test_the_matches_may_be_answered_in_any_order() -> None:
    bot = Pretended(legal, is_backward=True)
    assert told(check.several_matches, bot) == "2 turns at once"


def test_a_pong_is_due() -> None:
    with pytest.raises(Fault, match="a pong before the move or within 1 s; came none"):
        told(check.patience, Pretended(legal, ponging=False))


def test_a_second_answer_is_one_too_many() -> None:
    with pytest.raises(Fault, match=r"expected silence after its move; came \{"):
        told(check.patience, Pretended(lambda turn: 2 * legal(turn)))


def test_the_clock_counts() -> None:
    with pytest.raises(Fault, match=r"expected a move within 0.2 s, .* came one after 1.50 s"):
        told(check.hurry, Pretended(legal, seconds=1.5))


def test_who_comes_back_as_a_stranger() -> None:
    with pytest.raises(Fault, match=r"expected a hello with the session .*; came one with None"):
        told(check.lost_connection, Pretended(legal, remembers=False))


@pytest.mark.parametrize("status", [None, 1, -9])
def test_a_bad_end(status: int | None) -> None:
    with pytest.raises(Fault, match="expected an end with status 0 after close 1000"):
        told(check.end, Pretended(legal, status=status))


def test_the_end_of_a_stranger_is_not_seen() -> None:
    with pytest.raises(Skipped, match="was not started here"):
        told(check.end, Pretended(legal), name=None)


def test_a_wrong_name() -> None:
    bot = Pretended(legal)
    bot.heard.append((encode(HELLO), 0.0))
    with pytest.raises(Fault, match="expected the name eve, from ARENA_NAME; came the name bot"):
        perform(check.introduction(Referee(1.0, None, "eve")), bot)
