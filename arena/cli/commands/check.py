"""arena check: try a bot, and tell its author what works and what does not."""

import asyncio
import json
import sys
from collections import Counter
from contextlib import suppress
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.protocol import State

from arena.cli.arguments import UsageError
from arena.cli.configuration import CheckConfig
from arena.cli.output import notify
from arena.cli.serving import run_until_terminated
from arena.conformance.checks import ITEMS, Item
from arena.conformance.steps import (
    Close,
    Drop,
    Fault,
    Heard,
    Join,
    Ping,
    Pong,
    Receive,
    Referee,
    Script,
    Send,
    Skipped,
    Step,
    shown,
)
from arena.runner.bot_spec import COMMAND, EXTERNAL, STDIO, command_words
from arena.runner.processes import Process
from arena.server.server import CLOSE_TIMEOUT, LOGGER, MAX_FRAME

NAME = "checked"  # what a bot that is started here is told to call itself
PORT = 8765  # where one that dials in looks by itself
MATCHES = 2  # at once, that a bot of ours offers
ITEM_SECONDS = 120.0  # that one item may take
TOTAL_SECONDS = 600.0  # that all may take, from the first hello on
LAST_SECONDS = 0.3  # for a program to end after its connection, and for its last words
POLL_SECONDS = 0.02  # between two looks at a program
MOST_PATIENCE = 3600.0  # seconds

T = TypeVar("T")


class Report(NamedTuple):
    """What has come of an item: ok, FAILED, warning or skipped.

    The last message that was sent, what was expected then and what came are empty where all is
    well.
    """

    number: int
    title: str
    state: str
    detail: str
    sent: str = ""
    expected: str = ""
    came: str = ""


class Program(Process):
    """The bot's program, which is not started again."""

    @property
    def status(self) -> int | None:
        """Its exit status, or None if it runs or could not be started."""
        return self._process.poll() if self._process else None

    def kill(self) -> None:
        """End it, and all it has started."""
        self.request_stop()
        self.end()


class Stage:
    """Where scripts are performed: a server, the bot's connection, and its program if there is one.

    `bot` says which program that is; None if the bot dials in by itself. Raises UsageError.
    """

    def __init__(self, bot: str | None) -> None:
        self.sent = ""  # the last message
        self.program: Program | None = None
        self._command = _command(bot) if bot else None
        self._is_ours = bot is not None and not bot.startswith(COMMAND)
        self._url = ""
        self._arrivals: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self._connection: ServerConnection | None = None
        self._since = 0.0
        self._pong: asyncio.Future[float] | None = None
        self._strange_path = ""

    def open(self, url: str) -> None:
        """Begin, where bots can join at the URL."""
        self._url = url
        self._start()

    def close(self) -> None:
        """End the program."""
        if self.program:
            self.program.kill()

    def _start(self) -> None:
        if self._command:
            environment = {"ARENA_URL": self._url, "ARENA_NAME": NAME}
            self.program = Program(NAME, self._command, environment)

    def route(self, connection: ServerConnection, request: Request) -> Response | None:
        """Let bots through to /play, as the arena does."""
        if request.path.partition("?")[0] == "/play":
            return None
        self._strange_path = request.path
        return connection.respond(404, "Bots connect to /play with WebSockets.\n")

    async def arrive(self, connection: ServerConnection) -> None:
        """Keep a connection until it is closed."""
        self._arrivals.put_nowait(connection)
        await connection.wait_closed()

    async def again(self, referee: Referee) -> None:
        """Begin anew after a fault, so that no other item suffers from it. Raises Fault."""
        if self.program:
            self.program.kill()
            while not self._arrivals.empty():
                self._arrivals.get_nowait()
            self._start()
        elif self._bot.state is State.OPEN:
            return
        await self.perform(referee.next_hello())

    async def perform(self, script: Script[T]) -> T:
        """What the script returns. Raises what it raises."""
        outcome: object = None
        while True:
            try:
                step = script.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            outcome = await self._take(step)

    async def _take(self, step: Step) -> object:
        """What has come of a step."""
        match step:
            case Send(frame):
                self.sent, self._since = frame, asyncio.get_running_loop().time()
                with suppress(ConnectionClosed):  # of which the next Receive tells
                    await self._bot.send(frame)
            case Receive(seconds):
                return await self._receive(seconds)
            case Ping():
                with suppress(ConnectionClosed):
                    self._pong = asyncio.ensure_future(await self._bot.ping())
            case Pong(seconds):
                return await self._ponged(seconds)
            case Join(seconds):
                return await self._join(seconds)
            case Drop():
                self._bot.transport.abort()
            case Close(code):
                await self._bot.close(code)
            case _:
                return await self._end(step.seconds)
        return None

    @property
    def _bot(self) -> ServerConnection:
        assert self._connection, "a script begins with Join"
        return self._connection

    async def _receive(self, seconds: float) -> Heard:
        loop = asyncio.get_running_loop()
        frame, lost = None, ""
        try:
            async with asyncio.timeout_at(self._since + seconds):
                frame = await self._bot.recv()
        except TimeoutError:
            pass
        except ConnectionClosed as closed:
            lost = f"the end of the connection: {shown(str(closed))}"
        elapsed = loop.time() - self._since
        if lost and self.program:
            await self._ended(LAST_SECONDS)
            lost += self._last_words()
        return Heard(frame, elapsed, lost)

    async def _ponged(self, seconds: float) -> bool:
        assert self._pong, "a script has Ping before Pong"
        left = self._since + seconds - asyncio.get_running_loop().time()
        done, _ = await asyncio.wait([self._pong], timeout=max(0.0, left))
        return bool(done) and self._pong.exception() is None

    async def _join(self, seconds: float) -> str | None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while self._arrivals.empty():
            failure = self.program and self.program.failure
            if failure or loop.time() > deadline:
                if failure and self._is_ours and self.program and self.program.status == 2:
                    raise UsageError(failure)  # bad arguments, which are no fault of the bot
                path = self._strange_path and f", only a request for {shown(self._strange_path)}"
                elapsed = loop.time() - deadline + seconds
                return f"none within {elapsed:.1f} s{path}{self._last_words()}"
            await asyncio.sleep(POLL_SECONDS)
        self._connection = self._arrivals.get_nowait()
        self._since = loop.time()
        return None

    async def _end(self, seconds: float) -> tuple[int | None, str]:
        assert self.program, "a script skips this where no program was started"
        if await self._ended(seconds):
            return self.program.status, f"status {self.program.status}{self._last_words()}"
        return None, f"none within {seconds:g} s"

    async def _ended(self, seconds: float) -> bool:
        """Wait so long for the end of the program. Returns whether it has come."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        assert self.program
        while not self.program.failure and loop.time() < deadline:
            await asyncio.sleep(POLL_SECONDS)
        return self.program.failure is not None

    def _last_words(self) -> str:
        failure = self.program and self.program.failure
        return f"; the program has left: {shown(failure)}" if failure else ""


class Check:
    """All items, from the first to the last; each report is shown when those before it are."""

    def __init__(self, stage: Stage, referee: Referee, is_quiet: bool) -> None:
        self.reports: dict[int, Report] = {}
        self._stage = stage
        self._referee = referee
        self._is_quiet = is_quiet
        self._is_broken = self._is_gone = False
        self._deadline: float | None = None

    async def run(self) -> None:
        """Try all items."""
        next_shown = 1
        for item in ITEMS:
            self.reports[item.number] = await self._report(item)
            while next_shown in self.reports and not self._is_quiet:
                _show(self.reports[next_shown])
                next_shown += 1

    async def _report(self, item: Item) -> Report:
        report = Report(item.number, item.title, "skipped", "")
        missing = [need for need in item.needs if self.reports[need].state != "ok"]
        if item is not ITEMS[0] and not self._referee.hello:
            return report._replace(detail="no hello")
        if missing:
            return report._replace(detail=f"needs item {missing[0]}")
        if self._is_broken and not self._is_gone:
            try:
                await self._stage.again(self._referee)
                self._is_broken = False
            except Fault:
                self._is_gone = True
        if self._is_gone:
            return report._replace(detail="the bot is gone")
        return await self._try(item, report)

    async def _try(self, item: Item, report: Report) -> Report:
        self._stage.sent = ""
        seconds = self._seconds(item)
        try:
            async with asyncio.timeout(seconds):
                detail = await self._stage.perform(item.script(self._referee))
        except Skipped as reason:
            return report._replace(detail=str(reason))
        except Fault as found:
            fault = found
        except TimeoutError:
            fault = Fault(f"an end within {seconds:g} s", "none")
        else:
            return report._replace(state="ok", detail=detail)
        self._is_broken = True
        return report._replace(
            state="FAILED" if item.is_required else "warning",
            sent=shown(self._stage.sent),
            expected=fault.expected,
            came=fault.came,
        )

    def _seconds(self, item: Item) -> float | None:
        """How long an item may take. The first has deadlines of its own."""
        if item is ITEMS[0]:
            return None
        now = asyncio.get_running_loop().time()
        self._deadline = self._deadline or now + TOTAL_SECONDS
        return max(0.0, min(ITEM_SECONDS, self._deadline - now))


def run(arguments: CheckConfig) -> int:
    """Check a bot, and print what works. Returns the exit status: 1 if anything has failed."""
    if not 0 < arguments.timeout <= MOST_PATIENCE:
        raise UsageError(
            f"--timeout must be from 0 to {MOST_PATIENCE:g} seconds, not {arguments.timeout}"
        )
    try:
        return run_until_terminated(_check(arguments, Stage(arguments.bot)))
    except (KeyboardInterrupt, asyncio.CancelledError):
        notify("stopped")
        return 130


def _command(bot: str) -> list[str]:
    """The words that start a bot. Raises UsageError."""
    if bot.startswith(EXTERNAL):
        raise UsageError(f"bot {bot!r}: leave --bot out for one that dials in by itself")
    try:
        words = command_words(bot) if bot.startswith((COMMAND, STDIO)) else []
    except ValueError as error:
        raise UsageError(str(error)) from None
    if bot.startswith(COMMAND):
        return words
    # -P: a folder called bots where the author happens to stand is not ours.
    ours = [sys.executable, "-P", "-m", "bots", bot]
    return [*ours, "--until-eof", "--matches", str(MATCHES)]


async def _check(arguments: CheckConfig, stage: Stage) -> int:
    url, server = await _listen(arguments, stage)
    referee = Referee(arguments.timeout, arguments.game, NAME if arguments.bot else None)
    check = Check(stage, referee, arguments.json)
    async with server:
        if not arguments.bot:
            notify(f"let your bot join at {url}")
        try:
            stage.open(url)
            await check.run()
        finally:
            stage.close()
    reports = [check.reports[number] for number in sorted(check.reports)]
    counts = Counter(report.state for report in reports)
    if arguments.json:
        name = referee.hello and referee.hello.name
        facts = {"name": name, "games": referee.games, "passed": not counts["FAILED"]}
        items = [report._asdict() for report in reports]
        print(json.dumps({"bot": arguments.bot, **facts, "items": items}, indent=2), flush=True)
    else:
        states = ("ok", "FAILED", "warning", "skipped")
        print(", ".join(f"{counts[state]} {state}" for state in states), flush=True)
    return 1 if counts["FAILED"] else 0


async def _listen(arguments: CheckConfig, stage: Stage) -> tuple[str, Server]:
    """The URL for the bot, and what listens there. Raises UsageError."""
    host, port = _address(arguments)
    try:
        server = await serve(
            stage.arrive,
            host,
            port,
            process_request=stage.route,
            compression=None,
            max_size=MAX_FRAME,
            ping_interval=None,  # a bot that answers no pings fails in one item, not in all
            close_timeout=CLOSE_TIMEOUT,
            logger=LOGGER,
        )
    except (OSError, OverflowError, UnicodeError) as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error}") from None
    shown = f"[{host}]" if ":" in host else host
    return f"ws://{shown}:{next(iter(server.sockets)).getsockname()[1]}/play", server


def _address(arguments: CheckConfig) -> tuple[str, int]:
    """The host and the port of the URL, or the usual ones. Raises UsageError."""
    if arguments.url is None:
        return "127.0.0.1", 0 if arguments.bot else PORT
    try:
        url = urlsplit(arguments.url)
        host, port = url.hostname, url.port
    except ValueError:
        host = port = None
    if not host or port is None or url.scheme != "ws" or url.path not in {"", "/play"}:
        raise UsageError(f"url {arguments.url!r} is not like ws://HOST:PORT/play")
    return host, port


def _show(report: Report) -> None:
    detail = report.detail and f": {report.detail}"
    print(f"{report.state:<8} {report.number:>2} {report.title}{detail}", flush=True)
    for word, text in (("sent", report.sent), ("expected", report.expected), ("came", report.came)):
        if text:
            print(f"{'':12}{word:<9} {text}", flush=True)
