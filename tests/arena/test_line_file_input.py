"""Text files from elsewhere: marks, line ends, encodings, and what has no end."""

import os
from pathlib import Path

import pytest

from arena import line_file
from arena.line_file import read_lines, read_text
from tests.support.cases import loop_over


@loop_over("content", [b"\xef\xbb\xbf1\r\n2", b"1\r\n2", b"\xef\xbb\xbf1\r\n\xef\xbb\xbf2"])
def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a").write_bytes(content)
    assert [*read_lines(tmp_path / "a")] == ["1\r\n", "2"]


@loop_over(
    "content, line",
    [(b"\xff", "line 1: invalid UTF-8"), (b"a\n\xed\xa0\x80\n", "line 2: invalid UTF-8")],
)
def test_an_invalid_line_is_named(tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(ValueError, match=f"^{line}$"):
        [*read_lines(tmp_path / "a")]


def test_a_file_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_file, "MAX_BYTES", 1000)
    with pytest.raises(ValueError, match=r"^line 1: more than 1000 bytes$"):
        [*read_lines(Path("/dev/zero"))]
    with pytest.raises(ValueError, match=r"^more than 1000 bytes$"):
        read_text(Path("/dev/zero"))


def test_a_pipe_that_nobody_writes_to_is_empty(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read_text(tmp_path / "pipe") == ""


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        read_text(tmp_path)
