"""`arena check` on real bots: built-in ones, the examples, and bots with one defect each."""

import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.cases import loop_over
from tests.support.servers.arena_command import (
    COMMAND,
    Run,
    running_bot,
    running_process,
    wait_for_exit,
    wait_for_url,
)
from tests.support.servers.ports import reserved_port
from tests.system.test_examples import javascript, python

pytestmark = pytest.mark.usefixtures("patient_check")

BOT = """
import atexit, json, os, sys, time
from websockets.sync.client import connect
from core.take_stones.board import Board

session, code, path = None, 1012, ""
name, games = os.environ["ARENA_NAME"], ["take_stones"]

def choose(turn):
    return Board(turn["setup"]["stones"], turn["moves"]).legal_moves()[0]

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
    """Return the command of BOT, after some code that replaces its functions."""
    return shlex.join([sys.executable, "-W", "ignore", "-c", BOT.format(changed=changed)])


def check(arena: Run, changed: str, *options: str) -> dict[int, dict[str, str]]:
    """Check a changed bot; return the failures and warnings by item number."""
    end = arena("check", "--bot", f"cmd:{scripted(changed)}", "--json", *options)
    facts = json.loads(end.out)
    assert facts["passed"] == (end.status == 0)
    return {i["number"]: i for i in facts["items"] if i["state"] not in ("ok", "skipped")}


def test_a_built_in_bot_passes(arena: Run) -> None:
    end = arena("check", "--bot", "spec:2")
    assert (end.status, end.err) == (0, "")
    assert end.out.endswith("15 ok, 0 FAILED, 0 warning, 0 skipped\n"), end.out


def test_the_examples_pass(arena: Run) -> None:
    end = arena("check", "--bot", f"cmd:{shlex.join(javascript())}", "--timeout", 60)
    assert end.out.endswith("14 ok, 0 FAILED, 0 warning, 1 skipped\n"), end.out
    end = arena("check", "--bot", f"cmd:{shlex.join(python())}", "--timeout", 60)
    assert end.status == 0, end.out
    assert end.out.endswith("12 ok, 0 FAILED, 2 warning, 1 skipped\n"), end.out


def test_the_unchanged_bot_passes_and_items_are_in_order(arena: Run) -> None:
    assert check(arena, "") == {}
    end = arena("check", "--bot", "random", "--game", "isolation")
    numbers = [line.split()[1] for line in end.out.splitlines()[:-1]]
    assert numbers == [str(number) for number in range(1, 16)]


@pytest.mark.parametrize(
    ("changed", "item", "received"),
    [
        ("def answer(turn): sys.exit('no idea')", 2, "the program exited: no idea"),
        ("def answer(turn): arena.send('x' * 70000)", 2, "1009 (message too big)"),
        ("first = answer\ndef answer(turn): 'news' in turn and 1 / 0; first(turn)", 7, "ZeroDiv"),
        ("path = '/home'", 1, ", but a request for /play/home; the program exited: "),
        ("1 / 0", 1, "the program exited: ZeroDivisionError"),
        ("atexit.register(os._exit, 3)", 14, "status 3; the program exited"),
    ],
)
def test_defects_are_found(changed: str, item: int, received: str, arena: Run) -> None:
    [(number, report)] = check(arena, changed, "--timeout", "60").items()
    assert (number, report["state"]) == (item, "FAILED")
    assert received in report["came"]


def test_limits_of_time_name_what_is_missing(arena: Run) -> None:
    report = check(arena, "def answer(turn): pass", "--timeout", "0.3")[2]
    assert report["state"] == "FAILED"
    assert re.fullmatch(r"nothing within [0-9.]+ s", report["came"])


def test_a_program_that_does_not_exit_is_found(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.conformance.checks.EXIT_TIMEOUT", 0.5)
    report = check(arena, "atexit.register(time.sleep, 60)")[14]
    assert report["state"] == "FAILED"
    assert "none within 0.5 s" in report["came"]


def test_a_program_that_cannot_be_started(arena: Run, tmp_path: Path) -> None:
    program = tmp_path / "mybot"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o700)
    end = arena("check", "--bot", f"cmd:{program}")
    assert f"the program exited: cannot start {program}: Exec format error\n" in end.out


def test_an_item_has_a_time_limit(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.conformance.ITEM_TIMEOUT", 0.0)
    failed = check(arena, "")
    assert (failed[2]["expected"], failed[2]["came"]) == ("an end within 0 s", "none")


def test_a_program_that_never_connects(arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.conformance.scripted_referee.CONNECT_TIMEOUT", 0.1)
    end = arena("check", "--bot", "cmd:cat")
    assert "received  none within 0.1 s\nskipped   2 moves as player 1: no hello\n" in end.out


@pytest.mark.parametrize("bot", ["echo; while read line; do echo 1; done", "exec 0<&-; sleep 60"])
def test_a_program_that_reads_lines_is_told(
    arena: Run, monkeypatch: pytest.MonkeyPatch, bot: str
) -> None:
    monkeypatch.setattr("arena.runner.conformance.SILENT_SECONDS", 0.0)
    reads_lines = "read" in bot
    if not reads_lines:
        monkeypatch.setattr("arena.conformance.scripted_referee.CONNECT_TIMEOUT", 0.5)
    end = arena("check", "--bot", f'cmd:sh -c "{bot}"')
    assert ("this program reads lines: use stdio:\n" in end.out) == reads_lines


def test_a_failure_is_printed_with_the_last_message(arena: Run) -> None:
    end = arena("check", "--bot", f"cmd:{scripted('def choose(turn): return 4')}")
    [first, sent, expected, received] = end.out.splitlines()[1:5]
    assert first == "FAILED    2 moves as player 1"
    assert sent.startswith('            sent      {"type":"turn","match":"check-1"')
    assert expected == "            expected  one of the moves [1, 3, 5, 7, 9]"
    assert received.startswith('            received  {"type": "move"')


# Bots that connect by themselves


@pytest.fixture
def port() -> Iterator[int]:
    """Yield a free port."""
    with reserved_port() as port:
        yield port


def test_a_bot_that_connects_by_itself(arena: Run, port: int) -> None:
    url = f"ws://127.0.0.1:{port}/play"
    with running_bot("greedy", "guest", url):
        end = arena("check", url)
    assert end.out.endswith("13 ok, 0 FAILED, 0 warning, 2 skipped\n"), end.out


CONNECTS_LATER = """
while True:
    try:
        connect(os.environ["ARENA_URL"] + "x", proxy=None)
    except OSError:
        time.sleep(0.01)
    except Exception:
        break
"""


def check_connecting_bot(arena: Run, port: int, changed: str) -> list[str]:
    """Check a changed bot that connects by itself; return the printed lines."""
    address = {"ARENA_URL": f"ws://127.0.0.1:{port}/play", "ARENA_NAME": "guest"}
    command = shlex.split(scripted(CONNECTS_LATER + changed))
    with running_process(*command, env={**os.environ, **address}):
        return arena("check", f"ws://127.0.0.1:{port}", "--game", "take_stones").out.splitlines()


def test_a_failure_does_not_end_the_connection(arena: Run, port: int) -> None:
    shown = check_connecting_bot(arena, port, "def choose(turn): return 4")
    assert "FAILED    2 moves as player 1" in shown
    assert "ok       15 reconnects after a restart: reconnected after close 1012" in shown


def test_a_bot_that_leaves(arena: Run, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.conformance.scripted_referee.RECONNECT_TIMEOUT", 0.1)
    shown = check_connecting_bot(arena, port, "def answer(turn): sys.exit()")
    assert "skipped  15 reconnects after a restart: the bot has not reconnected" in shown


@loop_over(
    "options, message",
    (["--bot", "cmd:"], "bot 'cmd:': no command"),
    (["--bot", "perfect", "--game", "isolation"], "bot perfect cannot play isolation, which"),
    (["--bot", "external:me"], "omit --bot for a bot that connects by itself"),
    (["--timeout", "0"], "--timeout must be above 0, not 0.0"),
    (["ws://192.0.2.1:0/play"], "cannot listen on 192.0.2.1 port 0: "),
    (
        ["ws://127.0.0.1:70000/play"],
        "invalid URL 'ws://127.0.0.1:70000/play' (expected ws://HOST:PORT/play)",
    ),
    (["ws://127.0.0.1/play"], "invalid URL 'ws://127.0.0.1/play' (expected ws://HOST:PORT/play)"),
    (["http://127.0.0.1:0"], "invalid URL 'http://127.0.0.1:0' (expected ws://HOST:PORT/play)"),
    (["ws://:0/play"], "invalid URL 'ws://:0/play' (expected ws://HOST:PORT/play)"),
    (
        ["ws://127.0.0.1:0/watch"],
        "invalid URL 'ws://127.0.0.1:0/watch' (expected ws://HOST:PORT/play)",
    ),
)
def test_bad_usage(options: list[str], message: str, arena: Run) -> None:
    end = arena("check", *options)
    assert (end.status, end.out) == (2, "")
    assert message in end.err


@pytest.mark.parametrize("is_given", [True, False])
def test_no_bot(arena: Run, port: int, monkeypatch: pytest.MonkeyPatch, is_given: bool) -> None:
    monkeypatch.setattr("arena.cli.commands.check.PORT", port)  # of the default URL
    monkeypatch.setattr("arena.conformance.scripted_referee.START_TIMEOUT", 0.0)
    end = arena("check", *[f"ws://127.0.0.1:{port}/play"] * is_given)
    assert end.status == 1
    assert end.err == f"arena: waiting for your bot at ws://127.0.0.1:{port}/play\n"


@pytest.mark.usefixtures("measured")
def test_ctrl_c_stops_the_check() -> None:
    with running_process(*COMMAND, "check", "ws://localhost:0/play") as checking:
        wait_for_url(checking)
        checking.send_signal(signal.SIGINT)
        assert wait_for_exit(checking)[::2] == (130, "arena: stopped\n")


def test_a_class_fails_later(arena: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text(
        "from pathlib import Path\n"
        "class Bot:\n"
        "    def __init__(self):\n"
        "        if Path('tried').exists():\n"
        "            raise ValueError('no more')\n"
        "        Path('tried').touch()\n"
        "    def choose(self, position, clock): ...\n"
    )
    end = arena("check", "--bot", "python:mybot:Bot")
    assert (end.status, "no more" in end.err) == (2, True)
