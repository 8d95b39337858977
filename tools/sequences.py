"""`python -m tools.sequences FOLDER`: number sequences of Take-Stones as b-files.

A b-file, the format of the On-Line Encyclopedia of Integer Sequences, has a line `n a(n)` for each
term. The files are:

- b-losing.txt: the n-th number of stones with which player 1 loses;
- b-winning-openings.txt: how many first moves win with n stones;
- b-least-winning-opening.txt: the smallest first move that wins with n stones, 0 if none does.

The last two grow term by term. If the program is ended, by any means, the next run continues them.
"""

import argparse
import os
import re
from collections.abc import Sequence
from pathlib import Path

from core.cli import UsageError, main, reading, shown
from core.take_stones.solve import complete
from core.take_stones.solver import WinningOpenings

LOSING = "b-losing.txt"
COUNTS = "b-winning-openings.txt"
LEAST = "b-least-winning-opening.txt"
LAST = 100_000  # stones
LAST_LOSING = 1191  # docs/explanation/theory.md proves that it is the last


def terms(file: Path) -> list[str]:
    """Return the complete lines of a file, none if there is no file.

    Raises:
        UsageError: The file cannot be read, or has other lines, such as those with CR LF.
    """
    if file.exists() and not file.is_file():  # a pipe or a device may have no end
        raise UsageError(f"{str(file)!a} is not a file", 1)
    with reading(f"{str(file)!a}"):
        text = file.read_bytes().decode("ascii", "replace") if file.exists() else ""
    *lines, rest = text.split("\n")
    for n, line in enumerate(lines, start=1):
        if not re.fullmatch(rf"{n} [0-9]+", line):
            raise _foreign(file, n, line)
    n = len(lines) + 1  # of the line in which an ended run was interrupted
    if not (f"{n} ".startswith(rest) or re.fullmatch(rf"{n} [0-9]+", rest)):
        raise _foreign(file, n, rest)
    return [f"{line}\n" for line in lines]


def _foreign(file: Path, n: int, line: str) -> UsageError:
    return UsageError(f"{str(file)!a}, line {n}: expected '{n} NUMBER', not {shown(line)}", 1)


def extend(folder: Path, last: int) -> None:
    """Continue the files of all numbers of stones up to the last one.

    Raises:
        UsageError: A file has other lines.
        OSError: A file cannot be written.
    """
    files = [folder / COUNTS, folder / LEAST]
    found = [terms(file) for file in files]
    done = min(map(len, found))
    for file, lines in zip(files, found, strict=True):
        file.touch()
        os.truncate(file, sum(map(len, lines[:done])))
    if done >= last:
        return
    with files[0].open("a") as counts, files[1].open("a") as least:
        for n, moves in WinningOpenings(done + 1, last):
            counts.write(f"{n} {len(moves)}\n")
            least.write(f"{n} {moves[0] if moves else 0}\n")


def losing(folder: Path) -> str:
    """Return the numbers without a winning first move as a b-file."""
    pairs = (line.split() for line in terms(folder / COUNTS))
    found = (n for n, count in pairs if count == "0")
    return "".join(f"{place} {n}\n" for place, n in enumerate(found, start=1))


def run(arguments: Sequence[str]) -> str:
    """Write the files, and return what is left to print: nothing. Raises UsageError."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.sequences", description="Write sequences of Take-Stones as b-files."
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the files are written")
    help_text = f"the largest number of stones (default: {LAST}), at least {LAST_LOSING}"
    parser.add_argument("--last", type=int, default=LAST, help=help_text)
    options = parser.parse_args(arguments)
    if options.last < LAST_LOSING:
        parser.error(f"--last must be at least {LAST_LOSING}, not {options.last}")
    try:
        options.folder.mkdir(parents=True, exist_ok=True)
        extend(options.folder, options.last)
    except OSError as error:
        name = str(error.filename or options.folder)
        raise UsageError(f"cannot write {name!a}: {error.strerror}", 1) from None
    except MemoryError:
        text = f"--last {shown(str(options.last))} is too large for this machine's memory"
        raise UsageError(text) from None
    with complete(str(options.folder / LOSING)) as out:
        out.write(losing(options.folder))
    return ""


if __name__ == "__main__":
    main("tools.sequences", run)
