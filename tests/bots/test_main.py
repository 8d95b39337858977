"""The bots' command line."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.asyncio.server import ServerConnection, serve

from arena.protocol.codec import decode_from_bot, encode
from arena.protocol.player import Error, Hello, Move, Turn
from bots.__main__ import chosen, main, parser, prepared
from bots.client import Clock
from bots.random_bot import RandomBot
from bots.stdio import ProgramFailed
from core import GAMES
from core.search import search
from core.take_stones import Board
from tests.support.arena_server import TEST_TIMEOUT

CLOCK = Clock(remaining=100.0, opponent=100.0, increment=0.0)


class Ended(NamedTuple):
    """A program that has ended."""

    status: int | None
    output: str
    errors: str


async def leave_alone(process: Process) -> None:
    """Let a bot end by itself."""
    await process.wait()


async def close_input(process: Process) -> None:
    assert process.stdin
    process.stdin.close()
    await process.wait()


async def interrupt(process: Process) -> None:
    process.send_signal(signal.SIGINT)
    await process.wait()


def run(
    script: Callable[[ServerConnection], Awaitable[None]],
    then: Callable[[Process], Awaitable[None]],
    *arguments: str,
) -> Ended:
    """Run a bot in an arena that follows a script, and once the bot has said hello do `then`."""

    async def run_both() -> Ended:
        greeted = asyncio.Event()

        async def follow(connection: ServerConnection) -> None:
            await connection.recv()
            greeted.set()
            await script(connection)

        async with serve(follow, "127.0.0.1", 0) as server, asyncio.timeout(TEST_TIMEOUT):
            port = next(iter(server.sockets)).getsockname()[1]
            url = f"ws://127.0.0.1:{port}/play"
            command = [sys.executable, "-m", "bots", "greedy", "--url", url, *arguments]
            process = await asyncio.create_subprocess_exec(
                *command, stdin=PIPE, stdout=PIPE, stderr=PIPE
            )
            await greeted.wait()
            await then(process)
            output, errors = await process.communicate()
            return Ended(process.returncode, output.decode(), errors.decode())

    return asyncio.run(run_both())


async def wait(connection: ServerConnection) -> None:
    await connection.wait_closed()


async def say_that_it_is_over(connection: ServerConnection) -> None:
    await connection.close(1000)


async def refuse(connection: ServerConnection) -> None:
    await connection.send(encode(Error("name_taken", "there is one already")))
    await connection.close(1008, "name_taken")


# Arguments


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """What the program says of arguments that it does not like."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert isinstance(caught.value.code, int)
    return Ended(caught.value.code, *capsys.readouterr())


BAD = [
    pytest.param([], "required: BOT", id="none"),
    pytest.param(["chess:3"], "no bot 'chess:3'", id="unknown bot"),
    pytest.param(["greedy", "--deep"], "unrecognized", id="unknown option"),
    pytest.param(["greedy:3"], "only spec has a depth", id="depth of greedy"),
    pytest.param(["random", "--depth", "3"], "only spec has a depth", id="depth of random"),
    pytest.param(["spec:4", "--seed", "1"], "only random has a seed", id="seed of spec"),
    pytest.param(["random", "--seed", "x"], "invalid int", id="seed that is no number"),
    pytest.param(["spec:3", "--depth", "3"], "one too many", id="two depths"),
    pytest.param(["spec:four"], "not 'four'", id="depth that is no number"),
    pytest.param(["spec:-1"], "not '-1'", id="depth with a sign"),
    pytest.param(["spec:" + 5000 * "9"], "limit", id="depth beyond all bounds"),
    pytest.param(["spec", "--depth", "-1"], "0 or more plies, not -1", id="depth below 0"),
    pytest.param(["stdio", "--depth", "3"], "only spec has a depth", id="depth of a program"),
    pytest.param(["stdio:x", "--seed", "1"], "only random has a seed", id="seed of a program"),
    pytest.param(["stdio:"], "command '' names no program", id="no command"),
    pytest.param(["stdio:'x"], "No closing quotation", id="command with one quote"),
    pytest.param(["stdio:./no body"], "cannot run './no': No such file", id="no program"),
    pytest.param(["stdio:/"], "cannot run '/': Permission denied", id="no executable program"),
    pytest.param(["stdio:/", "--name", " x"], "no space around", id="name of a program"),
    pytest.param(["greedy", "--games", "go"], "no game 'go', but take_stones", id="unknown game"),
    pytest.param(
        ["perfect", "--games", "isolation"], "perfect cannot play isolation", id="unsolved"
    ),
    pytest.param(["greedy", "--matches", "0"], "at least 1, not 0", id="no matches"),
    pytest.param(["greedy", "--think", "0"], "must be above 0, not 0", id="no time to think"),
    pytest.param(["greedy", "--think", "-2"], "must be above 0, not -2", id="time below 0"),
    pytest.param(["greedy", "--think", "nan"], "must be above 0, not nan", id="time not a number"),
    pytest.param(["greedy", "--think", "long"], "invalid float", id="time in words"),
    pytest.param(["greedy", "--name", " x"], "no space around", id="name with space around"),
    pytest.param(["greedy", "--url", "http://here/play"], "not like ws://", id="url of the web"),
    pytest.param(["greedy", "--url", "ws://"], "not like ws://", id="url without a host"),
    pytest.param(["greedy", "--url", "ws://[::1/play"], "not like ws://", id="url with one ["),
    pytest.param(["greedy", "--url", "ws://h:99999/"], "not like ws://", id="url's port too high"),
    pytest.param(["greedy", "--url", "ws://h:0/play"], "not like ws://", id="url's port 0"),
    pytest.param(["greedy", "--url", "ws://h/play#x"], "not like ws://", id="url with a fragment"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_arguments_get_one_line_that_says_why(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    errors = refused(capsys, *arguments).errors
    assert re.fullmatch(rf"bots: [^\n]*{re.escape(message)}[^\n]*\n", errors)


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_arguments_end_with_status_2_and_no_output(
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,  # noqa: ARG001
) -> None:
    assert refused(capsys, *arguments)[:2] == (2, "")


def test_help_tells_of_every_bot(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = refused(capsys, "--help")
    assert (status, errors) == (0, "")
    assert all(name in output for name in ("random, greedy, spec, perfect", "stdio:COMMAND"))


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["random"], "random"),
        (["greedy"], "greedy"),
        (["perfect"], "perfect"),
        (["spec"], "spec:4"),
        (["spec:0"], "spec:0"),
        (["spec", "--depth", "7"], "spec:7"),
    ],
)
def test_a_bot_has_a_name_of_its_own(arguments: list[str], name: str) -> None:
    assert chosen(parser().parse_args(arguments))[0] == name


def prepared_by(*arguments: str) -> Hello:
    """What the client would say."""
    client, _ = prepared(parser().parse_args(arguments))
    return client._hello


@pytest.mark.parametrize(
    ("arguments", "games"),
    [
        (["greedy"], ["take_stones", "isolation"]),
        (["perfect"], ["take_stones"]),
        (["greedy", "--games", "isolation"], ["isolation"]),
        (["greedy", "--games", "isolation", "take_stones"], ["isolation", "take_stones"]),
        (["perfect", "--games", "take_stones"], ["take_stones"]),
    ],
)
def test_a_bot_plays_all_it_can_or_what_it_is_told(arguments: list[str], games: list[str]) -> None:
    assert prepared_by(*arguments).games == games


@pytest.mark.parametrize(("arguments", "casual"), [([], False), (["--casual"], True)])
def test_a_bot_is_casual_if_it_is_told(arguments: list[str], casual: bool) -> None:
    assert prepared_by("greedy", *arguments).casual == casual


def test_the_environment_tells_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_NAME", "eve")
    assert prepared_by("greedy").name == "eve"


def test_the_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_NAME", "eve")
    assert prepared_by("greedy", "--name", "me").name == "me"


def test_an_empty_name_in_the_environment_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_NAME", "")
    assert prepared_by("greedy").name == "greedy"


@pytest.mark.parametrize(
    ("environment", "arguments", "url"),
    [
        ("", [], "ws://127.0.0.1:8765/play"),
        ("ws://there/play", [], "ws://there/play"),
        ("ws://there/play", ["--url", "ws://here/play"], "ws://here/play"),
    ],
)
def test_the_environment_tells_the_url(
    monkeypatch: pytest.MonkeyPatch, environment: str, arguments: list[str], url: str
) -> None:
    monkeypatch.setenv("ARENA_URL", environment)
    assert parser().parse_args(["greedy", *arguments]).url == url


def test_a_bad_url_in_the_environment_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_URL", "http://here")
    assert refused(capsys, "greedy").errors.startswith("bots: url 'http://here' is not like ws://")


def test_the_environment_tells_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_secret")
    assert prepared_by("greedy").token == "tsa_secret"


def test_an_empty_token_in_the_environment_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "")
    assert prepared_by("greedy").token is None


def test_the_token_does_not_stay_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_secret")
    prepared_by("greedy")
    assert "ARENA_TOKEN" not in os.environ


def test_a_program_is_not_told_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_secret")
    arguments = parser().parse_args(["stdio:sh -c 'test -z \"$ARENA_TOKEN\"'"])
    _, program = prepared(arguments)
    assert program
    with closing(program), pytest.raises(ProgramFailed, match="ended with status 0"):
        program.watch()


def test_a_token_that_is_none_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_s\u00e9cret")
    line = "bots: ARENA_TOKEN in the environment is no token: it has other than ASCII\n"
    assert refused(capsys, "greedy") == Ended(2, "", line)


def test_random_plays_by_the_seed_given() -> None:
    _, bot = chosen(parser().parse_args(["random", "--seed", "7"]))
    starts = [Board(n) for n in range(20, 60)]
    assert [bot(start, CLOCK) for start in starts] == [RandomBot(7)(s, CLOCK) for s in starts]


def test_random_plays_differently_without_a_seed() -> None:
    starts = [Board(n) for n in range(20, 60)]
    bots = [chosen(parser().parse_args(["random"]))[1] for _ in range(2)]
    assert [bots[0](s, CLOCK) for s in starts] != [bots[1](s, CLOCK) for s in starts]


@pytest.mark.parametrize(("bot", "depth"), [("spec:1", 1), ("spec:2", 2), ("spec", 4)])
def test_spec_plays_to_its_depth(bot: str, depth: int) -> None:
    choose = chosen(parser().parse_args([bot]))[1]
    boards = [Board(n, [5]) for n in range(20, 50)]
    expected = [search(board, depth).move for board in boards]
    assert [choose(board, CLOCK) for board in boards] == expected


# As a program


def test_it_ends_well_when_the_arena_says_that_it_is_over() -> None:
    assert run(say_that_it_is_over, leave_alone) == (0, "", "")


def test_it_says_why_it_was_refused() -> None:
    ended = run(refuse, leave_alone)
    assert ended == (1, "", "bots: there is one already (name_taken)\n")


def test_ctrl_c_ends_it() -> None:
    assert run(wait, interrupt) == (130, "", "")


def test_it_leaves_when_its_input_is_closed() -> None:
    assert run(wait, close_input, "--until-eof") == (0, "", "")


def test_it_stays_without_input_unless_told_otherwise() -> None:
    async def close_input_then_end(process: Process) -> None:
        assert process.stdin
        process.stdin.close()
        may_end.set()
        await process.wait()

    async def end_later(connection: ServerConnection) -> None:
        await may_end.wait()
        await (await connection.ping())

    may_end = asyncio.Event()
    assert run(end_later, close_input_then_end) == (0, "", "")


def test_it_says_hello_as_told() -> None:
    heard = []

    async def script(connection: ServerConnection) -> None:
        heard.append(decode_from_bot(await connection.recv()))

    async def listen() -> None:
        async with serve(script, "127.0.0.1", 0) as server, asyncio.timeout(TEST_TIMEOUT):
            port = next(iter(server.sockets)).getsockname()[1]
            options = ["--url", f"ws://127.0.0.1:{port}/", "--name", "me", "--matches", "3"]
            assert await asyncio.to_thread(main, ["greedy", *options]) == 0

    asyncio.run(listen())
    assert heard == [Hello(protocol=1, name="me", games=[*GAMES], matches=3)]


def test_it_thinks_no_longer_than_it_is_told() -> None:
    moves = []

    async def script(connection: ServerConnection) -> None:
        await connection.recv()
        clocks = (86_400_000, 86_400_000)
        turn = Turn("1", "take_stones", {"stones": 60}, [], 0, 1, clocks, 0, "other", per_move=True)
        await connection.send(encode(turn))
        moves.append(decode_from_bot(await connection.recv()))

    async def listen() -> None:
        async with serve(script, "127.0.0.1", 0) as server, asyncio.timeout(TEST_TIMEOUT):
            port = next(iter(server.sockets)).getsockname()[1]
            options = ["--url", f"ws://127.0.0.1:{port}/", "--think", "0.1"]
            assert await asyncio.to_thread(main, ["spec:0", *options]) == 0

    asyncio.run(listen())
    assert [type(move) for move in moves] == [Move]


def test_it_plays_in_a_real_arena(tmp_path: Path) -> None:
    options = ["--stones", "7", "20", "--json", "--db", str(tmp_path / "arena.db")]
    tournament = [sys.executable, "-m", "arena", "tournament", "--bots", "greedy", "external:me"]
    with subprocess.Popen(
        [*tournament, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as arena:
        try:
            assert arena.stderr
            url = next(found[0] for line in arena.stderr if (found := re.search(r"ws://\S+", line)))
            bot = [sys.executable, "-m", "bots", "random", "--name", "me", "--url", url]
            assert subprocess.run(bot, timeout=TEST_TIMEOUT, check=False).returncode == 0
            output, _ = arena.communicate(timeout=TEST_TIMEOUT)
        finally:
            arena.kill()
    assert json.loads(output)["finished"] == 4
