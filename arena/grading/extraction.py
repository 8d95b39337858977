"""Archives that only other programs can unpack, which do it in the sandbox."""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGXFSZ

from arena.grading.archive import MEGABYTE, InvalidSubmission
from arena.grading.records import one_line
from arena.sandbox.limits import LANGUAGE, Limits, View
from arena.sandbox.process import describe_status
from arena.sandbox.run import run
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.written_files import remove_folder, written_excess

SECONDS = 60.0
OUT = "out"
# Words before the archive, which is unpacked into the working directory. None asks for a password.
OPTIONS = ("x", "-y", "-p-")
UNAR = ("unar", "-quiet", "-no-directory", "-force-overwrite", "-password", "-")
BSDTAR = ("bsdtar", "-x", "-f")
TOOLS = {  # tried in this order, as none unpacks everything; Debian's 7-Zip knows no RAR
    ".7z": (("7z", *OPTIONS), ("7zz", *OPTIONS), ("7za", *OPTIONS), BSDTAR),
    ".rar": (("unrar", *OPTIONS), UNAR, BSDTAR),
}
PACKAGES = {".7z": "7zip", ".rar": "unar"}
LAST_LINE = "bsdtar: Error exit delayed from previous errors."  # which says nothing


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
    found = [words for words in TOOLS[kind] if sandbox.has_tool(words[0])]
    if not found:
        advice = f"apt-get install {PACKAGES[kind]}, or unpack it"
        raise ExtractorMissing(f"no program for {kind} files is installed ({advice})")
    private = Path(tempfile.mkdtemp(prefix="arena-"))
    reasons = []
    try:
        sandbox.admit(private)
        for words in found:
            folder = private / words[0]
            reason = _extract(archive, words, folder, sandbox)
            if not reason:
                yield folder / OUT
                return
            reasons.append(f"{words[0]} {reason}")
            remove_folder(folder)
        raise InvalidSubmission(one_line(f"invalid {kind} file: {reasons[0]}"))
    finally:
        remove_folder(private)


def _extract(archive: Path, words: Sequence[str], folder: Path, sandbox: Sandbox) -> str:
    """Unpack an archive into the folder OUT of a folder, which is created.

    Returns:
        Why that has failed, as a clause; empty if it has not.

    Raises:
        InvalidSubmission: It is too large, also for another program.
    """
    (folder / OUT).mkdir(0o755, parents=True)
    copy = Path(shutil.copyfile(archive, folder / f"archive{archive.suffix.lower()}"))
    sandbox.hand_over(folder)
    view = View(folder / OUT, writable=(folder,), environment=LANGUAGE)
    ended = run(sandbox, [*words, f"../{copy.name}"], view, Limits(), SECONDS)
    excess = ended.excess or written_excess([folder], Limits())
    if ended.status == -SIGXFSZ:
        excess = f"wrote a file of more than {Limits().file_size // MEGABYTE} MB"
    if excess:
        raise InvalidSubmission(f"invalid {copy.suffix} file: {words[0]} {excess}")
    if (folder / OUT).is_symlink():
        return "replaced its folder"
    if not ended.status:  # unrar-free ends with 0, too, if it has found nothing that it knows
        return "" if any((folder / OUT).iterdir()) else "finds no file in it"
    lines = ended.errors.decode(errors="replace").splitlines()
    said = [line for line in map(str.strip, lines) if line and line != LAST_LINE]
    if not said:
        return describe_status(ended.status)
    return f"says: {said[-1].removeprefix(f'{words[0]}: ')}"
