"""Entrants of a tournament: names that belong to processes, waiting, and reports."""

import shlex
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena.protocol.player import PROTOCOL_VERSION, Error, Hello, Welcome
from arena.runner import entrants as module
from arena.runner.bot_log import BotLog
from arena.runner.entrants import MAX_UNEXPECTED, Entrants, InvalidEntrant, UnexpectedBots
from arena.server.admission import Admission
from bots.specification import read_bots
from tests.support.cases import loop_over
from tests.support.polling import TEST_TIMEOUT
from tests.support.servers.arena_server import ArenaServer, ScriptedBot, arena_server

# Connects to ARENA_URL and says hello under a name; prints the code of a refusal as its last words.
PROGRAM = """
import json, os, sys
from websockets.sync.client import connect
url = os.environ["ARENA_URL"]
with connect(url.partition("?")[0] if "anonymous" in sys.argv else url, proxy=None) as arena:
    hello = {"type": "hello", "protocol": 1, "name": sys.argv[1], "games": ["take_stones"]}
    arena.send(json.dumps(hello))
    answer = json.loads(arena.recv())
    if answer["type"] == "error":
        sys.exit(answer["code"])
    for _ in arena:
        pass
"""


@pytest.fixture(autouse=True)
def _long_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "JOIN_SECONDS", TEST_TIMEOUT)


@pytest.fixture
def program(tmp_path: Path) -> str:
    """Return the beginning of a specification of the program, which its arguments complete."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return f"cmd:{shlex.quote(sys.executable)} {path}"


@asynccontextmanager
async def launched(
    db: Path, bots: Mapping[str, str]
) -> AsyncIterator[tuple[ArenaServer, Entrants, list[str]]]:
    """Run an arena, launch bots that connect to it, and yield their reports too."""
    admission = Admission()
    reports: list[str] = []
    with Entrants(read_bots(bots), admission, reports.append) as entrants:
        async with arena_server(db, admission=admission) as server:
            entrants.launch(server.url, seed=1, matches=2)
            yield server, entrants, reports


async def hello(server: ArenaServer, name: str) -> ScriptedBot:
    """Connect and send hello without a token."""
    bot = await server.connect()
    await bot.send(Hello(PROTOCOL_VERSION, name, ["take_stones"]))
    return bot


async def test_output_tail(db: Path, tmp_path: Path) -> None:
    bots = {"chatty": "cmd:sh -c 'echo hello >&2'", "Ann": "external:Ann"}
    log = BotLog("chatty", tmp_path / "log")
    reports: list[str] = []
    with Entrants(read_bots(bots), Admission(), reports.append, logs={"chatty": log}) as entrants:
        async with arena_server(db) as server:
            entrants.launch(server.url, seed=1, matches=1)
            while not entrants.output_tail("chatty", 0.0):
                await server.arena.server.wait_for_change(timeout=0.05)
            log.notice = "a notice"
            while "a notice" not in reports:
                entrants.supervise()
                await server.arena.server.wait_for_change(timeout=0.05)
    log.notice = "the last one"
    entrants.report_finally()
    assert "the last one" in reports
    assert entrants.output_tail("chatty", 0.0).startswith("hello")
    assert entrants.output_tail("Ann", 0.0) == ""
    log.close()


# Names


async def test_programs_and_external_bots_without_token_connect(db: Path, program: str) -> None:
    bots = {"Ann": f"{program} Ann", "Bob": "greedy", "guest": "external:guest"}
    async with launched(db, bots) as (server, entrants, said):
        assert (await (await hello(server, "guest")).receive(Welcome)).name == "guest"
        await entrants.wait(server.arena.server, timeout=None)
        assert {*server.arena.server.sessions.bots} == {"Ann", "Bob", "guest"}
    assert said == []


async def test_no_other_program_can_use_the_name_of_a_launched_bot(db: Path) -> None:
    async with launched(db, {"Bob": "greedy"}) as (server, entrants, said):
        assert (await (await hello(server, "Bob")).receive(Error)).code == "name_reserved"
        await entrants.wait(server.arena.server, timeout=None)
        entrants.supervise()
    assert said == ["a program without the token of bot Bob connected as it, and was refused"]


async def test_a_program_has_no_other_name(db: Path, program: str) -> None:
    codes = {"Bob": "name_reserved", "guest": "not_your_name", "x": "not_your_name"}
    bad = {f"bad{name}": f"{program} {name}" for name in codes}
    bots = {**bad, "Bob": "greedy", "guest": "external:guest"}
    async with launched(db, bots) as (server, entrants, said):
        await server.run_bot("guest")
        await entrants.wait(server.arena.server, timeout=None)
        entrants.report_finally()
        assert {*server.arena.server.sessions.bots} == {"Bob", "guest"}
    culprits = [f"bot bad{name} connected as {name}, and was refused" for name in codes]
    assert sorted(said[-3:]) == culprits
    for culprit, (name, code) in zip(culprits, codes.items(), strict=True):
        assert [line for line in said if line.startswith(f"bot bad{name} has left: {code}")]
        assert said.count(culprit) == 2


# Waiting


@loop_over(("seconds", "per_bot"), [(0.1, 0.0), (0.0, 0.05)])
async def test_launched_bots_have_a_timeout_that_grows_with_their_number(
    db: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, per_bot: float
) -> None:
    monkeypatch.setattr(module, "JOIN_SECONDS", seconds)
    monkeypatch.setattr(module, "JOIN_SECONDS_PER_BOT", per_bot)
    bots = {"cat": "cmd:cat", "dog": "cmd:cat", "eve": "external:eve"}
    async with launched(db, bots) as (server, entrants, said):
        await server.run_bot("eve")
        assert await entrants.wait(server.arena.server, timeout=None)
    assert said == [
        "not connected after 0.1 s, continuing without cat, dog"
        " (a program that reads and writes lines is stdio:COMMAND, not cmd:COMMAND)"
    ]


@loop_over(
    ("bot", "failure"),
    [("cmd:false", "exited with status 1$"), ("python:none:Bot", "bot .* no module 'none'")],
)
async def test_a_bot_that_ends_before_it_is_connected_is_an_error(
    db: Path, bot: str, failure: str
) -> None:
    async with launched(db, {"bad": bot}) as (server, entrants, _):
        with pytest.raises(InvalidEntrant, match=rf"^bot bad has left: {failure}"):
            await entrants.wait(server.arena.server, timeout=None)


async def test_external_bots_may_have_a_timeout(db: Path) -> None:
    bots = {"a": "external:a", "b": "external:b", "c": "external:c", "d": "cmd:cat"}
    async with launched(db, bots) as (server, entrants, said):
        await server.run_bot("b")
        assert not await entrants.wait(server.arena.server, timeout=0.1)
    assert said == ["not connected after 0.1 s: a, c"]


# Unexpected bots


@loop_over(
    "expected, names, reports",
    (["Ann"], ["Ann", "foo", "foo"], ["foo"]),
    (None, ["foo"], []),  # before an open tournament
    ([], [f"{number}" for number in range(99)], [f"{n}" for n in range(MAX_UNEXPECTED)]),
)
def test_a_few_unexpected_bots_are_reported_once(
    expected: list[str] | None, names: list[str], reports: list[str]
) -> None:
    said: list[str] = []
    report = UnexpectedBots(expected, said.append)
    for name in names:
        report.joined(name, "192.0.2.1")
    if expected is None:
        report.expected = names
        report.joined(names[0], "192.0.2.1")
    assert said == [
        f"a bot named {name} connected, but is not in this tournament" for name in reports
    ]
