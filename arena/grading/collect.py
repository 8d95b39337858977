"""Submissions in a folder: their students and their files."""

import itertools
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from arena.grading.archive import folder_files, is_file, is_ignored, read_file
from arena.grading.exports import (
    ARCHIVES,
    SOURCES,
    Handed,
    latest,
    own_name,
    parse_names,
    repository_owners,
    submitters,
    suffix,
)
from arena.grading.records import one_line
from arena.grading.settings import InvalidSettings, Settings, parse_settings
from arena.grading.toolchain import MAIN, SOURCE_FOLDERS, Unrecognised, main_files, recognise
from arena.reports.text import counted

SETTINGS = "grade.toml"
METADATA = "submission_metadata.yml"  # of Gradescope
MAX_NAME = 60
MAX_LISTED = 10  # names in one line
MAX_LEVELS = 4  # of folders of several students


class UnusableFolder(Exception):
    """Submissions or settings that cannot be read; the text names the path and the reason."""


class Submission(NamedTuple):
    """A submission.

    Attributes:
        name: The name of the student, different from all others.
        files: What was handed in, by the paths that it gets; the empty path stands for a folder
            that is the whole submission, or for a single file with its own name.
        note: Which of several versions counts, or which student it belongs to; empty if clear.
    """

    name: str
    files: Mapping[str, Path]
    note: str = ""

    @classmethod
    def of(cls, path: Path) -> "Submission":
        """Return the submission that a folder or a file is."""
        return cls(submission_name(path.resolve()), {"": path})


class Collected(NamedTuple):
    """What a folder of submissions holds.

    Attributes:
        submissions: The submissions, by name.
        unused: The names of what is no submission.
    """

    submissions: list[Submission]
    unused: list[str]


@dataclass
class _Student:
    """Submission that has no name yet.

    Attributes:
        names: The names that it may have, the best first; each student has a different last one.
        files: What was handed in.
        note: What counts of several versions.
    """

    names: list[str]
    files: Mapping[str, Path]
    note: str


def collect(path: Path) -> Collected:
    """Return the submissions in a folder as `find_submissions` does.

    Raises:
        UnusableFolder: There is no such path, or it cannot be read.
    """
    if not path.exists():
        raise UnusableFolder(f"{path}: no such file or folder")
    try:
        return find_submissions(path)
    except OSError as error:
        raise UnusableFolder(f"cannot read {path}: {error.strerror}") from None


def read_settings(path: Path) -> Settings:
    """Return the settings in a folder of submissions; the default ones without a file.

    Raises:
        UnusableFolder: The file cannot be read or is invalid.
    """
    file = path / SETTINGS
    if not file.is_file():
        return Settings()
    try:
        return parse_settings(file.read_text(encoding="utf-8"))
    except (InvalidSettings, UnicodeDecodeError) as error:
        raise UnusableFolder(f"{file}: {error}") from None
    except OSError as error:
        raise UnusableFolder(f"cannot read {file}: {error.strerror}") from None


def find_submissions(path: Path) -> Collected:
    """Return the submissions in a folder, or the one that a path itself is.

    The exports of learning platforms are recognised, and folders of several students in it.

    Raises:
        OSError: The folder cannot be read.
    """
    if path.is_file() or _is_submission(path):
        return Collected([Submission.of(path)], [])
    level = _Level(path)
    return Collected(sorted(_named(level.students)), sorted(level.unused))


def describe(path: Path, collection: Collected, settings: Settings) -> list[str]:
    """Describe what a folder of submissions holds in vain: other files, and settings of no one."""
    lines = []
    if collection.unused:
        lines.append(f"left out, as neither a program nor an archive: {_listed(collection.unused)}")
    if unused := settings.unused(submission.name for submission in collection.submissions):
        lines.append(f"warning: {path / SETTINGS}: no submission is named {_listed(unused)}")
    return lines


def describe_notes(collection: Collected) -> list[str]:
    """Return the first notes on submissions; all of them are in the reports."""
    noted = [one for one in collection.submissions if one.note]
    lines = [f"{one.name}: {one_line(one.note)}" for one in noted[:MAX_LISTED]]
    if more := len(noted) - len(lines):
        lines.append(
            f"and {counted(more, 'more note')} on versions and names (--dry-run shows all)"
        )
    return lines


def _listed(names: Sequence[str]) -> str:
    """Return the first of some names, which may contain anything."""
    shown = ", ".join(map(one_line, names[:MAX_LISTED]))
    return shown + (f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else "")


def submission_name(path: Path) -> str:
    """Return the name of a submission, which is safe as the name of a file."""
    stem = path.name if path.is_dir() else path.name.removesuffix(suffix(path.name))
    return safe_name(own_name(unicodedata.normalize("NFKC", stem)) or stem)


def safe_name(text: str) -> str:
    """Return a name that is safe as the name of a file.

    It is in a normal form: two names that look the same are the same.
    """
    name = re.sub(r"[^\w.@+-]", "_", unicodedata.normalize("NFKC", text))[:MAX_NAME]
    return name.lstrip(".-") or "_"


class _Level:
    """Folder of several students, with the folders in it that are of several students too.

    Attributes:
        students: The students.
        unused: The names of other files.
    """

    def __init__(self, folder: Path, sections: tuple[str, ...] = ()) -> None:
        self.students: list[_Student] = []
        self.unused: list[str] = []
        self._sections = sections
        entries = _entries(folder)
        handed = _handed(entries)
        others = [path for name, path in entries.items() if name not in handed]
        self._add_exported(folder, entries, handed)
        folders = [path for path in others if path.is_dir() and not path.is_symlink()]
        self._add_files([path for path in others if path not in folders])
        self._add_folders(folder, folders)

    def _add(self, names: Sequence[str], files: Mapping[str, Path], note: str = "") -> None:
        last = [] if not self._sections else ["_".join((*self._sections, names[-1]))]
        self.students.append(_Student([*names, *last], files, note))

    def _add_exported(
        self, folder: Path, entries: Mapping[str, Path], handed: Mapping[str, Handed]
    ) -> None:
        """Add the students of a platform's export."""
        metadata = folder / METADATA
        known = submitters(metadata.read_text(errors="replace")) if metadata.is_file() else {}
        for key in sorted({one.key for one in handed.values()}):
            found, note = latest({name: one for name, one in handed.items() if one.key == key})
            files = {
                one.file: entries[name]
                for name, one in found.items()
                if (one.file or entries[name].is_dir())  # else it is a receipt
                and not is_ignored(one.file)
            }
            students = [student for name in found for student in known.get(name, [])]
            if len(students) > 1:
                note = f"handed in by {', '.join(name for name, _ in students)}"
            self._add(_names(found, students), files, note)

    def _add_files(self, paths: Sequence[Path]) -> None:
        for path in paths:
            if path.is_file() and not path.is_symlink() and _is_work(path.name):
                self._add([submission_name(path), path.name], {"": path})
            elif path.name not in (SETTINGS, METADATA):
                self.unused.append("/".join((*self._sections, path.name)))

    def _add_folders(self, folder: Path, paths: Sequence[Path]) -> None:
        """Add folders: of one student each, or of several students."""
        repositories = [path.name for path in paths if os.path.exists(path / ".git")]
        owners = repository_owners(repositories, folder.resolve().name)
        several = _folders_of_several([path for path in paths if path.name not in owners])
        for path in paths:
            if path in several and len(self._sections) < MAX_LEVELS:
                level = _Level(path, (*self._sections, path.name))
                self.students += level.students
                self.unused += level.unused
            else:
                self._add([owners.get(path.name) or submission_name(path), path.name], {"": path})


def _names(found: Mapping[str, Handed], students: Sequence[tuple[str, str]]) -> list[str]:
    """Return the names that a student of an export may have, the best first."""
    own = {name for one in found.values() if (name := own_name(_stem(one.file)))}
    first = next(iter(found.values()))
    names = [*own] if len(own) == 1 else []
    if students:
        names.append("+".join(name for name, _ in students))
        names.append("+".join(address.partition("@")[0] for _, address in students))
    return [*filter(None, names), first.student, first.key]


def _named(students: Sequence[_Student]) -> Iterator[Submission]:
    """Yield the submissions of students; equal names get numbers."""
    chosen = [0] * len(students)
    while True:
        names = [
            safe_name(student.names[index]) for student, index in zip(students, chosen, strict=True)
        ]
        counts = Counter(map(str.casefold, names))
        same = [
            number
            for number, name in enumerate(names)
            if counts[name.casefold()] > 1 and chosen[number] + 1 < len(students[number].names)
        ]
        if not same:
            break
        for number in same:
            chosen[number] += 1
    taken: set[str] = set()
    for student, name, index in zip(students, names, chosen, strict=True):
        numbered = (f"{name}.{number}" for number in itertools.count(2))
        possible = itertools.chain([name], numbered)
        free = next(each for each in possible if each.casefold() not in taken)
        taken.add(free.casefold())
        note = f"one of several submissions named {safe_name(student.names[0])}" if index else ""
        yield Submission(free, student.files, "; ".join(filter(None, (note, student.note))))


def _entries(folder: Path) -> dict[str, Path]:
    """Return the files and folders that are not left out, by name."""
    return {path.name: path for path in sorted(folder.iterdir()) if not is_ignored(path.name)}


def _readable(folder: Path) -> dict[str, Path]:
    """Return the entries of a student's folder; none if it cannot be read, which its row says."""
    try:
        return _entries(folder)
    except OSError:
        return {}


def _handed(entries: Mapping[str, Path]) -> dict[str, Handed]:
    """Return what a platform has exported into a folder."""
    return parse_names(
        {name: path.is_dir() for name, path in entries.items() if not path.is_symlink()}
    )


def _stem(file: str) -> str:
    return file.removesuffix(suffix(file))


def _is_work(name: str) -> bool:
    """Return whether a file may be a program or an archive."""
    return suffix(name).lower() in (*SOURCES, *ARCHIVES, "")


def _has_work(folder: Path, but: Mapping[str, Handed] | None = None) -> bool:
    """Return whether a folder itself has a program, an archive or a folder of sources."""
    return any(
        name in SOURCE_FOLDERS if path.is_dir() else _is_work(name)
        for name, path in _readable(folder).items()
        if name not in (but or {})
    )


def _is_export(folder: Path) -> bool:
    """Return whether a folder holds what a platform has exported, rather than a student's files."""
    entries = _readable(folder)
    handed = _handed(entries)
    students = {one.key for one in handed.values()}
    is_own = len(students) < 2 and any(one.platform == "assignment" for one in handed.values())
    has_work = any(entries[name].is_dir() or _is_work(name) for name in handed)
    return has_work and not is_own and not _has_work(folder, handed)


def _folders_of_several(folders: Sequence[Path]) -> set[Path]:
    """Return which of some folders are of several students.

    Those are exports; and all folders, as sections of a course, if none has a program of its own
    and most have folders with a program in each.
    """
    exports = {folder for folder in folders if _is_export(folder)}
    if exports or any(map(_has_work, folders)):
        return exports
    several = [folder for folder in folders if len(_folders_of_programs(folder)) > 1]
    return {*folders} if len(several) > len(folders) / 2 else set()


def _folders_of_programs(folder: Path) -> list[Path]:
    """Return the first two folders in a folder that have a main program or an archive."""
    paths = (path for path in _readable(folder).values() if path.is_dir() and not path.is_symlink())
    return [*islice(filter(_has_program, paths), 2)]


def _has_program(folder: Path) -> bool:
    paths = [path.relative_to(folder) for path in folder_files(folder)]
    if any(suffix(path.name).lower() in ARCHIVES for path in paths):
        return True
    sources = (path for path in paths if path.suffix.lower() in SOURCES)
    with suppress(OSError):  # its row says so
        return any(main_files([read_file(folder, path)]) for path in sources)
    return True


def _is_submission(folder: Path) -> bool:
    """Return whether a folder is itself a submission.

    It is if its files are one program, or if it has a source folder, and it has neither settings
    nor archives nor several folders with programs, which mark a folder of submissions. Beside a
    program with another name than TakeStones, one such folder is enough.
    """
    paths = [*_entries(folder).values()]
    if any(path.name == SETTINGS or suffix(path.name).lower() in ARCHIVES for path in paths):
        return False
    if any(path.is_dir() and path.name in SOURCE_FOLDERS for path in paths):
        return True
    inner = _folders_of_programs(folder)
    if _is_export(folder) or len(inner) > 1:
        return False
    files = [read_file(folder, path.relative_to(folder)) for path in paths if is_file(path)]
    programs = [file for file in files if file.path.suffix.lower() in SOURCES]
    if inner or any(file.stem == MAIN for file in programs):
        return any(file.stem == MAIN for file in programs)
    try:
        recognise(files)
    except Unrecognised:
        return False
    return len({file.path.suffix.lower() for file in programs}) == 1  # else of several students
