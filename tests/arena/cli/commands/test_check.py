"""`arena check` tries real bots: ours, the examples, and some that each do one thing wrong."""

import json
import shlex
import signal
import socket
import sys

import pytest

from tests.support.arena_command import COMMAND, UNMEASURED, Run, bot, ended, started, url
from tests.system.test_examples import javascript, python


@pytest.fixture(autouse=True)
def _impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.conformance.checks.QUIET_SECONDS", 0.1)
    monkeypatch.setattr("arena.conformance.checks.END_SECONDS", 0.5)
    monkeypatch.setattr("arena.cli.commands.check.LAST_SECONDS", 0.1)
    monkeypatch.setattr("arena.cli.commands.check.CLOSE_SECONDS", 0.2)


BOT = """
import atexit, json, os, sys, time
from websockets.sync.client import connect
from core import GAMES

session, code, path = None, 1012, ""
name, games = os.environ["ARENA_NAME"], ["take_stones"]

def choose(turn):
    position = GAMES[turn["game"]].position(**turn["setup"], moves=turn["moves"])
    return position.legal_moves()[0]

def send(message):
    arena.send(json.dumps(message))

def answer(turn):
    send({{"type": "move", "match": turn["match"], "ply": turn["ply"], "move": choose(turn)}})

{changed}

while code != 1000:
    arena = connect(os.environ["ARENA_URL"] + path, proxy=None, compression=None)
    hello = {{"type": "hello", "protocol": 1, "name": name, "games": games, "session": session}}
    try:
        send(hello)
        for frame in arena:
            message = json.loads(frame)
            session = message.get("session", session)
            if message["type"] == "turn":
                answer(message)
    except __import__("websockets").ConnectionClosedError:
        pass
    code = arena.close_code
"""


def scripted(changed: str = "") -> str:
    """A bot in which some functions are other ones."""
    return shlex.join([sys.executable, "-W", "ignore", "-c", BOT.format(changed=changed)])


def check(arena: Run, changed: str, *options: str) -> dict[int, dict[str, str]]:
    """What has come of each item but those that are ok or skipped."""
    end = arena("check", "--bot", f"cmd:{scripted(changed)}", "--json", *options)
    facts = json.loads(end.out)
    assert facts["passed"] == (end.status == 0)
    return {i["number"]: i for i in facts["items"] if i["state"] not in ("ok", "skipped")}


@pytest.mark.parametrize("name", ["random", "greedy", "spec:2"])
def test_our_bots_pass(name: str, arena: Run) -> None:
    end = arena("check", "--bot", name)
    assert (end.status, end.err) == (0, "")
    assert end.out.endswith("15 ok, 0 FAILED, 0 warning, 0 skipped\n")


def test_the_bot_in_javascript_passes(arena: Run) -> None:
    end = arena("check", "--bot", f"cmd:{shlex.join(javascript())}")
    assert end.out.endswith("14 ok, 0 FAILED, 0 warning, 1 skipped\n")


def test_the_bot_in_python_does_not_come_back(arena: Run) -> None:
    end = arena("check", "--bot", f"cmd:{shlex.join(python())}")
    assert end.status == 0
    assert end.out.endswith("12 ok, 0 FAILED, 2 warning, 1 skipped\n")


def test_a_scripted_bot_passes(arena: Run) -> None:
    assert check(arena, "") == {}


def test_items_are_shown_in_order(arena: Run) -> None:
    end = arena("check", "--bot", "random", "--game", "isolation")
    numbers = [line.split()[1] for line in end.out.splitlines()[:-1]]
    assert numbers == [str(number) for number in range(1, 16)]


ANSWERS = """
def answer(turn):
    send({{"type": "move", "match": turn["match"], "ply": {ply}, "move": {move}}})
"""


@pytest.mark.parametrize(
    ("changed", "item", "came"),
    [
        ("def choose(turn): return 4", 2, "illegal move 1: "),
        ("def choose(turn): return 99 if turn['ply'] else 1", 3, "illegal move 2: "),
        ("def choose(turn): return 10 ** 30", 2, "illegal move 1"),
        (ANSWERS.format(ply="turn['ply'] + 1", move="choose(turn)"), 2, '"ply": 1'),
        ("def answer(turn): pass", 2, "nothing within 0.3 s"),
        ("def answer(turn): sys.exit('no idea')", 2, "the program has left: no idea"),
        ("def answer(turn): arena.send('garbage')", 2, "garbage: JSON is malformed"),
        ("def answer(turn): arena.send(b'\\xff')", 2, "b'\\xff': expected a text frame"),
        ("def answer(turn): arena.send('x' * 70000)", 2, "1009 (message too big)"),
        ("def answer(turn): send({'type': 'resign', 'match': turn['match']})", 2, "a resignation"),
        ("first = answer\ndef answer(turn): first(turn); first(turn)", 9, '{"type": "move"'),
        ("first = answer\ndef answer(turn): 'news' in turn and 1 / 0; first(turn)", 7, "ZeroDiv"),
        ("name = 'other'", 1, "the name other"),
        ("games = ['chess']", 1, '"games": ["chess"]'),
        ("path = '/home'", 1, ", only a request for /play/home; the program has left: "),
        ("1 / 0", 1, "the program has left: ZeroDivisionError"),
        ("atexit.register(os._exit, 3)", 14, "status 3; the program has left"),
        ("atexit.register(time.sleep, 60)", 14, "none within 0.5 s"),
    ],
)
def test_what_is_wrong_is_told(changed: str, item: int, came: str, arena: Run) -> None:
    [(number, report)] = check(arena, changed, "--time", "0.3").items()
    assert (number, report["state"]) == (item, "FAILED")
    assert came in report["came"]


def test_a_flood_does_not_hold_the_check_up(arena: Run) -> None:
    flood = "first = answer\ndef answer(turn):\n  while True: first(turn)"
    failed = check(arena, flood, "--time", "0.3")
    assert "100 frames that were not asked for" in failed[10]["came"]


def test_an_item_has_an_end(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.commands.check.ITEM_SECONDS", 0.0)
    failed = check(arena, "")
    assert (failed[2]["expected"], failed[2]["came"]) == ("an end within 0 s", "none")


def test_a_program_that_never_joins(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.conformance.steps.HELLO_SECONDS", 0.1)
    end = arena("check", "--bot", "cmd:cat")
    assert "came      none within 0.1 s\nskipped   2 moves as player 1: no hello\n" in end.out


def test_a_fault_is_shown_with_what_was_sent(arena: Run) -> None:
    end = arena("check", "--bot", f"cmd:{scripted('def choose(turn): return 4')}")
    [first, sent, expected, came] = end.out.splitlines()[1:5]
    assert first == "FAILED    2 moves as player 1"
    assert sent.startswith('            sent      {"type":"turn","match":"check-1"')
    assert expected == "            expected  one of the moves [1, 3, 5, 7, 9]"
    assert came.startswith('            came      {"type": "move"')


# Bots that dial in


def test_a_bot_that_dials_in() -> None:
    checked = started(*COMMAND, "check", "ws://127.0.0.1:0/play")
    with checked as checking, bot("greedy", "guest", url(checking)):
        end = ended(checking)
    assert end.out.endswith("13 ok, 0 FAILED, 0 warning, 2 skipped\n")


@pytest.fixture
def port() -> int:
    """One that is free."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


DIALS = """
while True:
    try:
        connect(os.environ["ARENA_URL"] + "x", proxy=None)
    except OSError:
        time.sleep(0.01)
    except Exception:
        break
"""


def dialled(arena: Run, port: int, changed: str) -> list[str]:
    """What is shown when a bot dials in by itself."""
    address = {"ARENA_URL": f"ws://127.0.0.1:{port}/play", "ARENA_NAME": "guest"}
    command = shlex.split(scripted(DIALS + changed))
    with started(*command, env={**UNMEASURED, **address}):
        return arena("check", f"ws://127.0.0.1:{port}", "--game", "take_stones").out.splitlines()


def test_one_that_dials_in_is_kept_after_a_fault(arena: Run, port: int) -> None:
    shown = dialled(arena, port, "def choose(turn): return 4")
    assert "FAILED    2 moves as player 1" in shown
    assert "ok       15 comes back after a restart: back after close 1012" in shown


def test_one_that_dials_in_and_leaves(
    arena: Run, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.conformance.steps.BACK_SECONDS", 0.1)
    shown = dialled(arena, port, "def answer(turn): sys.exit()")
    assert "skipped  15 comes back after a restart: the bot is gone" in shown


def test_nobody_dials_in(arena: Run, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.conformance.steps.DIAL_SECONDS", 0.0)
    end = arena("check", f"ws://127.0.0.1:{port}/play")
    assert end.status == 1
    assert end.err == f"arena: let your bot join at ws://127.0.0.1:{port}/play\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--bot", "foo"], "there is no bot 'foo', but random, greedy, spec, perfect"),
        (["--bot", "cmd:"], "bot 'cmd:' names no program"),
        (["--bot", "external:me"], "leave --bot out for one that dials in by itself"),
        (["--time", "0"], "--time must be from 0 to 3600 seconds, not 0.0"),
        (["--time", "nan"], "--time must be from 0 to 3600 seconds, not nan"),
        (["ws://192.0.2.1:0/play"], "cannot listen on 192.0.2.1 port 0: "),
        (["ws://127.0.0.1:70000/play"], "url 'ws://127.0.0.1:70000/play' is not like ws://HOST"),
        (["ws://127.0.0.1/play"], "url 'ws://127.0.0.1/play' is not like ws://HOST:PORT/play"),
        (["http://127.0.0.1:0"], "url 'http://127.0.0.1:0' is not like ws://HOST:PORT/play"),
        (["ws://:0/play"], "url 'ws://:0/play' is not like ws://HOST:PORT/play"),
        (["ws://127.0.0.1:0/watch"], "url 'ws://127.0.0.1:0/watch' is not like ws://HOST:PORT/"),
    ],
)
def test_bad_usage(options: list[str], message: str, arena: Run) -> None:
    end = arena("check", *options)
    assert (end.status, end.out) == (2, "")
    assert message in end.err


def test_the_usual_url(arena: Run, monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setattr("arena.cli.commands.check.PORT", port)
    monkeypatch.setattr("arena.conformance.steps.DIAL_SECONDS", 0.0)
    assert arena("check").err == f"arena: let your bot join at ws://127.0.0.1:{port}/play\n"


def test_ctrl_c_ends_it() -> None:
    with started(*COMMAND, "check", "ws://localhost:0/play") as checking:
        url(checking)
        checking.send_signal(signal.SIGINT)
        assert ended(checking)[::2] == (130, "arena: stopped\n")
