"""Files that commands write."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from arena.cli.arguments import Refused


@contextmanager
def complete_file(path: Path, db: Path) -> Iterator[BinaryIO]:
    """A file that has its name only when it is complete.

    Raises Refused if that is the name of the database or of something that is no file, and OSError.
    """
    if path.exists() and (not path.is_file() or path.samefile(db)):
        what = "the database itself" if path.is_file() else "not a file"
        raise Refused(f"--output {path} is {what}")
    target = path.resolve()
    beside = Path(f"{target}.{os.getpid()}")
    try:
        with beside.open("wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
