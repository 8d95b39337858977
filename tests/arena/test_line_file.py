"""Files of lines: whole lines, whatever the disk or another program does."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.line_file import LineFile
from tests.support.disks import full_disk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines"


@pytest.fixture
def file(path: Path) -> Iterator[LineFile]:
    """A new file, closed at the end."""
    opened = LineFile(path)
    yield opened
    opened.close()


def test_lines_are_in_the_file_at_once(path: Path, file: LineFile) -> None:
    file.append(b"one\n")
    file.append(b"two\nthree\n")
    assert path.read_bytes() == b"one\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("before", "after"), [(b"", b""), (b"one\n", b"one\n"), (b"one\ntw", b"one\ntw\n")]
)
def test_a_line_that_was_cut_is_ended(path: Path, before: bytes, after: bytes) -> None:
    path.write_bytes(before)
    file = LineFile(path)
    file.append(b"next\n")
    file.close()
    assert path.read_bytes() == after + b"next\n"


def test_a_line_that_cannot_be_ended_leaves_the_former_file(path: Path, file: LineFile) -> None:
    path.rename(path.with_suffix(".1"))
    path.write_bytes(b"cut")
    with full_disk(3), pytest.raises(OSError, match="File too large"):
        file.reopen_if_moved()
    file.append(b"one\n")
    assert (path.read_bytes(), path.with_suffix(".1").read_bytes()) == (b"cut", b"one\n")


def test_a_full_disk_leaves_no_part_of_a_line(path: Path, file: LineFile) -> None:
    file.append(b"one\n")
    with full_disk(10), pytest.raises(OSError, match="File too large"):
        file.append(b"two, which is longer\n")
    file.append(b"three\n")
    assert path.read_bytes() == b"one\nthree\n"


def test_a_pipe_takes_lines_until_its_reader_leaves(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(OSError, match="it is a socket, or a pipe that no process reads"):
        LineFile(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    file = LineFile(path)
    file.append(b"one\n")
    assert os.read(reader, 100) == b"one\n"
    os.close(reader)
    with pytest.raises(BrokenPipeError):
        file.append(b"two\n")
    file.close()


def test_a_file_is_opened_again_once_another_one_or_none_has_its_name(
    path: Path, file: LineFile
) -> None:
    file.append(b"one\n")
    file.reopen_if_moved()
    file.append(b"two\n")
    moved = path.rename(path.with_suffix(".1"))
    file.reopen_if_moved()
    file.append(b"three\n")
    path.unlink()
    path.write_bytes(b"four\n")
    file.reopen_if_moved()
    file.append(b"five\n")
    assert moved.read_bytes() == b"one\ntwo\n"
    assert path.read_bytes() == b"four\nfive\n"


def test_a_file_whose_folder_is_gone_is_tried_again(path: Path, file: LineFile) -> None:
    folder, elsewhere = path.parent, path.parent.with_name("elsewhere")
    folder.rename(elsewhere)
    for _ in range(2):
        with pytest.raises(FileNotFoundError):
            file.reopen_if_moved()
    elsewhere.rename(folder)
    file.reopen_if_moved()
    file.append(b"one\n")
    assert path.read_bytes() == b"one\n"


def test_a_file_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        LineFile(tmp_path)
