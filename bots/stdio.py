"""Bots that read and write lines (docs/reference/lines.md)."""

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import LifoQueue, SimpleQueue
from typing import NoReturn

from arena.protocol.player import Turn
from bots.client import position_of

END_SECONDS = 1.0  # from the end of its input or output until a program is killed
MAX_LINE = 64 * 1024  # bytes of one line from a program
ANSWER = re.compile(rb"\s*(?:([0-9]{1,18})|resign)\s*")


class ProgramFailed(Exception):
    """A program that does not run, or no longer; the text says why."""


class Program:
    """One running copy of a program, from its start to `end`.

    `failed` is called, in a thread of its own, when the program ends.
    """

    def __init__(self, command: Sequence[str], failed: Callable[[ProgramFailed], object]) -> None:
        self._name = Path(command[0]).name
        self._failed = failed
        self._fault: str | None = None  # for which it was killed
        self._asked: Future[int | None] | None = None
        self._is_silent = True  # nothing has come that is no answer
        try:
            # Without buffers, whose locks a thread that waits here would keep from all others. In
            # a group of its own: Ctrl-C is for us, and its children can be ended with it.
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0,
            )
        except OSError as error:
            raise ProgramFailed(f"cannot run {command[0]!r}: {error.strerror}") from None
        assert self._process.stdin
        assert self._process.stdout
        self._input, self._output = self._process.stdin, self._process.stdout
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, line: str) -> int | None:
        """The answer to a line: a move, or None to resign. Raises ProgramFailed.

        It waits as long as that takes, so that no answer is ever taken for that to another line.
        """
        asked: Future[int | None] = Future()
        self._asked = asked
        rest = memoryview(line.encode())
        try:
            while rest:
                rest = rest[self._input.write(rest) :]
        except BrokenPipeError:
            raise self._failure("has closed its input") from None
        return asked.result()

    def hang_up(self) -> None:
        """Close its input, which tells it to leave."""
        self._input.close()

    def end(self, deadline: float) -> None:
        """Wait for its end, and end it at the deadline, as time.monotonic() counts."""
        try:
            self._reader.join(max(0.0, deadline - time.monotonic()))
        finally:
            self._kill()
            self._reader.join(END_SECONDS)

    def _read(self) -> None:
        """Hand on what it writes, up to its end."""
        with self._output:
            for line in self._lines():
                self._receive(line)
        failure = self._failure("has closed its output")
        if self._asked:
            self._asked.set_exception(failure)
        self._failed(failure)

    def _lines(self) -> Iterator[bytes]:
        """What it writes, line by line; a line without an end is none."""
        rest = b""
        while chunk := self._output.read(MAX_LINE):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
            if len(rest) > MAX_LINE:
                self._kill(f"has written more than {MAX_LINE} bytes without an end of line")
                return

    def _receive(self, line: bytes) -> None:
        found = ANSWER.fullmatch(line)
        if found and self._asked:
            asked, self._asked = self._asked, None
            asked.set_result(int(found[1]) if found[1] else None)
        elif self._is_silent and line.strip():
            self._is_silent = False
            text = line[:200].decode(errors="replace").strip()
            why = "was not asked for" if found else "is no answer"
            with suppress(OSError):  # the game goes on where nobody reads this
                print(f"bots: {text!r} from {self._name} {why}: ignored", file=sys.stderr)

    def _failure(self, fault: str) -> ProgramFailed:
        """How it has ended. If it has not, it is killed for the fault."""
        try:
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill(fault)
            status = self._process.wait()
        return ProgramFailed(f"{self._name} {self._fault or _ended(status)}")

    def _kill(self, fault: str | None = None) -> None:
        """End it and its children at once."""
        self._fault = self._fault or fault
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)


def _ended(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    names = (known.name for known in signal.Signals if known == -status)
    return f"ended with {next(names, f'signal {-status}')}"


class StdioBot:
    """A bot's mind that asks a program, from `start` to `close`.

    As many copies of the program run as matches are thought about at once, at most `matches`. The
    command is split into words as a shell would, but no shell runs it. Raises ValueError.
    """

    def __init__(self, command: str, matches: int) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"command {command!r} cannot be split: {error}") from None
        if not self._command or not self._command[0]:
            raise ValueError(f"command {command!r} names no program, as stdio:./mybot does")
        self._programs: list[Program] = []
        self._failures: SimpleQueue[ProgramFailed] = SimpleQueue()
        # What was put back last is taken first, so that no copy starts while another is idle.
        self._idle: LifoQueue[Program | None] = LifoQueue()
        for _ in range(matches):
            self._idle.put(None)

    @property
    def name(self) -> str:
        """The file name of the program."""
        return Path(self._command[0]).name

    def start(self) -> None:
        """Start the first copy, as no clock runs yet. Raises ProgramFailed."""
        self._idle.get()
        self._idle.put(self._another())

    def close(self) -> None:
        """End all copies."""
        deadline = time.monotonic() + END_SECONDS
        with ExitStack() as ending:
            for program in self._programs:
                program.hang_up()
                ending.callback(program.end, deadline)

    def answer(self, turn: Turn) -> int | None:
        """The program's move, or None to resign. Raises ProgramFailed.

        If all copies still think, about matches that are over, it waits until one has answered.
        """
        came = time.monotonic()
        program = self._idle.get() or self._another()
        move = program.ask(turn_line(turn, time.monotonic() - came))
        self._idle.put(program)
        return move

    def watch(self) -> NoReturn:
        """Wait until a program fails. Raises ProgramFailed."""
        raise self._failures.get()

    def _another(self) -> Program:
        program = Program(self._command, self._failures.put)
        self._programs.append(program)
        return program


def turn_line(turn: Turn, waited: float = 0.0) -> str:
    """The line that tells a program of a turn, which has waited for so many seconds."""
    mine, other = turn.clocks_ms[turn.you - 1], turn.clocks_ms[2 - turn.you]
    fields = {
        "game": turn.game,
        **turn.setup,
        "you": turn.you,
        "time_ms": max(0, mine - int(1000 * waited)),
        "opponent_ms": other,
        "increment_ms": turn.increment_ms,
        **({"per_move": 1} if turn.per_move else {}),
        "moves": ",".join(map(str, turn.moves)),
        "legal": ",".join(map(str, position_of(turn).legal_moves())),
    }
    return " ".join(["turn", *(f"{key}={value}" for key, value in fields.items())]) + "\n"
