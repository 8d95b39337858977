"""Archives that only other programs can unpack, which do it in the sandbox."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.grading.archive import InvalidSubmission
from arena.sandbox.limits import Limits, View
from arena.sandbox.run import run
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.written_files import remove_folder, written_excess

SECONDS = 60.0
OUT = "out"
# Words before the archive, which is unpacked into the working directory. None asks for a password.
OPTIONS = ("x", "-y", "-p-")
BSDTAR = ("bsdtar", "-x", "-f")
TOOLS = {  # the first that is installed is used
    ".7z": (("7z", *OPTIONS), ("7zz", *OPTIONS), ("7za", *OPTIONS), BSDTAR),
    ".rar": (("unrar", *OPTIONS), BSDTAR, ("7z", *OPTIONS)),
}
PACKAGES = {".7z": "7zip", ".rar": "unrar"}


class ExtractorMissing(InvalidSubmission):
    """An archive that no program on this machine can unpack."""


@contextmanager
def extracted(archive: Path, sandbox: Sandbox) -> Iterator[Path]:
    """Unpack an archive into a private folder, which is removed afterwards.

    Args:
        archive: The archive, with a suffix in TOOLS.
        sandbox: The sandbox that it is unpacked in.

    Yields:
        The folder. Nothing in it is to be trusted, neither links nor sizes.

    Raises:
        InvalidSubmission: It cannot be unpacked.
        OSError: This machine cannot store its files.
    """
    kind = archive.suffix.lower()
    words = next((words for words in TOOLS[kind] if sandbox.has_tool(words[0])), None)
    if not words:
        advice = f"apt-get install {PACKAGES[kind]}, or unpack it"
        raise ExtractorMissing(f"no program for {kind} files is installed ({advice})")
    private = Path(tempfile.mkdtemp(prefix="arena-"))
    try:
        sandbox.admit(private)
        folder = private / "archive"
        (folder / OUT).mkdir(0o755, parents=True)
        copy = Path(shutil.copyfile(archive, folder / f"archive{kind}"))
        sandbox.hand_over(folder)
        view = View(folder / OUT, writable=(folder,))
        ended = run(sandbox, [*words, f"../{copy.name}"], view, Limits(), SECONDS)
        excess = ended.excess or written_excess([folder], Limits())
        if ended.status or excess:
            reason = f"{words[0]} {excess or 'cannot unpack it'}"
            raise InvalidSubmission(f"invalid {kind} file: {reason}")
        yield folder / OUT
    finally:
        remove_folder(private)
