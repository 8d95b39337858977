"""Submissions in a folder."""

import zipfile
from pathlib import Path

import pytest

from arena.grading.collect import AmbiguousName, find_submissions, submission_name
from tests.support.cases import loop_over

MAIN = "public class TakeStones { public static void main(String[] a) {} }"


@loop_over(
    "file, name",
    ("crdyerHW2P3.zip", "crdyer"),
    ("crdyer_HW2P3.zip", "crdyer"),
    ("dyerchuck_123_456_crdyerHW2P3.zip", "crdyer"),
    ("dyerchuck_LATE_123_456_crdyerHW2P3-2.zip", "crdyer"),
    ("crdyerHW2P3 (1).zip", "crdyer"),
    ("crdyerhw2p3.zip", "crdyer"),
    ("ada.py", "ada"),
    ("a.b c.zip", "a.b_c"),
    ("..zip", "_"),
    ("-rf.py", "rf"),
    ("x².py", "x2"),
    ("e\N{COMBINING ACUTE ACCENT}ve.py", "\xe9ve"),
    ("=cmd|' calc'!A0.py", "_cmd___calc__A0"),
    ("\x1b[31m<b>\udcff.py", "__31m_b__"),
    ("HW2P3.zip", "HW2P3"),
)
def test_names_of_files(file: str, name: str) -> None:
    assert submission_name(Path(file)) == name


def test_a_folder_of_submissions(tmp_path: Path) -> None:
    (tmp_path / "bob").mkdir()
    (tmp_path / "ada.smithHW2P3").mkdir()
    (tmp_path / "eve.py").touch()
    with zipfile.ZipFile(tmp_path / "zoeHW2P3.zip", "w"):
        pass
    for name in ("grade.toml", "notes.txt", ".hidden.py"):
        (tmp_path / name).touch()
    (tmp_path / "link.py").symlink_to("eve.py")
    found = find_submissions(tmp_path)
    assert [(one.name, one.path.name) for one in found] == [
        ("ada.smith", "ada.smithHW2P3"),
        ("bob", "bob"),
        ("eve", "eve.py"),
        ("zoe", "zoeHW2P3.zip"),
    ]


def test_two_submissions_of_one_name(tmp_path: Path) -> None:
    for name in ("ada.py", "Ada.c"):
        (tmp_path / name).touch()
    with pytest.raises(AmbiguousName, match=r"^two submissions are named ada: Ada.c and ada.py$"):
        find_submissions(tmp_path)


@loop_over("files", [["TakeStones.java"], ["TakeStones.java", "Game.java", "a.txt"]])
def test_a_folder_that_is_a_submission(tmp_path: Path, files: list[str]) -> None:
    for name in files:
        (tmp_path / name).write_text(MAIN if name == files[0] else "")
    assert find_submissions(tmp_path) == [(tmp_path.name, tmp_path)]


def test_a_folder_with_a_source_folder_is_a_submission(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    assert find_submissions(tmp_path) == [(tmp_path.name, tmp_path)]


def test_a_file_is_a_submission(tmp_path: Path) -> None:
    path = tmp_path / "ada.py"
    path.touch()
    assert find_submissions(path) == [("ada", path)]


def test_the_working_directory_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "TakeStones.java").write_text(MAIN)
    monkeypatch.chdir(tmp_path)
    assert find_submissions(Path()) == [(tmp_path.name, Path())]


@loop_over("mark", ["grade.toml", "bobHW2P3.zip"])
def test_settings_and_zip_files_mark_a_folder_of_submissions(tmp_path: Path, mark: str) -> None:
    for name in ("TakeStones.java", mark):
        (tmp_path / name).write_text(MAIN)
    assert "TakeStones" in [one.name for one in find_submissions(tmp_path)]
