"""Invented classes, in the form in which a learning platform exports them."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

MAIN = "public class TakeStones {{ /* {} */ public static void main(String[] a) {{}} }}"
FIRST = ("Ada", "Bob", "Chuck", "Eve", "J\u00f6rg", "Zo\u00eb", "Mary Jane", "O'Neil")
LAST = ("Dyer", "Lee", "M\u00fcller", "Lovelace")
WHEN = "2026-11-{:02}-12-00-00"

Files = dict[str, bytes]


class Student:
    """Student with attempts, of which each has other files.

    Attributes:
        number: The number of the student on the platform.
        name: The full name, which others may have too.
        user: The login, which no other has.
        attempts: The files of each attempt; the last one counts.
    """

    def __init__(self, number: int, random: Random) -> None:
        self.number = number
        self.name = f"{random.choice(FIRST)} {random.choice(LAST)}"
        self.user = f"u{number}"
        self.attempts = [self._attempt(index, random) for index in range(random.randint(1, 3))]

    def mark(self, attempt: int) -> str:
        """Return the text that the files of an attempt have, and no other."""
        return f"student {self.number} attempt {attempt}."

    @property
    def last(self) -> str:
        """The text of the files that count."""
        return self.mark(len(self.attempts) - 1)

    def _attempt(self, index: int, random: Random) -> Files:
        source = MAIN.format(self.mark(index)).encode()
        files = {"TakeStones.java": source, "Helper.java": b"class Helper {}"}
        if not random.randrange(3):
            return files
        if not random.randrange(3):
            files = {f"hw2/src/{name}": content for name, content in files.items()}
        packed, suffix = (zipped, "zip") if random.randrange(4) else (tarred, "tar.gz")
        if not random.randrange(4):
            files = {"inner.zip": zipped(files)}
        pdfs = {f"{self.user}HW2P{part}.pdf": b"%PDF" for part in (1, 2)}
        return {**pdfs, f"{self.user}HW2P3.{suffix}": packed(files)}


def zipped(files: Files) -> bytes:
    """Return a zip file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def tarred(files: Files) -> bytes:
    """Return a compressed tar file."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return content.getvalue()


def write(folder: Path, files: Files) -> None:
    """Write files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def canvas(folder: Path, student: Student, random: Random) -> None:
    """Write attempts with the same files, which the platform numbers."""
    login = "".join(filter(str.isalnum, student.name.lower()))
    last = student.attempts[-1].keys()
    for index, files in enumerate(student.attempts):
        late = "_LATE" * random.randrange(2)
        if files.keys() != last:
            continue
        for name, content in files.items():
            stem, dot, suffix = name.partition(".")
            number = f"-{index}" * (index > 0)
            own = f"{login}{late}_{student.number}_{1000 * student.number + index}_{stem}{number}"
            write(folder, {f"{own}{dot}{suffix}": content})


def canvas_last(folder: Path, student: Student, random: Random) -> None:
    """Write the last attempt, as the platform does."""
    login = "".join(filter(str.isalnum, student.name.lower()))
    for name, content in student.attempts[-1].items():
        stem, dot, suffix = name.partition(".")
        number = f"-{random.randrange(1, 9)}" * random.randrange(2)
        own = f"{login}_{student.number}_{random.randrange(10**6)}_{stem}{number}{dot}{suffix}"
        write(folder, {own: content})


def moodle_folders(folder: Path, student: Student, random: Random) -> None:
    """Write a folder, and the text that the student has typed."""
    start = f"{student.name}_{student.number}_assignsubmission"
    write(folder / f"{start}_file{'_' * random.randrange(2)}", student.attempts[-1])
    if not random.randrange(3):
        write(folder / f"{start}_onlinetext_", {"onlinetext.html": b"<p>Hello"})


def moodle_files(folder: Path, student: Student, random: Random) -> None:
    """Write the files beside those of the others."""
    del random
    start = f"{student.name}_{student.number}_assignsubmission_file_"
    write(folder, {start + name: content for name, content in student.attempts[-1].items()})


def blackboard(folder: Path, student: Student, random: Random) -> None:
    """Write all attempts with their receipts."""
    day = random.randint(1, 9)
    for index, files in enumerate(student.attempts):
        start = f"HW 2_{student.user}_attempt_{WHEN.format(day + 8 * index)}"
        write(folder, {f"{start}.txt": b"Name: ..."})
        write(folder, {f"{start}_{name}": content for name, content in files.items()})


def gradescope(folder: Path, student: Student, random: Random) -> None:
    """Write a folder, and the student's name into the file of all names."""
    del random
    write(folder / f"submission_{student.number}", student.attempts[-1])
    with (folder / "submission_metadata.yml").open("a") as metadata:
        metadata.write(
            f"submission_{student.number}:\n  :submitters:\n  - :name: {student.name}\n"
            f"    :sid: '1'\n    :email: {student.user}@x.edu\n  :score: 0.0\n"
        )


def github(folder: Path, student: Student, random: Random) -> None:
    """Write a repository."""
    del random
    write(folder / f"hw2-{student.user}", student.attempts[-1])
    write(folder / f"hw2-{student.user}" / ".git", {"config": b""})


def folders(folder: Path, student: Student, random: Random) -> None:
    """Write a folder for each student."""
    del random
    write(folder / student.user, student.attempts[-1])


def assignment(folder: Path, student: Student, random: Random) -> None:
    """Write the three files that the assignment wants, beside those of the others."""
    del random
    inner = zipped(student.attempts[-1])
    parts = {1: ("pdf", b"%PDF"), 2: ("pdf", b"%PDF"), 3: ("zip", inner)}
    for part, (suffix, content) in parts.items():
        write(folder, {f"{student.user}HW2P{part}.{suffix}": content})


FORMS: dict[str, Callable[[Path, Student, Random], None]] = {
    form.__name__: form
    for form in (
        canvas,
        canvas_last,
        moodle_folders,
        moodle_files,
        blackboard,
        gradescope,
        github,
        folders,
        assignment,
    )
}


def write_mixture(folder: Path, count: int, random: Random) -> None:
    """Write students without any order: folders, files and archives, at several depths."""
    for number in range(count):
        place = folder / random.choice(["", "1", "2", "x/y", "x/z"])
        name = f"s{number}"
        text = MAIN.format(f"student {number}.")
        script = f"import sys\nsys.argv  # student {number}.\n".encode()
        files: Files = random.choice(
            [
                {"TakeStones.java": text.encode(), "Helper.java": b"class Helper {}"},
                {"src/TakeStones.java": text.encode()},
                {"code/Main.java": text.replace("TakeStones", "Main").encode()},
                {"main.py": script},
            ]
        )
        loose = random.choice([{}, {}, {f"{name}.py": script}, {f"{name}.zip": zipped(files)}])
        write(place if loose else place / name, loose or files)


def write_export(folder: Path, form: str, students: list[Student], random: Random) -> None:
    """Write a class into a folder: directly, one level too deep, or in sections."""
    write_one = FORMS[form]
    places = [folder]
    if len(students) > 3:
        sections = [folder / "section 1", folder / "section 2"]
        places = random.choice([places, [folder / "export"], sections])
    for index, student in enumerate(students):
        place = places[index % len(places)]
        place.mkdir(parents=True, exist_ok=True)
        write_one(place, student, random)
