"""Names in exports of learning platforms: the student of each file, and the latest. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

ARCHIVES = (
    ".zip",
    ".tar",
    ".tar.gz",
    ".tgz",
    ".tar.bz2",
    ".tbz2",
    ".tar.xz",
    ".txz",
    ".7z",
    ".rar",
)
SOURCES = (".java", ".py", ".c", ".cc", ".cpp", ".cxx", ".js", ".mjs", ".cjs")
PART = r"[_ -]?HW2P[1-3](?:[_-]?\d+| \(\d+\))?"  # end of a name that the assignment wants
# The form of a name on each platform, with some of the groups `student`, `id` (which tells students
# of one name apart), `attempt` (the last one counts as a whole), `version` (the last one of each
# file counts) and `file` (the name that the student gave).
FORMS = {
    "Moodle": r"(?P<student>.+?)_(?P<id>\d+)_assignsubmission_(?:file_?)?(?P<file>.*)",
    "Blackboard": r"(?P<id>.+?_(?P<student>[^_]+))_attempt_(?P<attempt>\d{4}(?:-\d\d){5})"
    r"(?:\.txt|_(?P<file>.+))",
    "Gradescope": r"(?P<student>submission_(?P<id>\d+))",
    "Canvas": r"(?P<student>[^_]+)(?:_LATE)?_(?P<id>\d+)_(?P<version>\d+)_(?P<file>.+)",
    "assignment": rf"(?P<file>(?P<student>[^_]+?){PART}\.\w+)",
}
PATTERNS = {platform: re.compile(form, re.IGNORECASE) for platform, form in FORMS.items()}
OF_FOLDERS, OF_FILES = {"Moodle", "Gradescope"}, FORMS.keys() - {"Gradescope"}
NUMBERING = {"Canvas", "assignment"}  # which add a number to the name of a file handed in again
OWN_NAME = re.compile(rf"(?:.*_)?([^_]+?){PART}", re.IGNORECASE)
NUMBERED = re.compile(r"(.+?)(?:-(\d{1,3})| \((\d{1,3})\))")
CLONED = "-submissions"  # end of the name of a folder of repositories
SUBMISSION = re.compile(r"(submission_\d+):")
SUBMITTER = re.compile(r"\s*(?:- )?:(name|email): *[\"']?(.*?)[\"']? *")


class Handed(NamedTuple):
    """File or folder that a student has handed in.

    Attributes:
        platform: The platform that has given the name.
        key: What tells the students of an export apart.
        student: The student's name on the platform.
        file: The name that the student gave; empty for a folder that was handed in as a whole, and
            for a receipt of the platform.
        attempt: The attempt that it belongs to.
        version: The version of the file.
    """

    platform: str
    key: str
    student: str
    file: str
    attempt: str = ""
    version: tuple[int, int] = (0, 0)


def parse_names(names: Mapping[str, bool]) -> dict[str, Handed]:
    """Return what the names in an export say, without those in no form of its platform.

    The platform is the one that has given most names, so that no student can choose a name that
    makes a file another student's.

    Args:
        names: The names, and whether each names a folder.
    """
    matched = [
        (platform, name, found)
        for platform, pattern in PATTERNS.items()
        for name, is_folder in names.items()
        if platform in (OF_FOLDERS if is_folder else OF_FILES)
        and (found := pattern.fullmatch(name))
    ]
    if not matched:
        return {}
    [(platform, _)] = Counter(platform for platform, _, _ in matched).most_common(1)
    return {name: _handed(given, found) for given, name, found in matched if given == platform}


def _handed(platform: str, found: "re.Match[str]") -> Handed:
    groups = found.groupdict()
    file, number = groups.get("file") or "", 0
    if platform in NUMBERING:
        file, number = without_number(file)
    return Handed(
        platform,
        "_".join(filter(None, (groups["student"], groups.get("id")))),
        groups["student"],
        file,
        groups.get("attempt") or "",
        (number, int(groups.get("version") or 0)),
    )


def own_name(file: str) -> str | None:
    """Return the name that a student has put into the name of a file, as the assignment wants."""
    found = OWN_NAME.fullmatch(file)
    return found[1] if found else None


def suffix(file: str) -> str:
    """Return the suffix of a file, which has two parts if the file is a compressed archive."""
    archive = next((end for end in ARCHIVES if file.lower().endswith(end)), "")
    return file[-len(archive) :] if archive else PurePosixPath(file).suffix


def without_number(file: str) -> tuple[str, int]:
    """Return the name of a program or an archive before it was numbered, and its number or 0."""
    end = suffix(file)
    found = NUMBERED.fullmatch(file.removesuffix(end))
    if not found or end.lower() not in (*ARCHIVES, *SOURCES):
        return file, 0
    return found[1] + end, int(found[2] or found[3])


def latest(handed: Mapping[str, Handed]) -> tuple[dict[str, Handed], str]:
    """Return the latest of the files that one student has handed in.

    Args:
        handed: The files by the names that the platform has given, at least one.

    Returns:
        The latest files, and a note that says what counts; empty if there is nothing older.
    """
    attempts = {one.attempt for one in handed.values()}
    newest: dict[str, str] = {}
    replaced = []
    for name, one in handed.items():
        if one.attempt != max(attempts):
            continue
        other = newest.setdefault(one.file.casefold(), name)
        if other != name:
            newer = max(name, other, key=lambda each: handed[each].version)
            newest[one.file.casefold()] = newer
            replaced.append(one.file)
    notes = [f"the attempt of {max(attempts)} counts, the last of {len(attempts)}"]
    notes = notes if len(attempts) > 1 else []
    notes += [f"{newest[file.casefold()]} counts, the latest {file}" for file in {*replaced}]
    return {name: handed[name] for name in newest.values()}, "; ".join(sorted(notes))


def submitters(metadata: str) -> dict[str, list[tuple[str, str]]]:
    """Return the students of each folder in Gradescope's submission_metadata.yml.

    Returns:
        The name and the address of each student, by the name of the folder. Only the submitters are
        read, up to the next key of the submission.
    """
    found: dict[str, list[tuple[str, str]]] = {}
    for block in re.split(r"^(?=submission_\d+:)", metadata, flags=re.MULTILINE):
        lines = block.splitlines()
        if not (lines and (folder := SUBMISSION.fullmatch(lines[0].rstrip()))):
            continue
        students = found.setdefault(folder[1], [])
        for key, value in _submitter_fields(lines[1:]):
            if key == "name":
                students.append((value, ""))
            elif students:
                students[-1] = (students[-1][0], value)
    return found


def _submitter_fields(lines: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Yield the names and addresses below `:submitters:`, in order."""
    is_inside = False
    for line in lines:
        if line.strip() == ":submitters:":
            is_inside = True
        elif is_inside and re.match(r"  :", line):
            return
        elif is_inside and (field := SUBMITTER.fullmatch(line)):
            yield field[1], field[2]


def repository_owners(folders: Sequence[str], parent: str) -> dict[str, str]:
    """Return the students of folders that GitHub Classroom has named `assignment-student`.

    Args:
        folders: The names of the folders that are repositories.
        parent: The name of the folder that they are in: `assignment-submissions`, if it is known.
    """
    common = f"{parent.removesuffix(CLONED)}-"
    if not all(name.startswith(common) for name in folders):
        words = zip(*(name.split("-") for name in folders), strict=False)
        common = "".join(f"{same[0]}-" for same in takewhile(lambda each: len({*each}) == 1, words))
    return {name: name.removeprefix(common) or name for name in folders}
