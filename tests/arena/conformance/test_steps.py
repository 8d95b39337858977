"""What the scripts of `arena check` are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conformance.steps import (
    LARGE,
    QUOTE,
    Fault,
    Heard,
    Join,
    Receive,
    Referee,
    setups,
    shown,
    usual_setups,
)
from arena.protocol.codec import encode
from arena.protocol.player import Hello
from core import GAMES
from core.game import Game, Parameter, Position
from tests.support.scripts import Pretended, legal, perform


@given(st.text() | st.binary())
def test_what_is_shown_is_plain_and_short(said: str | bytes) -> None:
    text = shown(said)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) <= 10 * QUOTE + 6


def test_the_setups_of_take_stones() -> None:
    stones = [setup["stones"] for setup in setups(GAMES["take_stones"])]
    assert stones == [3, 20, 1000]


def test_a_game_without_numbers_has_one_setup() -> None:
    assert setups(GAMES["isolation"]) == usual_setups(GAMES["isolation"]) == [{}]


def bounded(*, stones: int) -> Position:
    if stones > 100:
        raise ValueError("too many")
    return GAMES["take_stones"].position(stones=stones)


def test_a_setup_may_be_too_large() -> None:
    game: Game = GAMES["take_stones"]._replace(position=bounded)
    assert [setup["stones"] for setup in setups(game)] == [3, 20]


def test_a_number_may_have_a_large_minimum() -> None:
    parameters = {"stones": Parameter("", 2 * LARGE, (3 * LARGE,))}
    game = GAMES["take_stones"]._replace(parameters=parameters)
    assert [setup["stones"] for setup in setups(game)] == [2 * LARGE, 3 * LARGE]


def hello(frame: str, game: str | None = None) -> Hello:
    """What a referee makes of the first frame."""
    bot = Pretended(legal)
    bot.heard.append((frame, 0.0))
    return perform(Referee(1.0, game, "bot").first_hello(), bot)


def test_a_hello() -> None:
    said = Hello(1, "bot", ["chess", "isolation"])
    assert hello(encode(said)) == said


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("{}", "a hello; came {}: Object missing required field `type`"),
        ('{"type":"resign","match":"1"}', "a hello first"),
        (encode(Hello(2, "bot", ["isolation"])), "a hello with protocol 1"),
        (encode(Hello(1, "bot", ["chess"])), "a hello with any of the games"),
        (encode(Hello(1, "bot", ["take_stones"])), r"any of the games \['isolation'\]"),
    ],
)
def test_what_is_no_hello(frame: str, expected: str) -> None:
    with pytest.raises(Fault, match=f"expected .*{expected}"):
        hello(frame, "isolation")


def test_nobody_comes() -> None:
    bot = Pretended(legal)
    bot.away = "none"
    with pytest.raises(Fault, match="expected a connection to /play; came none"):
        perform(Referee(1.0, None, None).first_hello(), bot)


@pytest.mark.parametrize(("name", "seconds"), [("bot", 10.0), (None, 300.0)])
def test_a_stranger_is_waited_for_longer(name: str | None, seconds: float) -> None:
    assert next(Referee(1.0, None, name).first_hello()) == Join(seconds)


def asked(frames: list[str | bytes]) -> int | None:
    """What a referee makes of the answer to the first turn."""
    bot = Pretended(lambda _: [])
    bot.heard.append((encode(Hello(1, "bot", ["take_stones"])), 0.0))
    referee = Referee(1.0, None, "bot")
    perform(referee.first_hello(), bot)
    turn = perform(referee.usual_turn(), bot)
    bot.heard += [(frame, 0.5) for frame in frames]
    return perform(referee.ask(turn), bot).move


MOVE = '{"type":"move","match":"check-1","ply":0,"move":3}'


def test_an_answer() -> None:
    assert asked([MOVE]) == 3


@pytest.mark.parametrize(
    ("frame", "came"),
    [
        (MOVE.replace("check-1", "1"), "expected a move in check-1 at ply 0; came {"),
        (MOVE.replace("0", "1"), "expected ply 0, copied from the turn; came {"),
        (MOVE.replace("3}", "2}"), r"one of the moves \[1, 3, 5, 7, 9\]; came .* illegal move 1"),
        (MOVE.replace("3}", "3.5}"), "Expected `int`, got `float`"),
        (encode(Hello(1, "bot", [])), "a move in check-1 at ply 0; came {"),
        (b"\xff", r"came b'\\xff': expected a text frame"),
    ],
)
def test_what_is_no_answer(frame: str | bytes, came: str) -> None:
    with pytest.raises(Fault, match=came):
        asked([frame])


def test_silence_is_no_answer() -> None:
    with pytest.raises(Fault, match=r"came nothing within 1.0 s"):
        asked([])


def test_a_lost_connection_is_no_answer() -> None:
    referee = Referee(1.0, None, "bot")
    script = referee.first_hello()
    next(script)
    assert script.send(None) == Receive(10.0)
    with pytest.raises(Fault, match="expected a hello; came the end"):
        script.send(Heard(None, 0.0, "the end"))


def test_what_repeats_itself_is_ignored_for_a_while() -> None:
    bot = Pretended(lambda turn: 200 * legal(turn))
    bot.heard.append((encode(Hello(1, "bot", ["take_stones"])), 0.0))
    referee = Referee(1.0, None, "bot")
    perform(referee.first_hello(), bot)
    perform(referee.ask(perform(referee.usual_turn(), bot)), bot)
    with pytest.raises(Fault, match="came 100 frames that were not asked for"):
        perform(referee.ask(perform(referee.usual_turn(), bot)), bot)
