"""Adapter that makes a bot of any program that reads and writes lines.

docs/reference/lines.md describes the format of the lines for authors of programs.
"""

import os
import re
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, nullcontext, suppress
from pathlib import Path
from queue import Empty, LifoQueue, SimpleQueue
from typing import IO

from arena.model.results import MAX_LOG, NOTHING
from arena.model.visible import visible_output
from arena.protocol.player import Turn
from arena.sandbox.limits import Limits
from arena.sandbox.process import describe_status, start
from arena.sandbox.sandbox import UNPROTECTED, Sandbox
from bots.client import Choice, ProgramFailed, position_of
from bots.line_info import read_info

END_SECONDS = 1.0  # from the end of a program's input or output until it is killed
MAX_LINE = 64 * 1024  # bytes of one line from a program
ALL_IGNORED = 1000  # lines of each process that are noted at most
ANSWER = re.compile(rb"\s*(?:([0-9]{1,18})((?:[ \t]+[^\s=]+=\S*)*)|resign)\s*")


class Program:
    """A running process of a program, from its start to `end`."""

    def __init__(
        self,
        command: Sequence[str],
        failed: Callable[[ProgramFailed], object],
        sandbox: Sandbox = UNPROTECTED,
        folder: Path | None = None,
        *,
        keeps_log: bool = False,
        shown: int = 1,
    ) -> None:
        """Start the process.

        Args:
            command: The program and its arguments.
            failed: Called in a separate thread when the process ends.
            sandbox: The sandbox that it runs in.
            folder: Its working directory; None is the one of this process.
            keeps_log: Whether its standard error is kept for `log`, and not passed on.
            shown: How many lines that are ignored are noted on standard error.

        Raises:
            ProgramFailed: The program cannot be started.
        """
        self._name = Path(command[0]).name
        self._failed = failed
        self._pending: Future[int | Choice | None] | None = None
        self._shown = shown  # ignored lines that are still to be noted
        view, is_shown = sandbox.view_of(command, folder), not keeps_log and _has_terminal()
        stderr = subprocess.PIPE if keeps_log or is_shown else None
        try:
            # Unbuffered: a thread that waits for input would hold the lock of a buffer.
            self._sandboxed = start(
                sandbox, command, view, Limits(), stdin=subprocess.PIPE, stderr=stderr
            )
        except OSError as error:
            raise ProgramFailed(f"cannot run {command[0]!r}: {error.strerror}") from None
        process = self._sandboxed.process
        assert process.stdin
        assert process.stdout
        self._input, self._output = process.stdin, process.stdout
        kind = _ShownOutput if is_shown else _ErrorOutput
        self._errors = kind(process.stderr) if process.stderr else None
        self._sandboxed.watch()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, line: str) -> int | Choice | None:
        """Send a line and return the answer: a move, also with information, or None to resign.

        There is no timeout, so that a late answer is never mistaken for that to another line.

        Raises:
            ProgramFailed: The process has ended, or ends instead of answering.
        """
        pending: Future[int | Choice | None] = Future()
        self._pending = pending
        rest = memoryview(line.encode())
        try:
            while rest:
                rest = rest[self._input.write(rest) :]
        except BrokenPipeError:
            raise self._failure("closed its input") from None
        return pending.result()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._sandboxed.has_ended()

    @property
    def log(self) -> str:
        """The end of its standard error since `begin_log`, if that is kept."""
        return self._errors.text if self._errors else ""

    def begin_log(self) -> None:
        """Forget what it has written to standard error, which is kept."""
        assert self._errors
        self._errors.clear()

    def close_input(self) -> None:
        """Close its input, which asks it to end."""
        self._input.close()

    def end(self, deadline: float) -> None:
        """Wait for its end; kill it at the deadline, as of time.monotonic()."""
        try:
            self._reader.join(max(0.0, deadline - time.monotonic()))
        finally:
            self._kill()
            self._reader.join(END_SECONDS)

    def _read(self) -> None:
        """Process its output up to the end."""
        with self._output, closing(self._errors) if self._errors else nullcontext():
            for line in self._lines():
                self._receive(line)
            failure = self._failure("closed its output")
            if self._errors:
                self._errors.read()  # what it has written at its end
        if self._pending:
            self._pending.set_exception(failure)
        self._failed(failure)

    def _lines(self) -> Iterator[bytes]:
        """Yield the lines of its output, without an unfinished last line."""
        rest = b""
        for chunk in self._chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines
            if len(rest) > MAX_LINE:
                self._kill(f"wrote more than {MAX_LINE} bytes without a newline")
                return

    def _chunks(self) -> Iterator[bytes]:
        """Yield the pieces of its output; standard error is read before, as it may explain them."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            if self._errors:
                selector.register(self._errors, selectors.EVENT_READ)
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._errors in ready and not self._errors.read():
                    selector.unregister(self._errors)
                if self._output in ready:
                    if not (chunk := self._output.read(MAX_LINE)):
                        return
                    yield chunk

    def _receive(self, line: bytes) -> None:
        found = ANSWER.fullmatch(line)
        if found and self._pending:
            pending, self._pending = self._pending, None
            pending.set_result(self._answer(*found.groups()))
        elif self._shown and line.strip():
            self._shown -= 1
            text = line[:200].decode(errors="replace").strip()
            why = "no turn waits for an answer" if found else "expected a number or resign"
            self._note(f"bots: ignored output {text!r} ({why})")

    def _answer(self, move: bytes | None, words: bytes | None) -> int | Choice | None:
        """Return an answer without the information that is invalid, which is noted once."""
        if not move:
            return None
        info, invalid = read_info((words or b"").decode(errors="replace"))
        if invalid and self._shown:
            self._shown -= 1
            self._note(f"bots: ignored output {invalid[:200]!r} (not valid information)")
        return int(move) if info == NOTHING else Choice(int(move), info)

    def _note(self, line: str) -> None:
        if self._errors:
            self._errors.add(f"{line}\n".encode())
            return
        _show(line)

    def _failure(self, reason: str) -> ProgramFailed:
        """Return how it ended. If it is still running, kill it for `reason`."""
        if not self._sandboxed.has_ended(END_SECONDS):
            self._kill(reason)
        status = self._sandboxed.wait()
        return ProgramFailed(f"{self._name} {self._sandboxed.excess or describe_status(status)}")

    def _kill(self, reason: str | None = None) -> None:
        """Kill it and its children."""
        self._sandboxed.kill(reason)


class _ErrorOutput:
    """Standard error of a program, of which the end is kept. One thread reads it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        os.set_blocking(stream.fileno(), False)
        self._end = b""

    def fileno(self) -> int:
        return self._stream.fileno()

    def close(self) -> None:
        self._stream.close()

    def read(self) -> bool:
        """Read what has been written, as far as a pipe holds it; return whether more can come."""
        piece = self._stream.read(MAX_LINE)
        self.add(piece or b"")
        return piece != b""

    def add(self, piece: bytes) -> None:
        self._end = (self._end + piece)[-MAX_LOG:]

    def clear(self) -> None:
        self._end = b""

    @property
    def text(self) -> str:
        return self._end.decode(errors="replace").strip()


class _ShownOutput(_ErrorOutput):
    """Standard error of a program that goes to a terminal, which the program cannot control."""

    def close(self) -> None:
        self.add(b"\n" if self._end else b"")
        super().close()

    def add(self, piece: bytes) -> None:
        *lines, self._end = (self._end + piece).split(b"\n")
        for line in lines:
            _show(visible_output(line.decode(errors="replace").removesuffix("\r")))
        if len(self._end) > MAX_LINE:
            self.add(b"\n")


class StdioBot:
    """Strategy that asks a program, from `start` to `close`.

    One process runs for each match that needs a move at the same time.
    """

    def __init__(
        self,
        command: Sequence[str],
        matches: int,
        sandbox: Sandbox = UNPROTECTED,
        folder: Path | None = None,
        *,
        shown: int = 1,
    ) -> None:
        """Prepare a strategy without processes.

        Args:
            command: The words of the command; no shell runs it.
            matches: Maximum number of simultaneous matches, and so of processes.
            sandbox: The sandbox that the processes run in.
            folder: Their working directory; None is the one of this process.
            shown: How many ignored lines of each are noted on standard error.
        """
        self._command = command
        self.sandbox = sandbox
        self._folder = folder
        self._shown = shown
        self._programs: list[Program] = []
        self._failures: SimpleQueue[ProgramFailed] = SimpleQueue()
        # Last in, first out, so that no process is started while another is idle.
        self._idle: LifoQueue[Program | None] = LifoQueue()
        for _ in range(matches):
            self._idle.put(None)

    @property
    def name(self) -> str:
        """The file name of the program."""
        return Path(self._command[0]).name

    def start(self) -> None:
        """Start the first process, before any clock runs; raise ProgramFailed if that fails."""
        self._idle.get()
        self._idle.put(self._start_program())

    def close(self) -> None:
        """End all processes."""
        deadline = time.monotonic() + END_SECONDS
        with ExitStack() as ending:
            for program in self._programs:
                program.close_input()
                ending.callback(program.end, deadline)

    def answer(self, turn: Turn) -> int | Choice | None:
        """Return the program's move, also with information, or None to resign.

        If all processes are busy, with turns of matches that are over, wait for the first.

        Raises:
            ProgramFailed: The process has ended.
        """
        received_at = time.monotonic()
        program = self._idle.get() or self._start_program()
        move = program.ask(turn_line(turn, time.monotonic() - received_at))
        self._idle.put(program)
        return move

    def watch(self, seconds: float | None = None) -> None:
        """Wait until a process ends, at most `seconds` seconds, and raise ProgramFailed then."""
        with suppress(Empty):
            raise self._failures.get(timeout=seconds)

    def _start_program(self) -> Program:
        program = Program(
            self._command, self._failures.put, self.sandbox, self._folder, shown=self._shown
        )
        self._programs.append(program)
        return program


def _has_terminal() -> bool:
    """Return whether standard error is a terminal, which a program could also read."""
    return sys.stderr is not None and sys.stderr.isatty()


def _show(line: str) -> None:
    with suppress(OSError):  # standard error may be closed
        print(line, file=sys.stderr)


def turn_line(turn: Turn, delay: float = 0.0) -> str:
    """Return the line of a turn for a program; `delay` seconds have passed since its arrival."""
    mine, other = turn.clocks_ms[turn.you - 1], turn.clocks_ms[2 - turn.you]
    fields = {
        "game": turn.game,
        **turn.setup,
        "you": turn.you,
        "time_ms": max(0, mine - int(1000 * delay)),
        "opponent_ms": other,
        "increment_ms": turn.increment_ms,
        **({"per_move": 1} if turn.per_move else {}),
        **_time_odds(turn),
        "moves": ",".join(map(str, turn.moves)),
        "legal": ",".join(map(str, position_of(turn).legal_moves())),
    }
    return " ".join(["turn", *(f"{key}={value}" for key, value in fields.items())]) + "\n"


def _time_odds(turn: Turn) -> dict[str, int]:
    """Return the keys of the opponent's time control, as far as it differs."""
    odds = {}
    if turn.opponent_increment_ms not in (None, turn.increment_ms):
        odds["opponent_increment_ms"] = turn.opponent_increment_ms
    if turn.opponent_per_move not in (None, turn.per_move):
        odds["opponent_per_move"] = int(turn.opponent_per_move)
    return odds
