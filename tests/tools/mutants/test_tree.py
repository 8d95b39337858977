"""Private copies of a checkout."""

import os
import subprocess
from pathlib import Path

import pytest

from tools.mutants.sample import Mutant
from tools.mutants.tree import Tree


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for name in (".venv/a", "build/web/b", "core/board.py", "core/board.so", "core/new.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("moves = 1\n")
    (root / ".gitignore").write_text(".venv\nbuild\n*.so\n")
    subprocess.run(["git", "init", "--quiet", root], check=True)
    return root


@pytest.fixture
def tree(checkout: Path) -> Tree:
    return Tree(checkout, checkout / "build" / "tree")


def test_a_copy_has_sources_and_compiled_modules(checkout: Path, tree: Tree) -> None:
    for name in ("core/board.py", "core/board.so", "core/new.py", ".venv/a", "build/web/b"):
        assert (tree.root / name).read_text() == "moves = 1\n"
    assert not (tree.root / "build" / "tree").exists()
    assert (tree.root / ".venv").resolve() == (checkout / ".venv").resolve()


def test_a_copy_that_is_there_is_replaced(checkout: Path, tree: Tree) -> None:
    (tree.root / "core" / "old.py").touch()
    assert not (Tree(checkout, tree.root).root / "core" / "old.py").exists()


def test_a_file_is_changed_for_a_while(tree: Tree) -> None:
    path = tree.root / "core" / "board.py"
    os.utime(path, (1, 1))
    compiled = path.parent / "__pycache__" / "board.cpython-311.pyc"
    compiled.parent.mkdir()
    compiled.touch()
    with tree.mutated(Mutant("core/board.py", 1, "NumberReplacer", "", "", "moves = 2\n")):
        assert path.read_text() == "moves = 2\n"
        assert not compiled.exists()
        compiled.touch()
    assert (path.read_text(), path.stat().st_mtime) == ("moves = 1\n", 1)
    assert not compiled.exists()
