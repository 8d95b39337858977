"""Folder of the reports of a grading: pages, and grades as CSV."""

import os
from collections.abc import Sequence
from pathlib import Path

from arena.grading.marking import Grade
from arena.grading.records import CaseOutcome
from arena.grading.reports.feedback import names
from arena.grading.reports.pages import student_html, student_markdown, teacher_html
from arena.grading.scheme import LINES
from arena.reports.csv import csv_line

STUDENTS = "students"


def grades_csv(grades: Sequence[Grade]) -> str:
    """Format the grades as a table with a header, and a column for each line and each case."""
    cases = [mark.case.number for mark in grades[0].marks] if grades else []
    header = ["name", "points", "language", "right", *(f"right_{line}" for line in LINES)]
    header += [
        *(outcome.value for outcome in CaseOutcome),
        "failure",
        "note",
        "diagnosis",
        "seconds",
    ]
    header += [f"case_{number}" for number in cases]
    return csv_line(header) + "".join(csv_line(_row(grade)) for grade in grades)


def _row(grade: Grade) -> list[object]:
    return [
        grade.name,
        grade.points,
        grade.record.language,
        grade.right_cases,
        *(sum(mark.right[line] for mark in grade.marks) for line in range(len(LINES))),
        *(grade.count(outcome) for outcome in CaseOutcome),
        grade.record.failure,
        grade.record.note,
        names(grade),
        round(sum(run.seconds for run in grade.record.runs), 3),
        *(round(mark.share, 4) for mark in grade.marks),
    ]


def write_reports(
    folder: Path, grades: Sequence[Grade], facts: Sequence[tuple[str, str]], page: str | None
) -> None:
    """Write the table of grades, the teacher's page and two pages for each student.

    A student's page names no other student. Pages of submissions that were withdrawn are removed.

    Args:
        folder: The folder, which exists.
        grades: The grades, at least one.
        facts: The name and the value of each fact about the grading.
        page: The address of an arena's page, for links to positions; None links to none.

    Raises:
        OSError: A file cannot be written.
    """
    students = folder / STUDENTS
    students.mkdir(exist_ok=True)
    pages = {}
    for grade in grades:
        pages[f"{grade.name}.md"] = student_markdown(grade, page)
        pages[f"{grade.name}.html"] = student_html(grade, page)
    for path in students.iterdir():
        if path.suffix in (".md", ".html") and path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        write_file(students / name, text.encode())
    # With a byte order mark, by which spreadsheets know that it is in UTF-8.
    write_file(folder / "grades.csv", grades_csv(grades).encode("utf-8-sig"))
    write_file(folder / "index.html", teacher_html(grades, facts).encode())


def write_file(path: Path, content: bytes) -> None:
    """Write a file that gets its name only when it is complete. Raises OSError."""
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)
