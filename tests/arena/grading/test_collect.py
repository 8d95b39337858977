"""Submissions in a folder."""

import re
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from arena.grading.archive import extracted, read_file
from arena.grading.collect import Collected, collect, describe_notes, submission_name
from arena.grading.handed_in import copy_submission
from arena.grading.toolchain import Unrecognised, recognise
from arena.sandbox.sandbox import UNPROTECTED
from tests.support.cases import loop_over
from tests.support.grading.exports import FORMS, MAIN, Student, write_export, write_mixture

JAVA = MAIN.format("")


def names(collection: Collected) -> list[str]:
    return [submission.name for submission in collection.submissions]


def write(folder: Path, *paths: str, text: str = JAVA) -> None:
    for name in paths:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{}", name))


@loop_over(
    "file, name",
    ("crdyerHW2P3.zip", "crdyer"),
    ("crdyer_HW2P3.zip", "crdyer"),
    ("dyerchuck_123_456_crdyerHW2P3.zip", "crdyer"),
    ("dyerchuck_LATE_123_456_crdyerHW2P3-2.zip", "crdyer"),
    ("crdyerHW2P3 (1).zip", "crdyer"),
    ("crdyerhw2p3.tar.gz", "crdyer"),
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
    write(tmp_path, "bob/a.py", "ada.smithHW2P3/a.py", "eve.py", "zoeHW2P3.zip", "joe.rar")
    write(tmp_path, "grade.toml", "notes.txt", ".hidden.py")
    (tmp_path / "link.py").symlink_to("eve.py")
    found = collect(tmp_path)
    assert [
        (one.name, [path.name for path in one.files.values()]) for one in found.submissions
    ] == [
        ("ada.smith", ["ada.smithHW2P3"]),
        ("bob", ["bob"]),
        ("eve", ["eve.py"]),
        ("joe", ["joe.rar"]),
        ("zoe", ["zoeHW2P3.zip"]),
    ]
    assert found.unused == ["link.py", "notes.txt"]


def check_export(folder: Path, form: str, seed: int) -> None:
    """Check that each student of an invented class is found once, with the latest files."""
    random = Random(f"{form} {seed}")
    students = [Student(number, random) for number in range(10, 10 + random.randint(1, 9))]
    write_export(folder / "class", form, students, random)
    found = collect(folder / "class")
    contents = []
    for number, submission in enumerate(found.submissions):
        target = folder / str(number)
        target.mkdir()
        copy_submission(submission.files, target, lambda path: extracted(path, UNPROTECTED))
        files = [
            read_file(target, path.relative_to(target))
            for path in sorted(target.rglob("*"))
            if path.is_file()
        ]
        main = recognise(files).main
        assert main.name == "TakeStones.java"
        contents.append((target / main).read_text())
    assert len({*map(str.casefold, names(found))}) == len(students), names(found)
    for student in students:
        assert sum(student.last in text for text in contents) == 1, (student.name, names(found))
    assert found.unused == []


@pytest.mark.parametrize("form", FORMS)
def test_exports(tmp_path: Path, form: str) -> None:
    for seed in range(8):
        check_export(tmp_path / f"{seed}", form, seed)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_many_exports(tmp_path: Path, form: str) -> None:
    for seed in range(8, 80):
        check_export(tmp_path / f"{seed}", form, seed)


def check_mixture(folder: Path, seed: int) -> None:
    """Check that no program that is graded may be the one of several students."""
    random = Random(seed)
    write_mixture(folder / "class", random.randint(2, 6), random)
    for number, submission in enumerate(collect(folder / "class").submissions):
        target = folder / str(number)
        target.mkdir()
        copy_submission(submission.files, target, lambda path: extracted(path, UNPROTECTED))
        paths = [path for path in sorted(target.rglob("*")) if path.is_file()]
        with suppress(Unrecognised):
            recognise([read_file(target, path.relative_to(target)) for path in paths])
            text = "".join(path.read_text() for path in paths)
            assert len({*re.findall(r"student \d+", text)}) == 1, paths


def test_nobody_is_graded_for_another_student(tmp_path: Path) -> None:
    for seed in range(40):
        check_mixture(tmp_path / f"{seed}", seed)


@pytest.mark.slow
def test_nobody_of_many_is_graded_for_another_student(tmp_path: Path) -> None:
    for seed in range(40, 300):
        check_mixture(tmp_path / f"{seed}", seed)


@loop_over(
    "paths, expected",
    (["ada.py", "Ada.c"], ["Ada.c", "ada.py"]),
    (["ada.py", "ada/a.py"], ["ada", "ada.py"]),
    (["1/ada/a.py", "1/bob/a.py", "2/ada/a.py", "2/eve/a.py"], ["1_ada", "2_ada", "bob", "eve"]),
    (["a_1_2_xHW2P3.zip", "a_3_4_xHW2P3.zip"], ["a_1", "a_3"]),
    (["a b.py", "a_b.py"], ["a_b.py", "a_b.py.2"]),
)
def test_submissions_of_one_name(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str], expected: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("class")
    write(folder, *paths, text="import sys\nsys.argv # {}")
    found = collect(folder).submissions
    assert sorted(one.name for one in found) == expected
    assert any(one.note.startswith("one of several submissions named ") for one in found)


@loop_over(
    "paths, expected",
    # Folders with folders of programs are sections if that holds for most, and for nothing else.
    (
        ["1/ada/A.java", "1/bob/A.java", "2/eve/A.java", "2/joe/A.java"],
        ["ada", "bob", "eve", "joe"],
    ),
    (["1/ada/A.java", "1/bob/A.java", "2/eve/A.java", "2/joe.java"], ["1", "2"]),
    (["ada/src/A.java", "ada/old/A.java", "bob/v1/A.java", "bob/v2/A.java"], ["ada", "bob"]),
    (["ada/x/A.java", "bob/x/A.java", "eve/v1/A.java", "eve/v2/A.java"], ["ada", "bob", "eve"]),
    (["hw/1/ada/A.java", "hw/1/bob.zip", "hw/2/eve/x/A.java"], ["1", "2"]),
    (["1/adaHW2P3.zip", "1/bobHW2P3.zip", "eveHW2P3/eveHW2P3.zip"], ["ada", "bob", "eve"]),
    (["1/ada_1_2_A.java", "2/out_1_2_3.txt", "2/A.java"], ["2", "ada"]),
    (["TakeStones.java", "ada/A.java", "bob/A.java"], ["TakeStones", "ada", "bob"]),
)
def test_folders_of_several_students(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str], expected: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("class")
    write(folder, *paths)
    assert names(collect(folder)) == expected


def test_programs_beside_one_of_a_general_name_are_of_several_students(tmp_path: Path) -> None:
    lines = "# {} nodes visited, nodes evaluated, branching factor"
    write(tmp_path, "main.py", "ada.py", "bob.py", text=f"import sys\nsys.argv {lines}")
    assert names(collect(tmp_path)) == ["ada", "bob", "main"]


def test_students_who_hand_in_together_are_named(tmp_path: Path) -> None:
    write(tmp_path, "submission_1/A.java", "submission_2/A.java")
    submitters = "".join(f"  - :name: {name}\n    :email: {name}@x\n" for name in ("Ada", "Bob"))
    metadata = f"submission_1:\n  :submitters:\n{submitters}"
    write(tmp_path, "submission_metadata.yml", text=metadata)
    ada, other = collect(tmp_path).submissions
    assert (ada.name, ada.note) == ("Ada+Bob", "handed in by Ada, Bob")
    assert (other.name, other.note) == ("submission_2", "")


def test_the_first_notes_are_described(tmp_path: Path) -> None:
    for number in range(12):
        write(tmp_path, f"s_{number}_1_A.py", f"s_{number}_2_A.py")
    lines = describe_notes(collect(tmp_path))
    first = "s_0: one of several submissions named s; s_0_2_A.py counts, the latest A.py"
    assert (lines[0], len(lines)) == (first, 11)
    assert lines[-1] == "and 2 more notes on versions and names (--dry-run shows all)"


@pytest.mark.usefixtures("shared_folder")
def test_a_folder_that_cannot_be_read_stops_no_other(shared_folder: Path) -> None:
    write(shared_folder, "ada/A.java", "bob/x/A.java")
    (shared_folder / "eve").mkdir(mode=0)
    (shared_folder / "bob" / "x" / "A.java").chmod(0)
    assert names(collect(shared_folder)) == ["ada", "bob", "eve"]
    (shared_folder / "eve").chmod(0o700)


def test_what_a_platform_itself_writes_is_no_work(tmp_path: Path) -> None:
    start = "HW_ada_attempt_2026-11-20-12-00-00"
    write(tmp_path, f"{start}.txt", "HW_bob_attempt_2026-11-20-12-00-00_a.py", f"{start}_build.sh")
    ada, bob = collect(tmp_path).submissions
    assert ([*ada.files], [*bob.files]) == (["build.sh"], ["a.py"])


@loop_over("files", [["TakeStones.java"], ["TakeStones.java", "Game.java", "a.txt"]])
def test_a_folder_that_is_a_submission(tmp_path: Path, files: list[str]) -> None:
    for name in files:
        (tmp_path / name).write_text(JAVA if name == files[0] else "")
    assert collect(tmp_path).submissions == [(tmp_path.name, {"": tmp_path}, "")]


def test_a_folder_with_a_source_folder_is_a_submission(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    assert collect(tmp_path).submissions == [(tmp_path.name, {"": tmp_path}, "")]


def test_a_file_is_a_submission(tmp_path: Path) -> None:
    path = tmp_path / "ada.py"
    path.touch()
    assert collect(path).submissions == [("ada", {"": path}, "")]


def test_the_working_directory_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "TakeStones.java").write_text(JAVA)
    monkeypatch.chdir(tmp_path)
    assert collect(Path()).submissions == [(tmp_path.name, {"": Path()}, "")]


@loop_over("mark", ["grade.toml", "bobHW2P3.zip"])
def test_settings_and_archives_mark_a_folder_of_submissions(tmp_path: Path, mark: str) -> None:
    for name in ("TakeStones.java", mark):
        (tmp_path / name).write_text(JAVA)
    assert "TakeStones" in names(collect(tmp_path))
