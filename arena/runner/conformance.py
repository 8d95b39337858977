"""Conformance test of a bot: runs all check items and reports their results.

A script runner has a server, the connection of the bot, and its program.
"""

import asyncio
import math
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from io import BufferedReader, FileIO
from typing import NamedTuple, TypeVar, cast

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State

from arena.conformance.checks import CHECK_ITEMS, CheckItem
from arena.conformance.scripted_referee import ScriptedReferee
from arena.conformance.steps import (
    AbortConnection,
    AcceptConnection,
    CheckFailed,
    CheckSkipped,
    CloseConnection,
    Receive,
    Received,
    ReceivePong,
    Script,
    Send,
    SendPing,
    Step,
    printable,
)
from arena.runner.processes import Process
from arena.sandbox.sandbox import UNPROTECTED, Sandbox
from arena.server.server import CLOSE_TIMEOUT, LOGGER, MAX_FRAME
from bots.stdio import ANSWER, MAX_LINE

LAST_OUTPUT_TIMEOUT = 0.3  # seconds for a program to exit after its connection, with its output
POLL_INTERVAL = 0.02  # seconds between two looks at a program
SILENT_SECONDS = 1.0  # without a connection, until a program is asked for a line, and after it

T = TypeVar("T")
ITEM_TIMEOUT = 120.0  # seconds
TOTAL_TIMEOUT = 600.0  # seconds for all items after the first hello


class InvalidBotArguments(Exception):
    """Rejection of a built-in bot's arguments by its program; the message is the program's."""


class BotProgram(Process):
    """Program of the checked bot, which is not restarted automatically.

    Attributes:
        answered_at: The monotonic time at which it has answered `ask` on its standard output, as
            bots of lines do; infinite before.
    """

    def __init__(
        self, name: str, command: Sequence[str], environment: Mapping[str, str], sandbox: Sandbox
    ) -> None:
        super().__init__(name, command, environment, sandbox=sandbox, stdout=subprocess.PIPE)
        self.answered_at = math.inf
        self._is_asked = False
        if self._process:
            threading.Thread(target=self._read_output, daemon=True).start()

    def ask(self, line: str) -> None:
        """Write the line of a turn to its standard input."""
        assert self._process, "it runs"
        assert self._process.stdin
        self._is_asked = True
        with suppress(OSError):  # it has closed its input, or ended
            self._process.stdin.write(line.encode())

    def _read_output(self) -> None:
        """Read all output, so that the program never blocks."""
        assert self._process
        assert self._process.stdout
        with BufferedReader(cast("FileIO", self._process.stdout)) as output:
            while line := output.readline(MAX_LINE):
                if self._is_asked and ANSWER.fullmatch(line):
                    self.answered_at = min(self.answered_at, time.monotonic())

    def kill(self) -> None:
        """Kill the program and its children."""
        self.request_stop()
        self.end()

    async def wait_for_failure(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds for its exit; return whether it has exited."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        while not self.failure and loop.time() < deadline:
            await asyncio.sleep(POLL_INTERVAL)
        return self.failure is not None


class BotConnection:
    """Connection of the checked bot.

    Timeouts count from the last frame that was sent, or from the start of the connection.

    Args:
        socket: The WebSocket connection.

    Attributes:
        socket: The WebSocket connection.
    """

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self._since = asyncio.get_running_loop().time()
        self._pong: asyncio.Future[float] | None = None

    async def send(self, frame: str) -> None:
        """Send a frame; a closed connection is reported by the next `receive`."""
        self._since = asyncio.get_running_loop().time()
        with suppress(ConnectionClosed):
            await self.socket.send(frame)

    async def receive(self, timeout: float) -> Received:
        """Receive a frame within `timeout` seconds."""
        frame, closed = None, ""
        try:
            async with asyncio.timeout_at(self._since + timeout):
                frame = await self.socket.recv()
        except TimeoutError:
            pass
        except ConnectionClosed as error:
            closed = f"a closed connection: {printable(str(error))}"
        return Received(frame, asyncio.get_running_loop().time() - self._since, closed)

    async def send_ping(self) -> None:
        """Send a ping."""
        with suppress(ConnectionClosed):
            self._pong = asyncio.ensure_future(await self.socket.ping())

    async def receive_pong(self, timeout: float) -> bool:
        """Return whether the pong arrives within `timeout` seconds."""
        assert self._pong, "a script sends a ping before it waits for the pong"
        left = self._since + timeout - asyncio.get_running_loop().time()
        done, _ = await asyncio.wait([self._pong], timeout=max(0.0, left))
        return bool(done) and self._pong.exception() is None


class ScriptRunner:
    """Runs scripts against a bot that connects to its server.

    The program, its connection and the steps of a script end each other.

    Args:
        name: The name for the bot's program.
        command: The words that start the program; None if the bot connects by itself.
        is_builtin: Whether the program is a built-in bot: its exit status 2 means that its
            arguments are invalid.
        sandbox: The sandbox of the program.
        turn_line: A turn for a program that reads lines, by which one that does not connect is
            told apart; None asks none.

    Attributes:
        last_sent: The last frame that was sent.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str] | None,
        is_builtin: bool,
        sandbox: Sandbox = UNPROTECTED,
        turn_line: str | None = None,
    ) -> None:
        self.last_sent = ""
        self._turn_line = turn_line
        self._name = name
        self._command = command
        self._is_builtin = is_builtin
        self._sandbox = sandbox
        self._program: BotProgram | None = None
        self._url = ""
        self._arrivals: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self._connection: BotConnection | None = None
        self._wrong_path = ""

    @asynccontextmanager
    async def listen(self, host: str, port: int) -> AsyncIterator[str]:
        """Listen for the bot, and start its program if it has one.

        Args:
            host: The host to listen on.
            port: The port to listen on; 0 for a free one.

        Yields:
            The URL for the bot.

        Raises:
            OSError: If the address cannot be used.
        """
        async with serve(
            self._arrive,
            host,
            port,
            process_request=self._route,
            compression=None,
            max_size=MAX_FRAME,
            ping_interval=None,  # a bot that answers no pings fails in one item, not in all
            close_timeout=CLOSE_TIMEOUT,
            logger=LOGGER,
        ) as server:
            address = f"[{host}]" if ":" in host else host
            self._url = f"ws://{address}:{next(iter(server.sockets)).getsockname()[1]}/play"
            try:
                yield self._url
            finally:
                if self._program:
                    self._program.kill()

    def start_program(self) -> None:
        """Start the program of the bot, if it has one."""
        if self._command:
            environment = {"ARENA_URL": self._url, "ARENA_NAME": self._name}
            self._program = BotProgram(self._name, self._command, environment, self._sandbox)

    def restart_program(self) -> bool:
        """Restart the program of the bot; return whether a new connection is to be expected."""
        if not self._program:
            return self._bot.socket.state is not State.OPEN
        self._program.kill()
        while not self._arrivals.empty():
            self._arrivals.get_nowait()
        self.start_program()
        return True

    async def run(self, script: Script[T]) -> T:
        """Run a script; return its result or raise its exception.

        Raises:
            InvalidBotArguments: If a built-in bot rejects its arguments.
        """
        result: object = None
        while True:
            try:
                step = script.send(result)
            except StopIteration as stop:
                returned: T = stop.value
                return returned
            result = await self._perform(step)

    async def _perform(self, step: Step) -> object:
        """Return the result of a step."""
        match step:
            case Send(frame):
                self.last_sent = frame
                await self._bot.send(frame)
            case Receive(timeout):
                return await self._receive(timeout)
            case SendPing():
                await self._bot.send_ping()
            case ReceivePong(timeout):
                return await self._bot.receive_pong(timeout)
            case AcceptConnection(timeout):
                return await self._accept(timeout)
            case AbortConnection():
                self._bot.socket.transport.abort()
            case CloseConnection(code):
                await self._bot.socket.close(code)
            case _:
                return await self._wait_for_exit(step.timeout)
        return None

    @property
    def _bot(self) -> BotConnection:
        assert self._connection, "a script begins with AcceptConnection"
        return self._connection

    def _route(self, connection: ServerConnection, request: Request) -> Response | None:
        """Accept requests for /play only, as the arena does."""
        if request.path.partition("?")[0] == "/play":
            return None
        self._wrong_path = request.path
        return connection.respond(404, "Bots connect to /play with WebSockets.\n")

    async def _arrive(self, connection: ServerConnection) -> None:
        self._arrivals.put_nowait(connection)
        await connection.wait_closed()

    async def _receive(self, timeout: float) -> Received:
        return await self._with_exit_message(await self._bot.receive(timeout))

    async def _with_exit_message(self, received: Received) -> Received:
        """Add why the program has exited to the end of its connection."""
        if not (received.closed and self._program):
            return received
        await self._program.wait_for_failure(LAST_OUTPUT_TIMEOUT)
        return received._replace(closed=received.closed + self._exit_message())

    async def _accept(self, timeout: float) -> str | None:
        """Return None, or the reason why there is no connection."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        line = None if self._connection else self._turn_line
        while self._arrivals.empty():
            if line and self._program and loop.time() > start + SILENT_SECONDS:
                self._program.ask(line)
                line = None
            # A bot that prints something may be about to connect.
            answered_at = self._program.answered_at if self._program else math.inf
            if not self._connection and loop.time() > answered_at + SILENT_SECONDS:
                return "an answer on standard output: this program reads lines: use stdio:"
            failure = self._program and self._program.failure
            if failure and self._is_builtin and self._program and self._program.status == 2:
                raise InvalidBotArguments(failure)
            if failure or loop.time() > start + timeout:
                path = self._wrong_path and f", but a request for {printable(self._wrong_path)}"
                return f"none within {loop.time() - start:.1f} s{path}{self._exit_message()}"
            await asyncio.sleep(POLL_INTERVAL)
        self._connection = BotConnection(self._arrivals.get_nowait())
        return None

    async def _wait_for_exit(self, timeout: float) -> tuple[int | None, str]:
        assert self._program, "a script skips this step for a bot without a program"
        if await self._program.wait_for_failure(timeout):
            return self._program.status, f"status {self._program.status}{self._exit_message()}"
        return None, f"none within {timeout:g} s"

    def _exit_message(self) -> str:
        failure = self._program and self._program.failure
        return f"; the program exited: {printable(failure)}" if failure else ""


class ItemReport(NamedTuple):
    """Result of a check item.

    Attributes:
        number: The number of the item.
        title: The title of the item.
        state: ok, FAILED, warning or skipped.
        detail: A summary if it is ok, the reason if it is skipped.
        sent: After a failure: the last frame that was sent.
        expected: After a failure: the expected behaviour.
        received: After a failure: the actual behaviour.
    """

    number: int
    title: str
    state: str
    detail: str = ""
    sent: str = ""
    expected: str = ""
    received: str = ""


class ConformanceTest:
    """All check items, run one after the other.

    Args:
        runner: The runner of their scripts.
        referee: The referee that the scripts use.
        report: Called with each report, in the order of the items' numbers.

    Attributes:
        reports: The reports so far, by the numbers of their items.
    """

    def __init__(
        self, runner: ScriptRunner, referee: ScriptedReferee, report: Callable[[ItemReport], object]
    ) -> None:
        self.reports: dict[int, ItemReport] = {}
        self._runner = runner
        self._referee = referee
        self._report = report
        self._needs_restart = self._is_lost = False
        self._deadline: float | None = None

    async def run(self) -> list[ItemReport]:
        """Run all items; return their reports, sorted by number.

        Raises:
            InvalidBotArguments: If a built-in bot rejects its arguments.
        """
        next_number = 1
        for item in CHECK_ITEMS:
            self.reports[item.number] = await self._run_item(item)
            while next_number in self.reports:
                self._report(self.reports[next_number])
                next_number += 1
        return [self.reports[number] for number in sorted(self.reports)]

    async def _run_item(self, item: CheckItem) -> ItemReport:
        skipped = ItemReport(item.number, item.title, "skipped")
        missing = [number for number in item.requires if self.reports[number].state != "ok"]
        if item is not CHECK_ITEMS[0] and not self._referee.hello:
            return skipped._replace(detail="no hello")
        if missing:
            return skipped._replace(detail=f"requires item {missing[0]}")
        if self._needs_restart and not self._is_lost:
            await self._restart()
        if self._is_lost:
            return skipped._replace(detail="the bot has not reconnected")
        return await self._run_script(item)

    async def _restart(self) -> None:
        """Begin with a new program or connection, so that one failure does not cause another."""
        try:
            if self._runner.restart_program():
                await self._runner.run(self._referee.receive_hello_again())
            self._needs_restart = False
        except CheckFailed:
            self._is_lost = True

    async def _run_script(self, item: CheckItem) -> ItemReport:
        report = ItemReport(item.number, item.title, "ok")
        timeout = self._timeout(item)
        self._runner.last_sent = ""
        try:
            async with asyncio.timeout(timeout):
                return report._replace(detail=await self._runner.run(item.script(self._referee)))
        except CheckSkipped as reason:
            return report._replace(state="skipped", detail=str(reason))
        except CheckFailed as error:
            failure = error
        except TimeoutError:
            failure = CheckFailed(f"an end within {timeout:g} s", "none")
        self._needs_restart = True
        return report._replace(
            state="FAILED" if item.is_required else "warning",
            sent=printable(self._runner.last_sent),
            expected=failure.expected,
            received=failure.received,
        )

    def _timeout(self, item: CheckItem) -> float | None:
        """Return the seconds for an item; the first has timeouts of its own."""
        if item is CHECK_ITEMS[0]:
            return None
        now = asyncio.get_running_loop().time()
        self._deadline = self._deadline or now + TOTAL_TIMEOUT
        return max(0.0, min(ITEM_TIMEOUT, self._deadline - now))
