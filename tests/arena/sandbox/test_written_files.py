"""Files that a program has written: measured, and removed whatever their depth."""

import os
import subprocess
from pathlib import Path

from arena.sandbox.limits import MEGABYTE, Limits
from arena.sandbox.written_files import MAX_DEPTH, remove_folder, written_excess

LIMITS = Limits(written_files=20, written_bytes=MEGABYTE)
DEEP = 1100  # folders, more than functions may call themselves


def make_deep(folder: Path, depth: int, name: str = "d") -> None:
    """Make folders in each other, whose paths may be too long for the system."""
    inner = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=inner)
        outer, inner = inner, os.open(name, os.O_RDONLY, dir_fd=inner)
        os.close(outer)
    os.close(inner)


def test_few_files_are_no_excess(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 1000)
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(100 * MEGABYTE)
    (tmp_path / "loop").symlink_to(tmp_path)
    assert written_excess([tmp_path, tmp_path / "missing"], LIMITS) is None


def test_many_files(tmp_path: Path) -> None:
    for number in range(21):
        (tmp_path / f"{number}").touch()
    assert written_excess([tmp_path], LIMITS) == "wrote more than 20 files"


def test_large_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(b"x" * (3 * MEGABYTE // 4))
    assert written_excess([tmp_path], LIMITS) == "wrote more than 1 MB"


def test_deep_folders(tmp_path: Path) -> None:
    make_deep(tmp_path, MAX_DEPTH + 1)
    excess = f"made more than {MAX_DEPTH} folders in each other"
    assert written_excess([tmp_path], Limits()) == excess


def test_paths_that_are_too_long(tmp_path: Path) -> None:
    make_deep(tmp_path, 20, name=255 * "d")
    assert written_excess([tmp_path], LIMITS) == "made a folder that cannot be read"


def test_a_deep_folder_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    make_deep(folder, DEEP, 255 * "d")
    try:
        remove_folder(folder)
        assert [*tmp_path.iterdir()] == []
    finally:  # pytest cannot remove it
        subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)


def test_only_the_folder_is_removed(tmp_path: Path) -> None:
    folder, other = tmp_path / "folder", tmp_path / "other"
    for path in (folder, other, folder / "locked", folder / "empty"):
        path.mkdir()
    (other / "file").touch()
    (folder / "locked" / "file").touch()
    (folder / "locked").chmod(0)
    (folder / "link").symlink_to(other)
    (folder / "file").hardlink_to(other / "file")
    remove_folder(folder)
    remove_folder(tmp_path / "missing")
    assert [*tmp_path.rglob("*")] == [other, other / "file"]
