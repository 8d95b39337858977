"""Users' programs: the strategies of `stdio:COMMAND` and `program:COMMAND`."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from arena.protocol.player import Move, Turn
from arena.sandbox.limits import Policy
from arena.sandbox.sandbox import Sandbox
from bots.client import Answer, Choice
from bots.program_bot import ProgramBot
from bots.specification import BotSpec, Kind
from bots.stdio import END_SECONDS, Program, StdioBot, turn_line

DEFAULT_POLICIES = {Kind.STDIO: Policy.OFF, Kind.PROGRAM: Policy.AUTO}


class UserProgram(Protocol):
    """Strategy that asks a program, from `start` to `close`.

    Attributes:
        sandbox: The sandbox of its processes.
    """

    sandbox: Sandbox

    @property
    def name(self) -> str:
        """The file name of the program."""

    def start(self) -> None:
        """Prepare for the first turn of a match, before any clock runs.

        Raises:
            ProgramFailed: The program cannot be started.
        """

    def answer(self, turn: Turn) -> Answer:
        """Return the program's answer to a turn.

        Raises:
            ProgramFailed: The program has ended.
        """

    def close(self) -> None:
        """End all processes."""


def create_program(
    spec: BotSpec,
    policy: Policy | None,
    folder: Path | None = None,
    matches: int | None = None,
    shown: int = 1,
    passed: Sequence[str] = (),
) -> UserProgram:
    """Return the strategy of a program.

    Args:
        spec: A bot of the kinds stdio or program.
        policy: The sandbox; None isolates programs of program: alone, where that is possible.
        folder: The working directory; None is the one of this process.
        matches: The highest number of simultaneous matches; None for one match after another.
        shown: How many ignored lines of each process are noted on standard error.
        passed: The variables of the environment that the program gets in the sandbox too.

    Raises:
        ValueError: There is no such program or folder.
        SandboxUnavailable: The policy requires bubblewrap, which does not work here.
    """
    if folder:
        folder = folder.resolve()
        if not folder.is_dir():
            raise ValueError(f"bot files {folder} are not a folder")
    sandbox = replace(Sandbox.of(policy or DEFAULT_POLICIES[spec.kind]), passed=tuple(passed))
    if spec.kind is Kind.PROGRAM:
        return ProgramBot(spec, sandbox, folder)
    spec.check_program(folder)
    if matches is None:
        return SerialStdioBot(spec.command, sandbox, folder)
    return StdioBot(spec.command, matches, sandbox, folder, shown=shown)


class SerialStdioBot:
    """Strategy that asks one process of a program, match after match.

    A failure costs a match, and the next match begins with a new process.
    """

    def __init__(
        self, command: Sequence[str], sandbox: Sandbox, folder: Path | None = None
    ) -> None:
        """Prepare a strategy without a process.

        Args:
            command: The words of the command; no shell runs it.
            sandbox: The sandbox that the process runs in.
            folder: Its working directory; None is the one of this process.
        """
        self._command = command
        self.sandbox = sandbox
        self._folder = folder
        self._program: Program | None = None
        self._is_asked = False  # and has not answered

    @property
    def name(self) -> str:
        """The file name of the program."""
        return Path(self._command[0]).name

    def start(self) -> None:
        """Start a process, unless that of the last match is running; raise ProgramFailed."""
        if self._program and not (self._is_asked or self._program.has_ended):
            self._program.begin_log()
            return
        self._end(0.0)
        self._is_asked = False
        self._program = Program(self._command, _ignore, self.sandbox, self._folder, keeps_log=True)

    def answer(self, turn: Turn) -> Move | None:
        """Return the program's move with the end of its standard error, or None to resign.

        Raises:
            BaseException: The program has ended, or this thread was interrupted. The end of its
                standard error is a note of the exception, and the process is killed: an answer
                that is late must not become that of the next turn.
        """
        program = self._program
        assert program, "it has been started"
        self._is_asked = True
        try:
            move = program.ask(turn_line(turn))
        except BaseException as error:  # and perhaps another one, before the process has ended
            if program.log:
                error.add_note(program.log)
            self._end(0.0)
            raise
        self._is_asked = False
        log = program.log or None
        if isinstance(move, Choice):
            return Move(turn.match, turn.ply, move.move, log, move.info)
        return None if move is None else Move(turn.match, turn.ply, move, log)

    def close(self) -> None:
        """End the process."""
        self._end(END_SECONDS)

    def _end(self, seconds: float) -> None:
        """Let the process end within some seconds, if there is one, or kill it."""
        if self._program:
            self._program.close_input()
            self._program.end(time.monotonic() + seconds)
            self._program = None


def _ignore(_failure: object) -> None:
    """Leave the end of a process to the next turn."""
