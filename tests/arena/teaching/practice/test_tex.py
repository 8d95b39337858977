import re
import subprocess
from pathlib import Path

import pytest

from arena.teaching.practice import Positions, Sheet, Trees, exercises
from arena.teaching.practice.tex import render
from core import GAMES
from tests.support.cases import loop_over

SMALL = [*exercises(Trees(depth=2), 2, seed=1)]
POSITIONS = [*exercises(Positions(GAMES["take_stones"], {"stones": 10}), 1, seed=1)]
BOARDS = [*exercises(Positions(GAMES["isolation"], {}, depth=1), 1, seed=1, cutoffs=0)]

SHEETS = [
    Sheet("A & B", SMALL),
    Sheet("Title", SMALL, has_solutions=True, footer="Made with: a_b"),
    Sheet("Title", POSITIONS, has_solutions=True, paper="letter"),
    Sheet("Title", BOARDS),
]


@loop_over("sheet", SHEETS)
def test_braces_and_environments_are_closed(sheet: Sheet) -> None:
    text = render(sheet)
    plain = text.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    open_environments: list[str] = []
    for word, name in re.findall(r"\\(begin|end){(\w+)}", text):
        if word == "begin":
            open_environments.append(name)
        else:
            assert open_environments.pop() == name
    assert not open_environments


def test_a_sheet_has_the_exercises_and_an_example() -> None:
    text = render(SHEETS[0])
    assert re.findall(r"\\large\\bfseries (\w+(?: \d)?)", text) == [
        "Example",
        "Exercise 1",
        "Exercise 2",
    ]
    assert text.count(r"\begin{tikzpicture}") == 3
    assert text.count(r":} \hrulefill") == 3 * 2
    assert r"{\Large\bfseries A \& B\par}" in text


def test_solutions_have_the_answers_and_positions_are_text() -> None:
    text = render(SHEETS[1])
    assert r"\hrulefill" not in text
    assert SMALL[0].task.source in text
    assert "Yes: both give the root the value" in text
    assert r"Made with: a\_b" in text
    text = render(SHEETS[2])
    assert r"{\ttfamily\small Last taken: " in text
    assert r"\par \small" not in text
    assert r"{\small {\color{plainline}Leaves:}" in text
    assert "Made with" not in render(SHEETS[1]._replace(has_solutions=False))
    assert r"\usepackage[a4paper,margin=15mm]{geometry}" in render(SHEETS[0])
    assert r"\usepackage[letterpaper,landscape,margin=15mm]{geometry}" in render(SHEETS[2])


@pytest.mark.needs("LaTeX")
@pytest.mark.parametrize("sheet", SHEETS)
def test_latex_compiles_it(tmp_path: Path, sheet: Sheet) -> None:
    (tmp_path / "sheet.tex").write_text(render(sheet))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
