"""Programs with one change each, made of right programs in four languages.

Most changes are written by hand: `changes/` has the name of the misreading that each is. The others
exchange an operator or a number at a place that is drawn.
"""

import hashlib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
DATA = FOLDER.parents[1] / "tests" / "data"
PROGRAMS = (
    DATA / "right_programs" / "TakeStones.java",
    DATA / "right_programs" / "closures.py",
    DATA / "right_programs" / "main.js",
    DATA / "submissions" / "c_right" / "TakeStones.c",
    DATA / "submissions" / "python_right" / "take_stones.py",
)
UNNAMED = ""  # the name of a change that need not be a misreading
HELD_OUT = 3  # every third mutant, by a digest of its text
EXCHANGED = {
    "<=": "<",
    ">=": ">",
    " < ": " <= ",
    " > ": " >= ",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    " and ": " or ",
    " or ": " and ",
    " + ": " - ",
    " - ": " + ",
    "max(": "min(",
    "min(": "max(",
    " 0": " 1",
    " 1": " 2",
    " 2": " 3",
    "0.5": "0.6",
    "0.6": "0.7",
    "0.7": "0.8",
}
OPERATOR = re.compile("|".join(re.escape(text) for text in EXCHANGED))


@dataclass(frozen=True)
class Mutant:
    """A program with one change.

    Attributes:
        name: The misreading that the change is; empty if it need not be one.
        file: The name of the program's file.
        text: The program.
        change: The change, in one line.
    """

    name: str
    file: str
    text: str
    change: str

    @property
    def digest(self) -> str:
        """A digest of the program."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:8]

    def is_held_out(self, seed: int) -> bool:
        """Return whether this mutant is only for the last measurement."""
        return int(hashlib.sha256(f"{seed} {self.digest}".encode()).hexdigest(), 16) % HELD_OUT == 0

    def write(self, folder: Path) -> str:
        """Write the mutant as a submission, and return the submission's name."""
        name = f"{Path(self.file).suffix[1:]}-{self.name or 'other'}-{self.digest}"
        (folder / name).mkdir()
        (folder / name / self.file).write_text(self.text)
        return name


def mutants(others: int, seed: int) -> list[Mutant]:
    """Return the mutants with names, and some others that are drawn."""
    named = [mutant for path in PROGRAMS for mutant in named_mutants(path)]
    known = {mutant.text for mutant in named}
    found = [mutant for path in PROGRAMS for mutant in exchanged(path) if mutant.text not in known]
    return [*named, *random.Random(seed).sample(found, min(others, len(found)))]


def named_mutants(program: Path) -> Iterator[Mutant]:
    """Yield the mutants from the file of changes."""
    changes = FOLDER / "changes" / f"{program.name}.txt"
    if not changes.exists():
        return
    for block in changes.read_text().strip().split("\n\n"):
        name, *lines = block.splitlines()
        text = program.read_text()
        for old, new in _replacements(lines):
            if old not in text:
                raise ValueError(f"{changes.name}, {name}: no {old!r}")
            text = text.replace(old, new, 1)
        yield Mutant(name, program.name, text, " ".join(" ".join(lines).split()))


def _replacements(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the old and the new text of each replacement."""
    old: list[str] = []
    new: list[str] = []
    for line in lines:
        if line.startswith("-") and new:
            yield "\n".join(old), "\n".join(new)
            old, new = [], []
        (old if line.startswith("-") else new).append(line[2:])
    yield "\n".join(old), "\n".join(new)


def exchanged(program: Path) -> Iterator[Mutant]:
    """Yield the mutants where one operator or number is exchanged."""
    text = program.read_text()
    for match in OPERATOR.finditer(text):
        begin, end = match.span()
        changed = f"{text[:begin]}{EXCHANGED[match[0]]}{text[end:]}"
        line = text.count("\n", 0, begin) + 1
        change = f"line {line}: {match[0].strip()} -> {EXCHANGED[match[0]].strip()}"
        yield Mutant(UNNAMED, program.name, changed, change)
