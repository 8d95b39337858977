"""Files of the arena itself."""

import sys
from pathlib import Path

import pytest

from arena.sandbox import visible_files as module
from arena.sandbox.visible_files import (
    Mount,
    appearances,
    libraries_with_arena,
    own_files,
    read_mounts,
)
from tests.support.cases import loop_over

ROOT = Path(__file__).resolve().parents[3]


def test_the_checkout_and_the_virtual_environment_are_its_own() -> None:
    found = own_files()
    assert {ROOT / "arena", ROOT / "bots", ROOT / "core"} <= found.code
    assert ROOT in found.roots
    if sys.prefix != sys.base_prefix:
        assert Path(pytest.__file__).resolve().parents[1] in found.code
        assert Path(sys.prefix).resolve() in found.roots


def test_installed_packages_are_its_own_with_all_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries = tmp_path / "site-packages"
    monkeypatch.setattr(module, "PARENT", libraries)
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    found = own_files.__wrapped__()
    assert found.code == {libraries, *(libraries / name for name in ("arena", "bots", "core"))}
    assert found.roots == set()


@loop_over(
    "name", ["take_stones_arena-1.dist-info", "__editable__.take_stones_arena-1.pth", "other.pth"]
)
def test_an_installation_is_known_by_its_traces(tmp_path: Path, name: str) -> None:
    libraries = tmp_path / "lib" / "python3.12" / "site-packages"
    libraries.mkdir(parents=True, exist_ok=True)
    (libraries / name).touch()
    assert libraries_with_arena(tmp_path) == (set() if name == "other.pth" else {libraries})
    (libraries / name).unlink()


MOUNTS = [
    Mount("8:1", Path("/"), Path("/")),
    Mount("8:2", Path("/data"), Path("/opt")),
    Mount("8:2", Path("/"), Path("/usr/share/disk")),
    Mount("8:2", Path("/data/arena/core"), Path("/usr/lib/core")),
    Mount("8:3", Path("/data"), Path("/mnt")),
]


@loop_over(
    "path, others",
    ("/opt/arena", {"/usr/share/disk/data/arena", "/usr/lib/core"}),
    ("/home/arena", set()),
    ("relative", set()),
)
def test_a_folder_is_seen_at_all_its_mounts(path: str, others: set[str]) -> None:
    assert {*map(str, appearances(Path(path), MOUNTS))} == {path, *others}


def test_the_mounts_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mountinfo"
    monkeypatch.setattr(module, "MOUNTS", table)
    assert read_mounts() == []
    table.write_text("36 35 98:0 /mnt1 /my\\040disk rw - ext3 /dev/root rw\n")
    assert read_mounts() == [Mount("98:0", Path("/mnt1"), Path("/my disk"))]
