"""Pages for students and for the teacher."""

import re
from pathlib import Path

import pytest

from arena.grading.marking import Grade
from arena.grading.reports.folder import write_file, write_reports
from arena.grading.reports.pages import distribution, faults, student_html, teacher_html

PAGE = "http://127.0.0.1:8765/"
Grades = dict[str, Grade]


def test_the_page_of_a_wrong_program(grades: Grades) -> None:
    text = student_html(grades["bob"], PAGE)
    assert "<b>The depth reached is counted from 1.</b> The root is at depth 0." in text
    assert '<td>2</td><td class="wrong">3 (wrong)</td>' in text
    assert '<details id="case-6" open>\n<summary><h3>Case 6: wrong</h3></summary>' in text


def test_a_page_without_links(grades: Grades) -> None:
    assert f'<a href="{PAGE}#/' in student_html(grades["bob"], PAGE)
    assert "<a" not in student_html(grades["ada"], None)
    assert "<p>the latest of 2</p>" in student_html(grades["lou"], None)


def test_right_cases_are_folded(grades: Grades) -> None:
    text = student_html(grades["ada"], PAGE)
    assert '<details id="case-6">\n<summary><h3>Case 6: right</h3></summary>' in text
    assert " open>" not in text


def test_a_program_that_was_not_run_has_no_cases(grades: Grades) -> None:
    assert "Case" not in student_html(grades["kim"], PAGE)


def test_no_text_of_a_program_is_markup(grades: Grades) -> None:
    pages = [student_html(grades[name], PAGE) for name in ("=eve", "kim")]
    pages.append(teacher_html([*grades.values()], []))
    for page in pages:
        assert "<script" not in page
        assert "&lt;script&gt;" in page


def test_the_teachers_page(grades: Grades) -> None:
    text = teacher_html([*grades.values()], [("cases", "6")])
    assert "<dt>cases</dt><dd>6</dd>" in text
    assert '<a href="students/ada.html">ada</a>' in text
    assert "The depth reached is counted from 1." in text


def test_the_teachers_page_without_faults(grades: Grades) -> None:
    assert "No fault was named." in teacher_html([grades["ada"]], [])


def test_distribution(grades: Grades) -> None:
    found = distribution([grades[name] for name in ("ada", "bob", "kim")])
    assert {name: count for name, count in found if count} == {
        "0 to 10": 1,
        "80 to 90": 1,
        "90 to 100": 1,
    }


def test_faults_are_counted(grades: Grades) -> None:
    found = faults([grades["bob"], grades["bob"], grades["cyd"], grades["ada"]])
    assert found == [
        ("The depth reached is counted from 1.", 2),
        ("Zero is printed with a sign.", 1),
    ]


def test_a_student_sees_nothing_of_another(grades: Grades, tmp_path: Path) -> None:
    write_reports(tmp_path, [*grades.values()], [], PAGE)
    for path in (tmp_path / "students").iterdir():
        others = {name for name in grades if name != path.stem}
        assert not others & {*re.findall(r"=?\b\w+\b", path.read_text())}


def test_the_folder_of_reports(grades: Grades, tmp_path: Path) -> None:
    write_reports(tmp_path, [grades["ada"], grades["bob"]], [], PAGE)
    write_reports(tmp_path, [grades["ada"]], [], PAGE)
    found = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*"))
    assert found == ["grades.csv", "index.html", "students/ada.html", "students/ada.md"]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_file(tmp_path / "a", b"")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
