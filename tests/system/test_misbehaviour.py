"""Bots that crash, hang, flood and cheat in tournaments: they lose and delay no other bot."""

import asyncio
import re
import shlex
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from arena.model.results import Termination
from arena.protocol.player import Finished, Move, Turn
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_command import (
    COMMAND,
    CompletedCommand,
    Run,
    connect_guest,
    running_process,
    wait_for_exit,
    wait_for_url,
    with_flags,
)
from tests.support.servers.arena_server import read_matches

FAST = ["--stones", "20", "--seed", "1", "--time", "0.5", "--grace", "0.1"]


@pytest.fixture(autouse=True)
def _short_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.processes.FIRST_DELAY", 0.05)


@pytest.fixture
def short_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a bot that never connects only as long as others may need on a busy machine."""
    monkeypatch.setattr("arena.runner.entrants.JOIN_SECONDS", 4.0)


def play(
    arena: Run, db: Path, what: str, *more: str
) -> tuple[CompletedCommand, Counter[Termination]]:
    """Play a tournament with a misbehaving bot; return the result and how that bot lost."""
    bots = ["--bots", f"bad={what}", "greedy", "random"]
    end = arena("tournament", *bots, *with_flags(FAST, more), "--db", db)
    losses = Counter(
        record.result.termination for record in read_matches(db) if record.loser == "bad"
    )
    assert "6 of 6 matches" in end.out
    return end, losses


@pytest.mark.parametrize(
    ("bot", "line"),
    [
        ("cmd:sh -c 'exit 3'", "bot bad has left: exited with status 3"),
        ("stdio:sh -c 'exit 3'", "bot \"stdio:sh -c 'exit 3'\": sh ended with status 3"),
    ],
)
def test_bot_that_crashes_at_the_start_stops_the_tournament(
    db: Path, arena: Run, bot: str, line: str
) -> None:
    bots = ["--bots", f"bad={bot}", "greedy", "random", "--quiet"]
    assert arena("tournament", *bots, *FAST, "--db", db) == CompletedCommand(
        2, "", f"arena: {line}\n"
    )


@pytest.mark.usefixtures("short_join")
def test_bot_that_never_connects(db: Path, arena: Run) -> None:
    end, losses = play(arena, db, "cmd:cat")
    assert losses == {Termination.DISCONNECT: 4}
    assert re.search("^arena: not connected after 4 s, continuing without .*bad", end.err, re.M)


@pytest.mark.usefixtures("ignores_lag")
def test_bot_that_never_answers(db: Path, arena: Run) -> None:
    _, losses = play(arena, db, "stdio:sh -c 'while read line; do :; done'")
    assert losses == {Termination.TIMEOUT: 4}


def test_bot_that_crashes_in_a_match(db: Path, arena: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.runner.processes.FIRST_DELAY", TEST_TIMEOUT)
    # A grace period in which also a slow machine notices the end of the process.
    time = ["--time", "60", "--grace", "3"]
    end, losses = play(arena, db, "stdio:sh -c 'read line; exit 3'", *time)
    assert losses == {Termination.DISCONNECT: 4}
    assert "arena: bot bad has left: sh ended with status 3" in end.err


CRASHES_ONCE = """
test -e {0} || {{ read line; touch {0}; exit 3; }}
while read line; do legal=${{line##* legal=}}; legal=${{legal%% *}}; echo ${{legal%%,*}}; done
"""


def test_bot_that_crashes_is_restarted(db: Path, tmp_path: Path, arena: Run) -> None:
    script = tmp_path / "crashes_once"
    script.write_text(CRASHES_ONCE.format(tmp_path / "crashed"))
    _, losses = play(arena, db, f"stdio:sh {script}", "--grace", "5", "--time", "5")
    assert set(losses) <= {Termination.NO_LEGAL_MOVE}


FLOOD = """
import json, os
from websockets.sync.client import connect
with connect(os.environ["ARENA_URL"], proxy=None) as arena:
    hello = {"type": "hello", "protocol": 1, "name": "bad", "games": ["take_stones"]}
    arena.send(json.dumps(hello))
    while True:
        arena.send('{"type": "move", "match": "x", "ply": 0, "move": 1}')
"""


# Takes 5 s: the flood lasts for four matches.
def test_bot_that_floods(db: Path, tmp_path: Path, arena: Run) -> None:
    script = tmp_path / "flood.py"
    script.write_text(FLOOD)
    _, losses = play(arena, db, f"cmd:{shlex.quote(sys.executable)} {script}")
    assert losses.total() == 4


# Stopped arenas


def suspend_arena(db: Path) -> tuple[list[str], CompletedCommand]:
    """Suspend the arena for longer than a clock lasts; return what the guest receives then."""

    async def scenario() -> list[str]:
        async with connect_guest(wait_for_url(running)) as player:
            first = await player.receive(Turn)
            running.send_signal(signal.SIGSTOP)
            await player.send(Move(first.match, first.ply, 1))
            time.sleep(0.6)  # the elapsed time is what is tested
            running.send_signal(signal.SIGCONT)
            ending = await player.receive(Finished)
            assert ending.match == first.match
            again = await player.receive(Turn)
            await player.connection.close()
            return [ending.termination, again.match]

    command = ["tournament", "--bots", "random", "external:guest", *FAST]
    with running_process(*COMMAND, *command, "--db", db) as running:
        heard = asyncio.run(scenario())
        return heard, wait_for_exit(running)


def test_a_clock_that_ran_while_the_arena_was_suspended(db: Path) -> None:
    heard, end = suspend_arena(db)
    first, again = read_matches(db)[:2]
    assert heard == ["aborted", str(again.id)]
    assert (first.result.winner, again.pairing) == (None, first.pairing)
    assert first.fault
    assert first.fault.lag > 0.3
    assert "2 of 2 matches" in end.out
