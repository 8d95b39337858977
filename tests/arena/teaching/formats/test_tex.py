import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.teaching import run
from arena.teaching.formats.figures import exercise
from arena.teaching.formats.tex import PREAMBLE, SPECIAL, escaped, picture, render
from arena.teaching.space import GameTree, Node
from tests.arena.teaching.formats.runs import merged, stones, written

NASTY = "\\input{x}$%&#_^~"


@given(st.text())
def test_escaped_text_has_no_meaning(text: str) -> None:
    rest = escaped(text)
    for command in sorted(SPECIAL.values(), key=len, reverse=True):
        rest = rest.replace(command, "")
    assert not re.search(r"[\\{}$&#_%^~]", rest)
    assert len(rest) <= len(text)


def test_documents_escape_texts_and_draw_boxes_and_curves() -> None:
    assert escaped("Ü ő Ж 中") == "Ü o {?} {?}"
    assert escaped("a-b") == "a{-}b"
    text = render(written(), NASTY)
    assert balanced(text)
    assert text.startswith(r"\documentclass{article}")
    assert text.count(r"\begin{tikzpicture}") == 1
    assert r"\textbackslash{}input\{x\}\$\%\&\#\_" in text
    text = picture(exercise(written("(3 4)"), has_leaf_values=False))
    assert text.count(r"\draw[tree box]") == 3
    assert "scale=" not in text
    text = render(merged(), "Tree")
    assert len(re.findall(r"\\draw\[tree same\] .* \.\. controls .* and .* \.\. ", text)) == 1


def balanced(text: str) -> bool:
    """Whether braces and environments are closed."""
    plain = text.replace(r"\{", "").replace(r"\}", "")
    begun, ended = (sorted(re.findall(rf"\\{word}{{(\w+)}}", text)) for word in ("begin", "end"))
    return plain.count("{") == plain.count("}") and begun == ended


def test_all_styles_are_defined() -> None:
    text = render(stones(20, 1, depth=4), "Tree") + picture(exercise(written()))
    text += render(merged(), "Tree")
    used = {
        style
        for options in re.findall(r"\\(?:draw|node)\[([^]]*)\]", text)
        for style in options.split(", ")
        if style.startswith("tree ")
    }
    assert used == {*re.findall(r"^  (tree \w+)/\.style", PREAMBLE, re.MULTILINE)}


def test_nodes_have_their_values() -> None:
    text = render(written(), "Tree")
    assert r"{$\alpha$ $-$$\infty$}" in text
    assert re.search(r"tree main\] at \S+ \{v 3\}", text)
    assert re.search(r"tree bound\] at \S+ \{\$\\alpha\$ 3\}", text)
    assert re.search(r"tree faint\] at \S+ \{4\}", text)
    assert text.count(r"\draw[tree cross]") == 2
    assert text.count(r"\draw[tree edge, tree best]") == 2


def test_huge_drawings_are_scaled_to_what_tex_can_measure() -> None:
    leaves = tuple(Node(f"a leaf with {number}", 1.0) for number in range(250))
    text = render(run(GameTree(Node("r", None, leaves))), "Tree")
    numbers = [float(number) for number in re.findall(r"\(([\d.]+),", text)]
    assert 11_900 < max(numbers) < 12_100
    assert re.search(r"every node/.append style={scale=0\.\d+}", text)


@pytest.mark.needs("LaTeX")
def test_latex_compiles_it(tmp_path: Path) -> None:
    tree = GameTree(Node("r", None, (Node(NASTY, 3.0), Node("Ü中", 4.0))))
    for found in (run(tree), written(), stones(20, 1, depth=4)):
        (tmp_path / "tree.tex").write_text(render(found, NASTY))
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
        assert "(1 page" in done.stdout
