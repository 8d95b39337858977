"""Names in exports of learning platforms."""

from arena.grading.exports import (
    Handed,
    latest,
    own_name,
    parse_names,
    repository_owners,
    submitters,
    suffix,
    without_number,
)
from tests.support.cases import loop_over

WHEN = "2026-11-20-12-00-00"


def parsed(name: str, is_folder: bool = False) -> Handed | None:
    return parse_names({name: is_folder}).get(name)


@loop_over(
    "name, is_folder, platform, student, file",
    ("dyerchuck_12_345_TakeStones.java", False, "Canvas", "dyerchuck", "TakeStones.java"),
    ("dyerchuck_LATE_12_345_my file-2.zip", False, "Canvas", "dyerchuck", "my file.zip"),
    ("dyerchuck_12_345_a_1_2_b.py", False, "Canvas", "dyerchuck", "a_1_2_b.py"),
    ("Chuck Dyer_12_assignsubmission_file_", True, "Moodle", "Chuck Dyer", ""),
    ("Chuck Dyer_12_assignsubmission_file", True, "Moodle", "Chuck Dyer", ""),
    ("Chuck Dyer_12_assignsubmission_file_a-1.py", False, "Moodle", "Chuck Dyer", "a-1.py"),
    (
        "Chuck Dyer_12_assignsubmission_onlinetext_onlinetext.html",
        False,
        "Moodle",
        "Chuck Dyer",
        "onlinetext_onlinetext.html",
    ),
    (f"HW_2_crdyer_attempt_{WHEN}_a_b.java", False, "Blackboard", "crdyer", "a_b.java"),
    (f"HW 2_crdyer_attempt_{WHEN}.txt", False, "Blackboard", "crdyer", ""),
    ("submission_123", True, "Gradescope", "submission_123", ""),
    ("crdyerHW2P1.pdf", False, "assignment", "crdyer", "crdyerHW2P1.pdf"),
    ("crdyer_hw2p3 (1).zip", False, "assignment", "crdyer", "crdyer_hw2p3.zip"),
)
def test_names(name: str, is_folder: bool, platform: str, student: str, file: str) -> None:
    found = parsed(name, is_folder)
    assert found
    assert (found.platform, found.student, found.file) == (platform, student, file)


@loop_over(
    "name, is_folder",
    ("TakeStones.java", False),
    ("crdyerHW2P3", True),
    ("submission_123", False),
    ("dyerchuck_12_345_a", True),
    ("HW_crdyer_attempt_2026_a.java", False),
)
def test_other_names(name: str, is_folder: bool) -> None:
    assert parsed(name, is_folder) is None


def test_no_student_can_choose_a_name_of_another_one() -> None:
    names = ("ada_1_2_a.py", "bob_3_4_b.py", "eve_5_6_Bob_3_assignsubmission_file_x.py")
    found = parse_names(dict.fromkeys(names, False))
    assert [one.student for one in found.values()] == ["ada", "bob", "eve"]
    found = parse_names({f"HW_eve_attempt_{WHEN}_x_attempt_{WHEN}_y.py": False})
    assert [one.student for one in found.values()] == ["eve"]


def test_students_of_one_name_differ() -> None:
    found = parse_names(dict.fromkeys(("ada_1_2_a.py", "ada_3_4_a.py", "ada_1_5_b.py"), False))
    assert len({one.key for one in found.values()}) == 2


@loop_over(
    "names, kept, note",
    (["ada_1_2_a.py", "ada_1_3_b.py"], [0, 1], ""),
    (
        ["ada_1_4_A-1.java", "ada_1_9_A-10.java", "ada_1_2_A.java"],
        [1],
        "ada_1_9_A-10.java counts, the latest A.java",
    ),
    (["ada_1_2_a.zip", "ada_LATE_1_3_a.zip"], [1], "ada_LATE_1_3_a.zip counts, the latest a.zip"),
    (["ada_1_2_out-1.txt", "ada_1_3_out-2.txt"], [0, 1], ""),
    (
        [
            "HW_ada_attempt_2026-11-20-12-00-00_a.py",
            "HW_ada_attempt_2026-11-20-12-00-00.txt",
            "HW_ada_attempt_2026-11-09-12-00-00_b.py",
        ],
        [0, 1],
        "the attempt of 2026-11-20-12-00-00 counts, the last of 2",
    ),
)
def test_the_latest_counts(names: list[str], kept: list[int], note: str) -> None:
    found, said = latest(parse_names(dict.fromkeys(names, False)))
    assert ([*found], said) == ([names[index] for index in kept], note)


@loop_over(
    "file, right, number",
    ("TakeStones-1.java", "TakeStones.java", 1),
    ("TakeStones (12).java", "TakeStones.java", 12),
    ("a-2.tar.gz", "a.tar.gz", 2),
    ("a-2.txt", "a-2.txt", 0),
    ("a-2", "a-2", 0),
)
def test_numbers_of_a_platform(file: str, right: str, number: int) -> None:
    assert without_number(file) == (right, number)


def test_names_of_students_and_suffixes() -> None:
    assert own_name("dyerchuck_1_2_crdyerHW2P3-1") == "crdyer"
    assert own_name("TakeStones") is None
    assert [suffix(name) for name in ("a.b.TAR.GZ", "a.java", "a")] == [".TAR.GZ", ".java", ""]


def test_submitters_of_gradescope() -> None:
    text = """---
submission_12:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1'
    :email: ada@x.edu
  - :name: 'Bob'
    :email: bob@x.edu
  :history:
  - :submitters:
    - :name: Eve
submission_13:
  :submitters:
  - :email: nobody@x.edu
"""
    assert submitters(text) == {
        "submission_12": [("Ada Lovelace", "ada@x.edu"), ("Bob", "bob@x.edu")],
        "submission_13": [],
    }


@loop_over(
    "folders, parent, owners",
    (["hw2-ann", "hw2-bob"], "x", ["ann", "bob"]),
    (["hw2-ann-lee", "hw2-ann-may"], "hw2-submissions", ["ann-lee", "ann-may"]),
    (["hw2-ann"], "hw2-submissions", ["ann"]),
    (["hw2-ann"], "x", ["hw2-ann"]),
    (["ann", "bob"], "x", ["ann", "bob"]),
    ([], "x", []),
)
def test_repositories(folders: list[str], parent: str, owners: list[str]) -> None:
    assert [*repository_owners(folders, parent).values()] == owners
