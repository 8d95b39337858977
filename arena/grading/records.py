"""Records of a grading: all that running a submission has shown. Values that are stored."""

from enum import StrEnum

import msgspec

from arena.model.visible import printable

MAX_LINE = 300  # characters


def one_line(text: str) -> str:
    """Return a text of a program or a file name as one line that is safe on a terminal."""
    return printable(" ".join(text.split())[:MAX_LINE])


class CaseOutcome(StrEnum):
    """End of a program in one case."""

    ANSWERED = "answered"
    TIMEOUT = "timeout"
    LIMIT = "limit"  # another limit of the sandbox
    CRASH = "crash"
    FORMAT = "format"  # it ended, but without six lines


class CaseRun(msgspec.Struct, frozen=True):
    """Run of a program in one case.

    Attributes:
        case: The number of the case.
        outcome: How it ended.
        detail: The reason of a bad end, in one line.
        output: Its standard output as `kept_output` returns it.
        seconds: The wall-clock time.
    """

    case: int
    outcome: CaseOutcome
    detail: str
    output: str
    seconds: float


class SubmissionRecord(msgspec.Struct, frozen=True):
    """Record of a submission.

    Attributes:
        name: Its name.
        digest: A digest of its files and settings.
        language: The language of its program; empty if it is not recognised.
        failure: Why it could not be run, in one line; empty if it could.
        log: The output of the build.
        build_seconds: The wall-clock time of the build.
        runs: Its runs, in the order of the cases.
        note: Which of several versions counts, or which student it belongs to; empty if clear.
    """

    name: str
    digest: str
    language: str = ""
    failure: str = ""
    log: str = ""
    build_seconds: float = 0.0
    runs: tuple[CaseRun, ...] = ()
    note: str = ""
