"""Submissions in a folder: their names and files."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.grading.archive import is_file, is_ignored, read_file
from arena.grading.records import one_line
from arena.grading.settings import InvalidSettings, Settings, parse_settings
from arena.grading.toolchain import MAIN, Unrecognised, recognise

SETTINGS = "grade.toml"
SOURCE_FOLDERS = ("src", "app")
# crdyerHW2P3.zip; a learning platform may add the student's name and numbers around it.
FILE_NAME = re.compile(r"(?:.*_)?([^_]+?)[_ -]?HW2P3(?:[_-]?\d+| \(\d+\))?", re.IGNORECASE)
PROGRAM_SUFFIXES = {".java", ".py", ".c", ".cc", ".cpp", ".cxx", ".js", ".mjs", ".cjs", ".zip", ""}
MAX_NAME = 60
MAX_LISTED = 10  # names in one line


class AmbiguousName(Exception):
    """Two submissions of the same name; the text names them."""


class UnusableFolder(Exception):
    """Submissions or settings that cannot be read; the text names the path and the reason."""


class Submission(NamedTuple):
    """A submission: its name, and its folder, zip file or single file."""

    name: str
    path: Path


def list_submissions(path: Path) -> list[Submission]:
    """Return the submissions in a folder as `find_submissions` does.

    Raises:
        UnusableFolder: There is no such path, it cannot be read, or two have the same name.
    """
    if not path.exists():
        raise UnusableFolder(f"{path}: no such file or folder")
    try:
        return find_submissions(path)
    except AmbiguousName as error:
        raise UnusableFolder(f"{path}: {error}") from None
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


def find_submissions(path: Path) -> list[Submission]:
    """Return the submissions in a folder, by name, or the one that a path itself is.

    Raises:
        AmbiguousName: Two submissions have the same name.
        OSError: The folder cannot be read.
    """
    if path.is_file() or _is_submission(path):
        return [Submission(submission_name(path.resolve()), path)]
    found: dict[str, Submission] = {}
    for entry in _candidates(path):
        submission = Submission(submission_name(entry), entry)
        other = found.setdefault(submission.name.casefold(), submission)
        if other is not submission:
            raise AmbiguousName(
                f"two submissions are named {submission.name}: {other.path.name} and {entry.name}"
            )
    return sorted(found.values())


def describe_unused(path: Path, submissions: Sequence[Submission], settings: Settings) -> list[str]:
    """Describe what a folder of submissions holds in vain: other files, and settings of no one.

    Raises:
        OSError: The folder cannot be read.
    """
    lines = []
    if ignored := _ignored_names(path):
        lines.append(f"left out, as neither a program nor a zip file: {_listed(ignored)}")
    if unused := settings.unused(submission.name for submission in submissions):
        lines.append(f"warning: {path / SETTINGS}: no submission is named {_listed(unused)}")
    return lines


def _listed(names: Sequence[str]) -> str:
    """Return the first of some names, which may contain anything."""
    shown = ", ".join(map(one_line, names[:MAX_LISTED]))
    return shown + (f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else "")


def _ignored_names(path: Path) -> list[str]:
    """Return the names of what is left out of a folder of submissions, but not meant to be."""
    if path.is_file() or _is_submission(path):
        return []
    found = {entry.name for entry in _candidates(path)} | {SETTINGS}
    return sorted(
        entry.name
        for entry in path.iterdir()
        if entry.name not in found and not is_ignored(entry.name)
    )


def submission_name(path: Path) -> str:
    """Return the name of a submission, which is safe as the name of a file.

    It is in a normal form: two names that look the same are the same.
    """
    stem = path.name if path.is_dir() else path.name.removesuffix(path.suffix)
    stem = unicodedata.normalize("NFKC", stem)
    matched = FILE_NAME.fullmatch(stem)
    name = re.sub(r"[^\w.@+-]", "_", matched[1] if matched else stem)[:MAX_NAME]
    return name.lstrip(".-") or "_"


def _candidates(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if is_ignored(path.name) or path.is_symlink() or path.name == SETTINGS:
            continue
        if path.is_dir() or (path.is_file() and path.suffix.lower() in PROGRAM_SUFFIXES):
            yield path


def _is_submission(folder: Path) -> bool:
    """Return whether a folder is itself a submission.

    It is if its files are one program, or if it has a source folder, and it has neither settings
    nor zip files, which mark a folder of submissions.
    """
    paths = [path for path in sorted(folder.iterdir()) if not is_ignored(path.name)]
    if any(path.name == SETTINGS or path.suffix.lower() == ".zip" for path in paths):
        return False
    if any(path.is_dir() and path.name in SOURCE_FOLDERS for path in paths):
        return True
    files = [read_file(folder, path.relative_to(folder)) for path in paths if is_file(path)]
    programs = [file for file in files if file.path.suffix.lower() in PROGRAM_SUFFIXES - {""}]
    if any(file.stem == MAIN for file in programs):
        return True
    try:
        recognise(files)
    except Unrecognised:
        return False
    return len({file.path.suffix.lower() for file in programs}) == 1  # else of several students
