"""Private folder of a submission, where its program is built and run in the sandbox."""

import errno
import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from arena.grading.archive import (
    MAX_BYTES,
    MAX_START,
    ExtractorMissing,
    InvalidSubmission,
    extracted,
    is_file,
    is_of_machine,
    read_file,
)
from arena.grading.cases import Case
from arena.grading.handed_in import copy_submission
from arena.grading.program_output import describe_crash, kept_output
from arena.grading.records import CaseOutcome, CaseRun, one_line
from arena.grading.toolchain import (
    OUT,
    Command,
    File,
    Override,
    Program,
    Unrecognised,
    built_program,
    recognise,
)
from arena.model.visible import visible_output
from arena.sandbox.limits import LANGUAGE, Limits, View, program_view
from arena.sandbox.process import describe_status
from arena.sandbox.run import Run, Stopped, run
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.written_files import written_excess
from core.take_stones.six_lines import LABELS, find_values

BUILD_SECONDS = 60.0
LIMITS = Limits()
MIN_FREE = 16 * 1024 * 1024  # bytes on the disk, without which a build fails by no fault of its own
PACKAGES = {
    "c++": "g++",
    "cc": "gcc",
    "java": "default-jdk-headless",
    "javac": "default-jdk-headless",
    "node": "nodejs",
}
MAX_BUILD_LOG = 4000  # characters of the end that is kept
MAX_DETAIL = 200


@dataclass(frozen=True)
class Built:
    """Program that can be run.

    Attributes:
        language: Its language.
        command: The words that start it.
        folder: The folder that it runs in, inside the submission's.
        log: The output of the build.
        seconds: The wall-clock time of the build.
    """

    language: str
    command: Command
    folder: PurePosixPath
    log: str
    seconds: float


class BuildFailed(Exception):
    """A program that cannot be built.

    Attributes:
        language: Its language.
        log: The output of the build.
    """

    def __init__(self, reason: str, language: str, log: str) -> None:
        super().__init__(reason)
        self.language = language
        self.log = log


class ToolMissing(BuildFailed):
    """A program in a language that is not installed on this machine."""


class Workspace:
    """Private folder of one submission; no other program sees it."""

    def __init__(self, folder: Path, sandbox: Sandbox, seconds: float) -> None:
        """Create the workspace in an existing empty folder.

        Args:
            folder: The folder.
            sandbox: The sandbox of all programs.
            seconds: The time limit of a case.
        """
        self._folder = folder.resolve()
        self._sandbox = sandbox
        self._seconds = seconds

    def fill(self, files: Mapping[str, Path]) -> None:
        """Copy the files of a submission, as `copy_submission` does.

        Raises:
            InvalidSubmission: The submission cannot be read.
            ToolMissing: An archive cannot be unpacked on this machine.
            OSError: This machine cannot store it.
        """
        try:
            copy_submission(files, self._folder, lambda path: extracted(path, self._sandbox))
        except ExtractorMissing as error:
            raise ToolMissing(str(error), "", "") from None
        except OSError as error:
            if is_of_machine(error):
                raise
            raise InvalidSubmission(f"cannot be read: {error.strerror}") from None

    def digest(self, override: Override) -> str:
        """Return a digest of the files and of the settings of the submission."""
        found = hashlib.sha256(repr(override).encode())
        for path in self._paths():
            content = (self._folder / path).read_bytes()
            found.update(f"\n{path}\n{len(content)}\n".encode(errors="surrogateescape"))
            found.update(content)
        return found.hexdigest()

    def recognise(self, override: Override) -> Program:
        """Return the program that the files are.

        Raises:
            InvalidSubmission: No program was found, or several that could be meant.
            ToolMissing: It cannot be built on this machine.
        """
        try:
            program = recognise(self._files(), override)
        except Unrecognised as error:
            raise InvalidSubmission(str(error)) from None
        self._check_tools(program)
        return program

    def build(self, override: Override) -> Built:
        """Recognise and build the program.

        Raises:
            InvalidSubmission: There is no program.
            BuildFailed: It cannot be built.
            OSError: The disk is full.
        """
        program = self.recognise(override)
        (self._folder / OUT).mkdir(exist_ok=True)
        self._sandbox.hand_over(self._folder)
        log, seconds = self._compile(program)
        if excess := written_excess([self._folder], LIMITS):
            raise BuildFailed(f"the build {excess}", program.language, log)
        if not program.command:
            program = self._built(program, log)
        return Built(program.language, program.command, program.folder, log, seconds)

    def _check_tools(self, program: Program) -> None:
        """Raise ToolMissing if a tool of a program's language is not installed."""
        for words in (*program.builds, program.command):
            if words and "/" not in words[0] and not self._sandbox.has_tool(words[0]):
                package = PACKAGES.get(words[0], words[0])
                reason = f"{words[0]} is not installed (apt-get install {package})"
                raise ToolMissing(reason, program.language, "")

    def _compile(self, program: Program) -> tuple[str, float]:
        """Run the commands of a build up to the first that succeeds; return its log and its time.

        Raises:
            BuildFailed: None succeeds.
            OSError: The disk is full.
        """
        view = View(self._folder, writable=(self._folder,), environment=LANGUAGE)
        log, seconds = "", 0.0
        for words in program.builds:
            ended = self._run(words, view, BUILD_SECONDS)
            log, seconds = _log(ended), seconds + ended.seconds
            if not ended.status and not ended.excess:
                return log, seconds
        if program.builds:
            if shutil.disk_usage(self._folder).free < MIN_FREE:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._folder))
            raise BuildFailed(_build_reason(ended), program.language, log)
        return log, seconds

    def run(self, built: Built, case: Case) -> CaseRun:
        """Run the program on a case, in a copy of its folder, which it can write."""
        view = program_view(self._folder, built.folder)
        ended = self._run([*built.command, *case.arguments], view, self._seconds)
        output = ended.output.decode(errors="replace")
        outcome = _outcome(ended, output)
        detail = "" if outcome is CaseOutcome.ANSWERED else _detail(ended, output)
        return CaseRun(case.number, outcome, detail, kept_output(output), round(ended.seconds, 3))

    def _run(self, words: Sequence[str], view: View, seconds: float) -> Run:
        return try_to_run(self._sandbox, words, view, seconds)

    def _built(self, makefile: Program, log: str) -> Program:
        try:
            return built_program(self._files(), makefile)
        except Unrecognised as error:
            raise BuildFailed(str(error), "Makefile", log) from None

    def _files(self) -> list[File]:
        """Return the files with as much of their content as a submission may have."""
        files, left = [], MAX_BYTES
        for path in self._paths():
            with suppress(OSError):  # a build may have made it unreadable
                files.append(read_file(self._folder, path, min(left, MAX_START)))
                left -= len(files[-1].start)
        return files

    def _paths(self) -> Iterator[Path]:
        """Yield the regular files; a build may have created links, which are not followed."""
        for path in sorted(self._folder.rglob("*")):
            if is_file(path):
                yield path.relative_to(self._folder)


def try_to_run(sandbox: Sandbox, words: Sequence[str], view: View, seconds: float) -> Run:
    """Run a program; one that cannot be started fails as it does in a shell.

    Raises:
        OSError: This machine cannot store a copy of its files.
    """
    try:
        return run(sandbox, words, view, LIMITS, seconds)
    except OSError as error:  # without isolation, the command itself may not exist
        if is_of_machine(error):
            raise
        return Run(127, b"", f"{words[0]}: {error.strerror}".encode(), 0.0, None)


def failure_of(error: Exception) -> str:
    """Return why a submission cannot be graded, in one line.

    Raises:
        Exception: The error itself, if it is not the submission's: one of this machine, or the
            end of all work.
    """
    if is_of_machine(error) or isinstance(error, Stopped):
        raise error
    if isinstance(error, (InvalidSubmission, BuildFailed)):
        return one_line(str(error))
    return one_line(f"cannot be graded: {type(error).__name__}: {error}")


def _outcome(ended: Run, output: str) -> CaseOutcome:
    if ended.excess:
        return CaseOutcome.TIMEOUT if ended.excess.startswith("took") else CaseOutcome.LIMIT
    if find_values(output).keys() >= {*LABELS}:
        return CaseOutcome.ANSWERED
    return CaseOutcome.CRASH if ended.status else CaseOutcome.FORMAT


def _detail(ended: Run, output: str) -> str:
    """Return why a run gave no six lines."""
    if ended.excess or ended.status:
        return describe_end(ended, "the program")
    missing = [label for label in LABELS if label not in find_values(output)]
    if not output.strip():
        return "the program printed nothing"
    return f"no line {missing[0] + ':'!r}"


def describe_end(ended: Run, subject: str) -> str:
    """Return how a program ended, with what it wrote about it."""
    if ended.excess:
        return f"{subject} {ended.excess}"
    crash = describe_crash(ended.errors.decode(errors="replace"))
    cause = f": {crash.strip()}" if crash else ""
    return one_line(f"{subject} {describe_status(ended.status)}{cause}")


def _build_reason(ended: Run) -> str:
    """Return why a build failed: the first error that it names, else how it ended."""
    text = (ended.output + ended.errors).decode(errors="replace")
    errors = (line.strip() for line in text.splitlines() if "error" in line.lower())
    if not ended.excess and (first := next(errors, "")):
        return one_line(f"the build failed: {first[:MAX_DETAIL]}")
    return describe_end(ended, "the build")


def _log(ended: Run) -> str:
    text = (ended.output + ended.errors).decode(errors="replace")
    return visible_output(text)[-MAX_BUILD_LOG:]
