"""Words of bots: the latest in memory, all of them in a file."""

import os
import string
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.model.results import MAX_LOG
from arena.runner import bot_log as module
from arena.runner.bot_log import PIECES, BotLog, file_name, open_logs
from tests.support.cases import loop_over

NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=64)


def test_the_latest_words_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    log = BotLog("Ann")
    for number in range(PIECES + 5):
        monkeypatch.setattr(time, "time", lambda number=number: float(number))
        log.add(f"{number}\n")
    assert log.since(0.0).splitlines()[0] == "5"
    assert log.since(PIECES + 3.0).splitlines() == [f"{PIECES + 3}", f"{PIECES + 4}"]
    assert log.since(1000.0) == ""
    log.add("x" * 10 * MAX_LOG)
    assert len(log.since(0.0)) == MAX_LOG
    log.close()


def test_all_words_go_to_the_file(tmp_path: Path) -> None:
    logs = open_logs(["Ann", "Bob"], tmp_path / "new" / "logs")
    logs["Ann"].add("one\n")
    logs["Ann"].add("two\n")
    logs["Bob"].add("\tcaf\u00e9 \udcff \x1b[2J\n")
    for log in logs.values():
        log.close()
    logs["Ann"].add("later\n")  # as a process may still write
    again = open_logs(["Ann"], tmp_path / "new" / "logs")["Ann"]
    again.add("three\n")
    again.close()
    assert (tmp_path / "new/logs/Ann.log").read_text() == "one\ntwo\nthree\n"
    assert (tmp_path / "new/logs/Bob.log").read_text() == "        café \\udcff \\x1b[2J\n"


def test_folders_of_logs(tmp_path: Path) -> None:
    assert [*open_logs(["Ann"], None)] == ["Ann"]
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "logs").touch()
    with pytest.raises(FileExistsError):
        open_logs(["Ann"], tmp_path / "logs")


def test_a_large_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FILE", 10)
    log = BotLog("Ann", tmp_path / "Ann.log")
    for line in ("12345678\n", "abcdefgh\n", "next one\n"):
        log.add(line)
    log.close()
    assert (tmp_path / "Ann.log").read_text() == "next one\n"
    assert (tmp_path / "Ann.log.1").read_text() == "abcdefgh\n"
    assert len([*tmp_path.iterdir()]) == 2


def test_a_full_disk_is_noticed_once() -> None:
    log = BotLog("Ann", Path("/dev/full"))
    log.add("one\n")
    log.add("two\n")
    problem = "cannot write /dev/full: No space left on device; no more is written to it"
    assert (log.take_notice(), log.take_notice()) == (problem, None)
    assert log.since(0.0) == "one\ntwo"


def test_the_first_ignored_line_is_noticed_once() -> None:
    log = BotLog("Ann")
    log.add("hello\n")
    assert log.take_notice() is None
    for text in ("'\x1b[2J'", "'move: 9'"):
        log.add(f"bots: ignored output {text} (expected a number or resign)\n")
    notice = "bot Ann: ignored output '?[2J' (expected a number or resign)"
    assert (log.take_notice(), log.take_notice()) == (notice, None)


@loop_over(
    "name, file",
    ("mybot", "mybot.log"),
    ("spec:4#2", "spec%3A4#2.log"),
    ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.log"),
    (".", "%2E.log"),
    ("é", "%C3%A9.log"),
    ("my bot.py", "my bot.py.log"),
)
def test_names_of_files(name: str, file: str) -> None:
    assert file_name(name) == file


def test_long_names_of_files_are_distinct() -> None:
    names = [file_name(64 * "\U0001f600"), file_name(63 * "\U0001f600" + "\U0001f601")]
    assert names[0][:150] == names[1][:150]
    assert names[0] != names[1]
    assert {len(name) for name in names} == {184}


@given(NAMES, NAMES)
def test_names_of_files_are_safe_and_distinct(one: str, two: str) -> None:
    found = file_name(one)
    allowed = string.ascii_letters + string.digits + "_+=@,#.%~ -"
    assert set(found) <= set(allowed)
    assert os.path.basename(found) == found
    assert found[0] != "."
    assert len(found) <= 190
    assert (found == file_name(two)) == (one == two)
