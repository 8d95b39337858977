"""Check items of the conformance test, run on simulated bots."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from arena.conformance import checks
from arena.conformance.checks import CHECK_ITEMS, CheckItem
from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import CheckFailed, CheckSkipped
from arena.protocol.codec import encode
from arena.protocol.player import Hello
from core import GAMES
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.simulation.simulated_bot import SimulatedBot, first_legal_move, run_script

HELLO = Hello(1, "bot", ["take_stones"], 2)


def welcomed(bot: SimulatedBot, hello: Hello = HELLO, name: str | None = "bot") -> ScriptedReferee:
    """Return a referee that has welcomed a bot."""
    referee = ScriptedReferee(1.0, None, name)
    bot.frames.append((encode(hello), 0.0))
    run_script(referee.receive_hello(), bot)
    return referee


def run_check(script: Callable[[ScriptedReferee], Any], bot: SimulatedBot, **options: Any) -> str:
    """Run the script of an item after the hello; return its summary."""
    return str(run_script(script(welcomed(bot, **options)), bot))


def resign(turn: dict[str, Any]) -> list[str]:
    return [json.dumps({"type": "resign", "match": turn["match"]})]


# All items


@loop_over("item", CHECK_ITEMS[1:])
def test_a_correct_bot_passes(item: CheckItem) -> None:
    assert run_check(item.script, SimulatedBot(first_legal_move))


def test_items_are_numbered_and_ordered() -> None:
    assert sorted(item.number for item in CHECK_ITEMS) == [*range(1, 16)]
    numbers = [item.number for item in CHECK_ITEMS]
    for item in CHECK_ITEMS:
        assert set(item.requires) <= set(numbers[: numbers.index(item.number)])


# Short games

SECOND_MOVES = [item for item in CHECK_ITEMS if item.number in {3, 6, 8}]


def welcomed_to_nim(
    bot: SimulatedBot, monkeypatch: pytest.MonkeyPatch, *heaps: int
) -> ScriptedReferee:
    """Return a referee that has welcomed a bot to misère Nim with heaps of these sizes."""
    heap = NIM.parameters["heap"]._replace(usual=heaps)
    monkeypatch.setitem(GAMES, NIM.name, NIM._replace(parameters={"heap": heap}))
    return welcomed(bot, Hello(1, "bot", [NIM.name], 2))


@loop_over("heap", [2, 3])
@loop_over("item", SECOND_MOVES)
def test_a_first_move_that_ends_the_game_is_avoided(
    item: CheckItem, heap: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = SimulatedBot(first_legal_move)
    run_script(item.script(welcomed_to_nim(bot, monkeypatch, heap)), bot)
    turns = [message for message in bot.received if message["type"] == "turn" and message["moves"]]
    assert turns
    for turn in turns:
        assert not NIM.position(**turn["setup"], moves=turn["moves"]).is_over


@loop_over("item", SECOND_MOVES)
def test_items_need_second_moves(item: CheckItem, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = SimulatedBot(first_legal_move)
    referee = welcomed_to_nim(bot, monkeypatch, 1)
    with pytest.raises(CheckSkipped, match="every first move ends the game"):
        run_script(item.script(referee), bot)


def test_setups_with_second_moves_suffice_unrelated_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = SimulatedBot(first_legal_move)
    referee = welcomed_to_nim(bot, monkeypatch, 1, 9)
    summary = run_script(checks.moves_in_unrelated_positions(referee), bot)
    assert summary == f"{checks.OPENINGS} unrelated positions"


# Single items


def test_a_wrong_name() -> None:
    bot = SimulatedBot(first_legal_move)
    bot.frames.append((encode(HELLO), 0.0))
    with pytest.raises(CheckFailed, match="the name eve, from ARENA_NAME, got the name bot"):
        run_script(checks.says_hello(ScriptedReferee(1.0, None, "eve")), bot)


def test_a_resignation_is_no_move_but_ends_a_game() -> None:
    with pytest.raises(CheckFailed, match="expected a move, got a resignation"):
        run_check(checks.moves_as_player_1, SimulatedBot(resign))
    bot = SimulatedBot(resign)
    referee = welcomed(bot)
    run_script(checks.plays_whole_games(referee), bot)
    assert {ending.termination for ending in referee.endings.values()} == {"resignation"}


def test_a_finished_game_has_the_right_winner() -> None:
    bot = SimulatedBot(first_legal_move)
    referee = welcomed(bot)
    run_script(checks.plays_whole_games(referee), bot)
    for ending in referee.endings.values():
        assert ending.winner == (1 if len(ending.moves) % 2 else 2)


def test_matches_end_with_finished_if_the_bot_understands_it() -> None:
    bot = SimulatedBot(first_legal_move)
    referee = welcomed(bot)
    run_script(checks.continues_after_finished(referee), bot)
    run_script(checks.moves_in_time(referee), bot)
    assert [message["type"] for message in bot.received] == ["welcome", "turn", "finished", "turn"]


def test_several_matches() -> None:
    hello = Hello(1, "bot", ["take_stones"])
    with pytest.raises(CheckSkipped, match="one match at once"):
        run_check(checks.plays_several_matches, SimulatedBot(first_legal_move), hello=hello)
    bot = SimulatedBot(first_legal_move, newest_first=True)
    assert run_check(checks.plays_several_matches, bot) == "2 turns at once"


def test_pongs_and_silence() -> None:
    with pytest.raises(CheckFailed, match="a pong before the move or within 1 s, got none"):
        run_check(checks.is_silent_and_answers_pings, SimulatedBot(first_legal_move, ponging=False))
    bot = SimulatedBot(lambda turn: 2 * first_legal_move(turn))
    with pytest.raises(CheckFailed, match=r"expected silence after its move, got \{"):
        run_check(checks.is_silent_and_answers_pings, bot)


def test_late_moves_and_lost_sessions() -> None:
    with pytest.raises(CheckFailed, match=r"expected a move within 0.2 s, .* got one after 1.50 s"):
        run_check(checks.moves_in_time, SimulatedBot(first_legal_move, seconds=1.5))
    with pytest.raises(CheckFailed, match=r"a hello with the session .*, got one with None"):
        run_check(checks.reconnects, SimulatedBot(first_legal_move, resumes=False))
    with pytest.raises(CheckSkipped, match="did not start its program"):
        run_check(checks.exits, SimulatedBot(first_legal_move), name=None)


@loop_over("status", [None, 1, -9])
def test_a_wrong_exit_status(status: int | None) -> None:
    with pytest.raises(CheckFailed, match="expected an exit with status 0 after close 1000"):
        run_check(checks.exits, SimulatedBot(first_legal_move, status=status))
