"""Scripted referee: the answers of bots that it accepts and those that it rejects."""

import pytest
from msgspec.structs import replace

from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import AcceptConnection, CheckFailed, Receive, Received
from arena.protocol.codec import encode
from arena.protocol.player import Hello
from tests.support.cases import loop_over
from tests.support.simulation.simulated_bot import SimulatedBot, first_legal_move, run_script

# Hello


def receive_hello(frame: str, game: str | None = None) -> Hello:
    """Return the hello that a referee receives as the first frame of a bot."""
    bot = SimulatedBot(first_legal_move)
    bot.frames.append((frame, 0.0))
    return run_script(ScriptedReferee(1.0, game, "bot").receive_hello(), bot)


def test_valid_messages() -> None:
    hello = Hello(1, "bot", ["chess", "isolation"])
    assert receive_hello(encode(hello)) == hello
    assert receive_answer([MOVE]) == 3


@loop_over(
    "frame, expected",
    ("{}", "a hello, got {}: Object missing required field `type`"),
    ('{"type":"resign","match":"1"}', "a hello first"),
    (encode(Hello(2, "bot", ["isolation"])), "a hello with protocol 1"),
    (encode(Hello(1, "bot", ["chess"])), "a hello with any of the games"),
    (encode(Hello(1, "bot", ["take_stones"])), r"any of the games \['isolation'\]"),
)
def test_an_invalid_hello(frame: str, expected: str) -> None:
    with pytest.raises(CheckFailed, match=f"expected .*{expected}"):
        receive_hello(frame, "isolation")


def test_missing_messages() -> None:
    bot = SimulatedBot(first_legal_move)
    bot.absence = "none"
    with pytest.raises(CheckFailed, match="expected a connection to /play, got none"):
        run_script(ScriptedReferee(1.0, None, None).receive_hello(), bot)
    with pytest.raises(CheckFailed, match=r"got nothing within 1.0 s"):
        receive_answer([])
    script = ScriptedReferee(1.0, None, "bot").receive_hello()
    next(script)
    assert script.send(None) == Receive(10.0)
    with pytest.raises(CheckFailed, match="expected a hello, got a closed connection"):
        script.send(Received(None, 0.0, "a closed connection"))


def test_a_bot_that_resumes_keeps_its_session_and_another_gets_a_new_one() -> None:
    referee = ScriptedReferee(1.0, None, "bot")

    def session_after(hello: Hello) -> str:
        bot = SimulatedBot(first_legal_move)
        bot.frames.append((encode(hello), 0.0))
        run_script(referee.receive_hello_again(), bot)
        return referee.session

    hello = Hello(1, "bot", ["isolation"])
    first = session_after(hello)
    assert session_after(replace(hello, session=first)) == first
    second = session_after(replace(hello, session="another"))
    assert second != first
    assert session_after(hello) != second


@loop_over(("name", "timeout"), [("bot", 10.0), (None, 300.0)])
def test_a_bot_that_connects_by_itself_has_more_time(name: str | None, timeout: float) -> None:
    script = ScriptedReferee(1.0, None, name).receive_hello()
    assert next(script) == AcceptConnection(timeout)


# Answers


def receive_answer(frames: list[str | bytes]) -> int | None:
    """Return the move that a referee receives in answer to the first turn."""
    bot = SimulatedBot(lambda _: [])
    bot.frames.append((encode(Hello(1, "bot", ["take_stones"])), 0.0))
    referee = ScriptedReferee(1.0, None, "bot")
    run_script(referee.receive_hello(), bot)
    turn = run_script(referee.first_turn(), bot)
    bot.frames += [(frame, 0.5) for frame in frames]
    return run_script(referee.ask(turn), bot).move


MOVE = '{"type":"move","match":"check-1","ply":0,"move":3}'


@loop_over(
    "frame, error",
    (MOVE.replace("check-1", "1"), "expected a move in check-1 at ply 0, got {"),
    (MOVE.replace("0", "1"), "expected ply 0, copied from the turn, got {"),
    (MOVE.replace("3}", "2}"), r"one of the moves \[1, 3, 5, 7, 9\], got .* illegal move 1"),
    (MOVE.replace("3}", "3.5}"), "Expected `int`, got `float`"),
    (encode(Hello(1, "bot", [])), "a move in check-1 at ply 0, got {"),
    (b"\xff", r"got b'\\xff': expected a text frame, got a binary frame"),
)
def test_an_invalid_answer(frame: str | bytes, error: str) -> None:
    with pytest.raises(CheckFailed, match=error):
        receive_answer([frame])


def test_a_limited_number_of_repeated_answers_is_ignored() -> None:
    bot = SimulatedBot(lambda turn: 200 * first_legal_move(turn))
    bot.frames.append((encode(Hello(1, "bot", ["take_stones"])), 0.0))
    referee = ScriptedReferee(1.0, None, "bot")
    run_script(referee.receive_hello(), bot)
    run_script(referee.ask(run_script(referee.first_turn(), bot)), bot)
    with pytest.raises(CheckFailed, match="got 100 unexpected frames"):
        run_script(referee.ask(run_script(referee.first_turn(), bot)), bot)
