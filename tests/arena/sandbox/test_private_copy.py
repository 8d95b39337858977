"""Private copies of folders."""

import os
from pathlib import Path

from arena.sandbox.limits import View
from arena.sandbox.private_copy import copy_folder, private_copy
from arena.sandbox.sandbox import UNPROTECTED


def test_a_copy_has_all_that_can_be_read(tmp_path: Path) -> None:
    folder, copy = tmp_path / "folder", tmp_path / "copy"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "run").write_text("a")
    (folder / "in" / "run").chmod(0o755)
    (folder / "link").symlink_to("in/run")
    (folder / "outside").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    copy_folder(folder, copy)
    assert sorted(path.name for path in copy.iterdir()) == ["in", "link", "outside"]
    assert (copy / "outside").readlink() == tmp_path
    assert (copy / "link").read_text() == "a"
    assert os.access(copy / "in" / "run", os.X_OK)


def test_a_copy_is_removed(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    with private_copy(UNPROTECTED, View(tmp_path / "in", copied=tmp_path)) as view:
        (view.folder / "log").touch()
        assert view.folder.name == "in"
        assert not (tmp_path / "in" / "log").exists()
    assert not view.folder.parent.parent.exists()


def test_without_a_copy_the_view_is_the_same(tmp_path: Path) -> None:
    view = View(tmp_path)
    with private_copy(UNPROTECTED, view) as same:
        assert same is view
