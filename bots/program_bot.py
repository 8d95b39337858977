"""Bot that starts a program for each move, such as a solution of a course's assignment.

The program gets the position and a depth as arguments, and prints a move, in the format of the
game (`Game.program`).
"""

import time
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple

from arena.model.visible import printable
from arena.protocol.player import Failure, Move, Resign, Turn
from arena.sandbox.limits import LANGUAGE, Limits, View, program_view
from arena.sandbox.process import describe_status, kill_running
from arena.sandbox.run import Run, run
from arena.sandbox.sandbox import Sandbox
from bots.client import ClockReading, clock_of, position_of
from bots.spec_bot import allowance
from bots.specification import BotSpec
from core import GAMES
from core.game import ProgramAnswer, ProgramFormat

MOVE_SECONDS = 10.0  # for a move, by the assignment
SENDING_SECONDS = 0.05  # left on the clock, to answer before it has run out
LAST_DEPTH = 99  # of the deepening
GROWTH = 3.0  # expected time of a search, relative to that of the one before
LOG_LINES, LOG_LENGTH = 30, 1900  # kept of each output of a program: lines, characters
REASON_LENGTH = 200  # characters
Termination = Literal["disconnect", "malformed", "timeout"]


class ProgramError(Exception):
    """Run of a program without a move.

    Attributes:
        failure: The failure, for the arena.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class Completed(NamedTuple):
    """Run of a program that has printed a move."""

    answer: ProgramAnswer
    run: Run


class ProgramBot:
    """Strategy that starts a program for each move.

    Attributes:
        name: The file name of the program.
        depth: The depth of each search; None searches deeper and deeper while time allows.
    """

    def __init__(self, spec: BotSpec, sandbox: Sandbox, folder: Path | None = None) -> None:
        """Prepare a strategy.

        Args:
            spec: A bot of the kind program.
            sandbox: The sandbox that the program runs in.
            folder: The working directory, in which the folder of the specification is looked for
                too; None is the one of this process.

        Raises:
            ValueError: There is no such program or folder.
        """
        spec.check_program(folder)
        self._command = spec.command
        self._working_folder = folder
        own = None if spec.folder is None else Path(folder or "", spec.folder)
        self._folder = own.resolve() if own else None
        self._inner = PurePosixPath(spec.inner or "")
        self.depth = spec.depth
        self.sandbox = sandbox
        self.name = spec.default_name

    def start(self) -> None:
        """Start nothing: each move starts the program."""

    def close(self) -> None:
        """Kill the programs that still search, for matches that are over."""
        kill_running()

    def answer(self, turn: Turn) -> Move | Resign:
        """Return the program's move, or a resignation with its failure."""
        begin = time.monotonic()
        try:
            answer, ended = self._search(turn, clock_of(turn), begin)
        except ProgramError as error:
            return Resign(turn.match, error.failure)
        is_legal = answer.move in position_of(turn).legal_moves()
        return Move(turn.match, turn.ply, answer.move, None if is_legal else log_of(ended))

    def _search(self, turn: Turn, clock: ClockReading, begin: float) -> Completed:
        """Return the run whose move is played; raise ProgramError if there is none."""
        latest = begin + min(MOVE_SECONDS, max(SENDING_SECONDS, clock.remaining - SENDING_SECONDS))
        if self.depth is not None:
            return self._run(turn, self.depth, latest)
        return self._deepen(turn, begin + min(MOVE_SECONDS, allowance(clock)), latest)

    def _deepen(self, turn: Turn, wished: float, latest: float) -> Completed:
        """Search deeper and deeper, with a first search until `latest` and others until `wished`.

        A search that has not ended in time is ignored. Any other failure is one of the program, as
        the question was an ordinary one.
        """
        completed = self._run(turn, 1, latest)
        for depth in range(2, LAST_DEPTH + 1):
            reached = completed.answer.max_depth
            is_complete = reached is not None and reached < depth - 1
            expected = time.monotonic() + GROWTH * completed.run.seconds
            if is_complete or expected > wished:
                break
            try:
                completed = self._run(turn, depth, wished)
            except ProgramError as error:
                if error.failure.termination != "timeout":
                    raise
                break
        return completed

    def _run(self, turn: Turn, depth: int, deadline: float) -> Completed:
        """Run the program to a depth; raise ProgramError if it prints no move in time."""
        game = GAMES[turn.game].program
        assert game, "the bot plays no other games"
        words = [*self._command, *game.arguments(turn.setup, turn.moves, depth)]
        seconds = max(0.0, deadline - time.monotonic())
        try:
            ended = run(self.sandbox, words, self._view(), Limits(), seconds)
        except OSError as error:
            text = f"cannot run {self.name:.40}: {error.strerror}"
            raise ProgramError(Failure("disconnect", _reason(text))) from None
        return judge(ended, f"{self.name:.40} at depth {depth}", game)

    def _view(self) -> View:
        """Return what the program sees: the folder of `in=`, else what its command names."""
        if self._folder:
            return program_view(self._folder, self._inner)
        return replace(
            self.sandbox.view_of(self._command, self._working_folder), environment=LANGUAGE
        )


def judge(ended: Run, program: str, game: ProgramFormat) -> Completed:
    """Return a run with its move.

    Args:
        ended: The run.
        program: The program, for the reason of a failure.
        game: The format of its output.

    Raises:
        ProgramError: It has exceeded a limit, has crashed, or has printed something else.
    """
    if ended.is_late:
        raise _error("timeout", f"{program} {ended.excess}", ended)
    if ended.excess:
        raise _error("disconnect", f"{program} {ended.excess}", ended)
    if ended.status:
        raise _error("disconnect", f"{program} {describe_status(ended.status)}", ended)
    try:
        answer = game.parse(ended.output.decode(errors="replace"))
    except ValueError as error:
        raise _error("malformed", f"{program} printed {error}", ended) from None
    return Completed(answer, ended)


def _error(termination: Termination, reason: str, ended: Run) -> ProgramError:
    return ProgramError(Failure(termination, _reason(reason), log_of(ended)))


def _reason(text: str) -> str:
    """Return the reason of a failure as one line of limited length."""
    return printable(text)[:REASON_LENGTH]


def log_of(ended: Run) -> str:
    """Return the last lines of a program's outputs."""
    outputs = {"standard output": ended.output, "standard error": ended.errors}
    return "\n".join(f"{name}:\n{_tail(text)}" for name, text in outputs.items() if text.strip())


def _tail(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    return "\n".join(lines[-LOG_LINES:])[-LOG_LENGTH:]
