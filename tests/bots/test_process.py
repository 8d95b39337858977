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
from arena.protocol.player import Error, Hello, Move, Turn, Welcome
from bots.arguments import BotOptions
from bots.client import ClockReading, ProgramFailed, Strategy, TurnStrategy
from bots.playing import create_client, read_bot
from bots.process import main, parser
from bots.random_bot import RandomBot
from bots.stdio import StdioBot
from core import GAMES
from core.search import search
from core.take_stones import Board
from tests.support.cases import loop_over
from tests.support.games.toy_games import NIM
from tests.support.polling import TEST_TIMEOUT

CLOCK = ClockReading(remaining=100.0, opponent=100.0, increment=0.0)


class Ended(NamedTuple):
    """Exit status and output of a process."""

    status: int | None
    output: str
    errors: str


async def wait_for_end(process: Process) -> None:
    """Wait for the end of the bot."""
    await process.wait()


async def close_input(process: Process) -> None:
    assert process.stdin
    process.stdin.close()
    await process.wait()


async def interrupt(process: Process) -> None:
    process.send_signal(signal.SIGINT)
    await process.wait()


Script = Callable[[ServerConnection], Awaitable[None]]


def run(script: Script, then: Callable[[Process], Awaitable[None]], *arguments: str) -> Ended:
    """Run a bot against a scripted server; run `then` after the hello of the bot."""

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


async def close_normally(connection: ServerConnection) -> None:
    await connection.close(1000)


async def reject(connection: ServerConnection) -> None:
    await connection.send(encode(Error("name_taken", "the name is taken")))
    await connection.close(1008, "name_taken")


# Arguments


def run_main(capsys: pytest.CaptureFixture[str], *arguments: str) -> Ended:
    """Return the exit status and the output for invalid arguments."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert isinstance(caught.value.code, int)
    return Ended(caught.value.code, *capsys.readouterr())


INVALID = [
    ([], "required: BOT"),
    (["greedy", "--deep"], "unrecognized"),
    (["greedy", "--sandbox", "auto"], "applies to programs only"),
    (["greedy", "--pass-env", "A"], "applies to programs only"),
    (["program:"], "no command"),
    (
        ["program:sh", "--games", "isolation"],
        "bot sh cannot play isolation, which has no format of programs (choose from take_stones)",
    ),
    (["spec:4", "--seed", "1"], "--seed applies to random, openspiel, python only"),
    (["stdio:x", "--seed", "1"], "--seed applies to random, openspiel, python only"),
    (["random", "--seed", "x"], "--seed: must be a whole number, not 'x'"),
    (["spec", "--show-ignored"], "--show-ignored applies to programs only, not to 'spec:4'"),
    (["cmd:cat"], "bot 'cmd:cat' connects by itself"),
    (["stdio:./no body"], "program './no' not found"),
    (["stdio:cat", "--name", " x"], "without surrounding spaces"),
    (["greedy", "--games", "go"], "unknown game 'go' (choose from take_stones"),
    (
        ["perfect", "--games", "isolation"],
        "bot perfect cannot play isolation, which has no solver (choose from take_stones)",
    ),
    (["strong", "--games", "take_stones"], "take_stones, which has no strong search"),
    (["greedy", "--bot-files", "."], "--bot-files applies to users' bots only, not to 'greedy'"),
    (["greedy", "--matches", "0"], "--matches must be at least 1, not 0"),
    (["greedy", "--think", "0"], "--think must be above 0, not 0.0"),
    (["greedy", "--think", "nan"], "--think: must be a number, not 'nan'"),
    (["greedy", "--name", " x"], "without surrounding spaces"),
    (["greedy", "--url", "http://here/play"], "--url must be ws://HOST:PORT/play"),
    (["greedy", "--url", "ws://[::1/play"], "--url must be ws://HOST:PORT/play"),
    (["greedy", "--url", "ws://h:99999/"], "--url must be ws://HOST:PORT/play"),
    (["greedy", "--url", "ws://h/play#x"], "--url must be ws://HOST:PORT/play"),
]


@loop_over(("arguments", "message"), INVALID)
def test_invalid_arguments_print_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    end = run_main(capsys, *arguments)
    assert (end.status, end.output) == (2, "")
    assert re.fullmatch(rf"bots: [^\n]*{re.escape(message)}[^\n]*\n", end.errors)


def test_help_lists_all_bots(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = run_main(capsys, "--help")
    assert (status, errors) == (0, "")
    assert all(
        name in output for name in ("random, greedy, spec, strong, perfect", "stdio:COMMAND")
    )


def options_of(*arguments: str) -> BotOptions:
    return BotOptions.of(vars(parser().parse_args(arguments)))


@loop_over(("bot", "name"), [("spec", "spec:4"), ("spec@nodes=9", "spec:4@nodes=9")])
def test_spec_has_a_default_depth(bot: str, name: str) -> None:
    assert read_bot(options_of(bot)).default_name == name


def hello_for(*arguments: str) -> Hello:
    """Return the hello of the client."""
    client, _ = create_client(options_of(*arguments))
    return client._hello


@loop_over(
    "arguments, games",
    (["greedy"], ["take_stones", "isolation"]),
    (["perfect"], ["take_stones"]),
    (["greedy", "--games", "isolation"], ["isolation"]),
    (["greedy", "--games", "isolation", "take_stones"], ["isolation", "take_stones"]),
    (["perfect", "--games", "take_stones"], ["take_stones"]),
)
def test_games_of_a_bot(arguments: list[str], games: list[str]) -> None:
    assert hello_for(*arguments).games == games


@loop_over(("bot", "can_play"), [("spec:3", False), ("spec:0", True), ("greedy", True)])
def test_bots_without_evaluation(bot: str, can_play: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, NIM.name, NIM)
    assert (NIM.name in hello_for(bot).games) == can_play


@loop_over(("arguments", "casual"), [([], False), (["--casual"], True)])
def test_casual_option(arguments: list[str], casual: bool) -> None:
    assert hello_for("greedy", *arguments).casual == casual


@loop_over(
    "environment, arguments, name",
    [("eve", [], "eve"), ("eve", ["--name", "me"], "me"), ("", [], "greedy")],
)
def test_name_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: str, arguments: list[str], name: str
) -> None:
    monkeypatch.setenv("ARENA_NAME", environment)
    assert hello_for("greedy", *arguments).name == name


@loop_over(
    "environment, arguments, url",
    ("", [], "ws://127.0.0.1:8765/play"),
    ("ws://there/play", [], "ws://there/play"),
    ("ws://there/play", ["--url", "ws://here/play"], "ws://here/play"),
)
def test_url_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: str, arguments: list[str], url: str
) -> None:
    monkeypatch.setenv("ARENA_URL", environment)
    assert parser().parse_args(["greedy", *arguments]).url == url


def test_bad_variables(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("ARENA_URL", "http://here")
    assert run_main(capsys, "greedy").errors.startswith("bots: --url must be ws://HOST:PORT/play")
    monkeypatch.delenv("ARENA_URL")
    monkeypatch.setenv("ARENA_TOKEN", "tsa_s\u00e9cret")
    line = "bots: ARENA_TOKEN contains non-ASCII characters\n"
    assert run_main(capsys, "greedy") == Ended(2, "", line)


@loop_over(("environment", "token"), [("tsa_secret", "tsa_secret"), ("", None)])
def test_token_is_taken_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, environment: str, token: str | None
) -> None:
    monkeypatch.setenv("ARENA_TOKEN", environment)
    assert hello_for("greedy").token == token
    assert "ARENA_TOKEN" not in os.environ


def test_program_does_not_inherit_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_TOKEN", "tsa_secret")
    _, program = create_client(options_of("stdio:sh -c 'test -z \"$ARENA_TOKEN\"'"))
    assert isinstance(program, StdioBot)
    with closing(program), pytest.raises(ProgramFailed, match="ended with status 0"):
        program.watch()


def strategy_for(*arguments: str) -> Strategy:
    """Return the strategy of the client."""
    client, _ = create_client(options_of(*arguments))
    strategy = client._strategy
    assert not isinstance(strategy, TurnStrategy)
    return strategy


def test_random_uses_a_given_seed() -> None:
    bot = strategy_for("random", "--seed", "7")
    starts = [Board(n) for n in range(20, 60)]
    assert [bot(start, CLOCK) for start in starts] == [RandomBot(7)(s, CLOCK) for s in starts]
    starts = [Board(n) for n in range(20, 60)]
    bots = [strategy_for("random") for _ in range(2)]
    assert [bots[0](s, CLOCK) for s in starts] != [bots[1](s, CLOCK) for s in starts]


@loop_over(("bot", "depth"), [("spec:1", 1), ("spec:2", 2), ("spec", 4)])
def test_spec_searches_to_its_depth(bot: str, depth: int) -> None:
    strategy = strategy_for(bot)
    boards = [Board(n, [5]) for n in range(20, 50)]
    expected = [search(board, depth).move for board in boards]
    assert [strategy(board, CLOCK) for board in boards] == expected


# Process


def test_normal_ends_have_status_0() -> None:
    assert run(close_normally, wait_for_end) == (0, "", "")
    assert run(wait, close_input, "--until-eof") == (0, "", "")
    assert main(["greedy", "--dry-run", "--url", "ws://127.0.0.1:1/play"]) == 0


def test_a_dry_run_names_a_program_that_ends_by_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bots.process.TRIAL_SECONDS", 0.0)
    assert main(["stdio:cat", "--dry-run"]) == 0
    monkeypatch.setattr("bots.process.TRIAL_SECONDS", TEST_TIMEOUT)
    with pytest.raises(SystemExit, match="2"):
        main(["stdio:sh -c 'exit 3'", "--dry-run"])
    assert capsys.readouterr() == ("", "bots: sh ended with status 3\n")


@pytest.mark.usefixtures("measured")
def test_rejection_is_printed() -> None:
    ended = run(reject, wait_for_end)
    assert ended == (1, "", "bots: the name is taken (name_taken)\n")


@pytest.mark.usefixtures("measured")
def test_status_130_after_ctrl_c() -> None:
    assert run(wait, interrupt) == (130, "", "")


def test_closed_input_is_ignored_by_default() -> None:
    async def close_input_then_end(process: Process) -> None:
        assert process.stdin
        process.stdin.close()
        may_close.set()
        await process.wait()

    async def end_later(connection: ServerConnection) -> None:
        await may_close.wait()
        await (await connection.ping())

    may_close = asyncio.Event()
    assert run(end_later, close_input_then_end) == (0, "", "")


async def serve_once(script: Script, *arguments: str) -> None:
    """Run the client in a thread of this process."""
    async with serve(script, "127.0.0.1", 0) as server, asyncio.timeout(TEST_TIMEOUT):
        port = next(iter(server.sockets)).getsockname()[1]
        words = [*arguments, "--url", f"ws://127.0.0.1:{port}/"]
        assert await asyncio.to_thread(main, words) == 0


def test_hello_has_the_options() -> None:
    hello = Hello(protocol=1, name="me", games=[*GAMES], matches=3)
    assert hello_for("greedy", "--name", "me", "--matches", "3") == hello


async def test_think_limits_the_time_of_a_move() -> None:
    moves = []

    async def script(connection: ServerConnection) -> None:
        await connection.recv()
        await connection.send(encode(Welcome(1, "spec", "key")))
        clocks = (86_400_000, 86_400_000)
        turn = Turn("1", "take_stones", {"stones": 60}, [], 0, 1, clocks, 0, "other", per_move=True)
        await connection.send(encode(turn))
        moves.append(decode_from_bot(await connection.recv()))

    await serve_once(script, "spec:0", "--think", "0.1")
    assert [type(move) for move in moves] == [Move]


@pytest.mark.usefixtures("measured")
def test_bot_plays_a_tournament(tmp_path: Path) -> None:
    options = ["--stones", "7", "20", "--json", "--db", str(tmp_path / "arena.db")]
    tournament = [sys.executable, "-m", "arena", "tournament", "--bots", "greedy", "external:me"]
    with subprocess.Popen(
        [*tournament, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as arena:
        try:
            assert arena.stderr
            url = next(found[0] for line in arena.stderr if (found := re.search(r"ws://\S+", line)))
            bot = [sys.executable, "-m", "arena", "bot", "random", "--name", "me", "--url", url]
            ended = subprocess.run(
                bot, timeout=TEST_TIMEOUT, check=False, capture_output=True, text=True
            )
            output, _ = arena.communicate(timeout=TEST_TIMEOUT)
        finally:
            arena.kill()
    assert json.loads(output)["finished"] == 4
    assert (ended.returncode, ended.stdout) == (0, "")
    connected, *results, done = ended.stderr.splitlines()
    assert connected == f"arena: connected to {url} as me"
    assert done == "arena: the arena is done"
    assert len(results) == 4
    line = r"arena: match \d against greedy: (won|lost), player [12] \((me|greedy)\) cannot move"
    assert all(re.fullmatch(line, each) for each in results)


@loop_over("bot", ["program:sh", "stdio:sh"])
def test_a_required_sandbox_that_does_not_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], bot: str
) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is broken")
    line = "bots: --sandbox require: it is broken\n"
    assert run_main(capsys, bot, "--sandbox", "require") == Ended(2, "", line)


def test_a_missing_sandbox_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("arena.sandbox.sandbox.bubblewrap_problem", lambda: "it is broken")
    reports: list[str] = []
    create_client(options_of("program:sh"), reports.append)
    assert reports == ["programs run with limits, but not isolated: it is broken"]
    assert main(["program:sh", "--dry-run"]) == 0
    assert capsys.readouterr() == ("", "")  # the arena that starts the bot has said it
