"""Builds of submissions that are kept, for programs that play."""

import tempfile
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import msgspec

from arena.grading.collect import Submission
from arena.grading.records import one_line
from arena.grading.settings import Settings
from arena.grading.toolchain import Override
from arena.grading.workspace import (
    Built,
    ToolMissing,
    Workspace,
    describe_end,
    failure_of,
    try_to_run,
)
from arena.sandbox.limits import View, program_view
from arena.sandbox.run import ProgramThreads, Run
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.written_files import remove_folder
from core import GAMES
from core.game import ProgramFormat

PROGRAM, RECORD = "program", "build.json"  # in the folder of a build
START_SECONDS = 10.0  # time limit of a measured start
STARTS = 2  # of each program; the fastest counts
KEY_LENGTH = 16  # hexadecimal digits
SHORT_GAME, SHORT_SETUP = "take_stones", {"stones": 7}


class _Record(msgspec.Struct, frozen=True):
    """Stored outcome of a build, with the time of a start once it has been measured."""

    command: tuple[str, ...]
    failure: str
    inner: str = "."
    start: float | None = None


class Build(NamedTuple):
    """Outcome of a build.

    Attributes:
        name: The name of the submission.
        folder: The folder of the program's files.
        command: The words that start it; empty if there is no program.
        failure: Why there is no program, in one line; empty if there is one.
        inner: The folder that it runs in, relative to its files.
    """

    name: str
    folder: Path
    command: tuple[str, ...]
    failure: str
    inner: str = "."


class Builds:
    """Folder of builds, which builds only the missing ones.

    The folder of a build is named after a digest of its submission, and thus tells no name. A
    submission that has changed gets another one. A program that prints no move at a trial start has
    failed too. Failures are stored, so that a tournament that is continued has the same
    participants; so are the times of starts.
    """

    def __init__(self, folder: Path, sandbox: Sandbox, settings: Settings) -> None:
        """Use a folder, which is created.

        Args:
            folder: The folder.
            sandbox: The sandbox of all builds.
            settings: The teacher's settings.

        Raises:
            OSError: It cannot be created.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sandbox.admit(folder)
        self._folder = folder.resolve()
        self._sandbox = sandbox
        self._settings = settings
        self._threads = ProgramThreads()

    def build(
        self, submissions: Sequence[Submission], jobs: int
    ) -> AbstractContextManager[list[Future[Build]]]:
        """Build all submissions, `jobs` at a time; builds that run at the end are stopped.

        A future raises OSError if a build cannot be stored, and Stopped if it was stopped.
        """
        return self._threads.run(self._build, submissions, jobs)

    def _build(self, submission: Submission) -> Build:
        """Return the stored build of a submission, or build it."""
        name = submission.name
        override = self._settings.of(name)
        try:
            key = self._key(submission, override)
        except Exception as error:  # whatever one submission is, the others are built
            return Build(name, self._folder, (), failure_of(error))
        folder = self._folder / key
        record = _read(folder / RECORD) or self._create(folder, submission, override)
        return Build(name, folder / PROGRAM, record.command, record.failure, record.inner)

    def _key(self, submission: Submission, override: Override) -> str:
        # Files that cannot be removed must not stop the others.
        with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as private:
            workspace = Workspace(Path(private), self._sandbox, START_SECONDS)
            workspace.fill(submission.files)
            digest = workspace.digest(override)
        # With the name, as two students may hand in the same files.
        return sha256(f"{submission.name}\n{digest}".encode()).hexdigest()[:KEY_LENGTH]

    def _create(self, folder: Path, submission: Submission, override: Override) -> _Record:
        """Build a submission and store the outcome, unless the build was killed."""
        remove_folder(folder)  # of a build that was killed
        (folder / PROGRAM).mkdir(mode=0o755, parents=True)
        workspace = Workspace(folder / PROGRAM, self._sandbox, START_SECONDS)
        try:
            workspace.fill(submission.files)
            built = workspace.build(override)
            record = _Record(built.command, "", str(built.folder))
            if failure := self._trial_failure(folder / PROGRAM, built):
                record = _Record((), failure)
        except ToolMissing as error:  # until it is installed
            return _Record((), str(error))
        except Exception as error:  # as above
            record = _Record((), failure_of(error))
            remove_folder(folder / PROGRAM)
        self._threads.check()
        _write(folder / RECORD, record)
        return record

    def _trial_failure(self, folder: Path, built: Built) -> str:
        """Return why a program cannot play a short position, or not be stored; empty if it can."""
        words = " ".join([*built.command, str(built.folder)])
        try:
            words.encode()
        except UnicodeEncodeError:  # a plan, which is JSON, could not name it
            return one_line(f"the name of a file is not in UTF-8: {words}")
        ended = _start(self._sandbox, built.command, program_view(folder, built.folder))
        if ended.excess or ended.status:
            return describe_end(ended, "at a trial start, the program")
        try:
            _game().parse(ended.output.decode(errors="replace"))
        except ValueError as error:
            return one_line(f"at a trial start, the program printed {error}")
        return ""

    def start_seconds(self, build: Build) -> float:
        """Return the time that a program takes for a short position, at most START_SECONDS.

        It is measured once and stored.

        Raises:
            OSError: It cannot be stored.
        """
        path = build.folder.with_name(RECORD)
        record = _read(path)
        if record and record.start is not None:
            return record.start
        view = program_view(build.folder, PurePosixPath(build.inner))
        seconds = START_SECONDS
        for _ in range(STARTS):
            ended = _start(self._sandbox, build.command, view)
            seconds = min(seconds, ended.seconds)
            if ended.is_late:
                break
        if record:
            _write(path, msgspec.structs.replace(record, start=seconds))
        return seconds


def _game() -> ProgramFormat:
    game = GAMES[SHORT_GAME].program
    assert game
    return game


def _start(sandbox: Sandbox, command: Sequence[str], view: View) -> Run:
    """Run a program on a short position."""
    words = [*command, *_game().arguments(SHORT_SETUP, [], 1)]
    return try_to_run(sandbox, words, view, START_SECONDS)


def _write(path: Path, record: _Record) -> None:
    unfinished = path.with_name(f"{path.name}.new")
    unfinished.write_bytes(msgspec.json.encode(record))
    unfinished.replace(path)


def _read(path: Path) -> _Record | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Record)
    except (FileNotFoundError, msgspec.DecodeError):  # to be built again
        return None
