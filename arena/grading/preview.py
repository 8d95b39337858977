"""Preview of a grading: the submissions that were found, and what would be built."""

import tempfile
from pathlib import Path
from typing import NamedTuple

from arena.grading.collect import Submission
from arena.grading.records import one_line
from arena.grading.settings import Settings
from arena.grading.workspace import Workspace, failure_of
from arena.reports.text import aligned_text
from arena.sandbox.sandbox import Sandbox


class Preview(NamedTuple):
    """What would be done with a submission.

    Attributes:
        name: The name of the submission.
        language: The language of its program; empty without one.
        main: The path of its main file in the submission.
        failure: Why nothing would be built; empty if something would.
        note: What counts of several versions, or whose it is.
    """

    name: str
    language: str
    main: str
    failure: str = ""
    note: str = ""


def preview(submission: Submission, sandbox: Sandbox, settings: Settings) -> Preview:
    """Return what would be done with a submission; nothing of it is run.

    Raises:
        OSError: This machine cannot store its files.
    """
    with tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as folder:
        workspace = Workspace(Path(folder), sandbox, 0.0)
        try:
            workspace.fill(submission.files)
            program = workspace.recognise(settings.of(submission.name))
        except Exception as error:  # whatever one submission is, the others are shown
            return Preview(submission.name, "", "", failure_of(error), submission.note)
    return Preview(submission.name, program.language, str(program.main), note=submission.note)


def previews_text(previews: list[Preview]) -> str:
    """Format previews as a table."""
    table = [["language", "submission"]]
    table += [[found.language or "-", found.name] for found in previews]
    remarks = ["main program"]
    remarks += [
        (found.failure or found.main) + (f"; {one_line(found.note)}" if found.note else "")
        for found in previews
    ]
    lines = aligned_text(table).splitlines()
    return "".join(f"{line}  {remark}\n" for line, remark in zip(lines, remarks, strict=True))
