"""Output of commands: the width of tables, and readers that pause or have exited."""

import os
import sys

import pytest

from arena.__main__ import main
from arena.cli.output import MAX_WAITING, BackgroundStream, background_notices, terminal_width
from tests.support.cases import loop_over


@loop_over(("columns", "width"), [("77", 77), ("wide", None), ("", None)])
def test_tables_in_a_pipe_have_the_width_of_the_environment(
    columns: str, width: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal_width() == width


def test_a_reader_who_pauses_delays_nobody_and_loses_the_latest_lines_only() -> None:
    reading, writing = os.pipe()
    text = "1\n" * MAX_WAITING  # more than a pipe and the stream hold together
    with os.fdopen(writing, "w", encoding="utf-8") as out, os.fdopen(reading, "rb") as reader:
        stream = BackgroundStream(out)
        assert (stream.encoding, stream.fileno(), stream.isatty()) == ("utf-8", writing, False)
        stream.write(text)
        first = reader.read(1)  # the thread has begun with it
        stream.write(text)
        stream.write("left out\n")
        assert first + reader.read(2 * len(text) - 1) == 2 * text.encode()
        stream.finish()
        out.close()
        assert reader.read() == b""


def test_an_error_of_the_stream_is_raised_later(capsys: pytest.CaptureFixture[str]) -> None:
    with open("/dev/full", "w") as full:
        stream = BackgroundStream(full)
        stream.write("lost")
        stream.finish()
        with pytest.raises(OSError, match="No space left on device"):
            stream.write("text")
        assert not capsys.readouterr().err
        os.dup2(os.open(os.devnull, os.O_WRONLY), full.fileno())  # or closing it fails too


def test_notices_are_written_before_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    with background_notices():
        print("first", file=sys.stderr)
        print("second", file=sys.stderr)
    assert capsys.readouterr().err == "first\nsecond\n"


def test_a_closed_standard_error_leaves_standard_output_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["standings", "absent"]) == 2
    with sys.stderr:
        assert sys.stderr.name != 1
    assert not capsys.readouterr().out
