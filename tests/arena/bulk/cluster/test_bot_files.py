"""Packing and unpacking of users' modules."""

import io
import os
import stat
import tarfile
from pathlib import Path

import pytest

from arena.bulk.cluster import bot_files
from arena.bulk.cluster.bot_files import pack, unpack


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "package").mkdir(parents=True)
    (folder / "mybot.py").write_text("A = 1\n")
    (folder / "package" / "data.bin").write_bytes(bytes(1000))
    return folder


@pytest.mark.parametrize(("mode", "expected"), [(0o600, 0o644), (0o4711, 0o755)])
def test_programs_can_be_started(folder: Path, tmp_path: Path, mode: int, expected: int) -> None:
    (folder / "mybot.py").chmod(mode)
    target = unpack(pack(folder), tmp_path)
    assert stat.S_IMODE((target / "mybot.py").stat().st_mode) == expected


def test_files_arrive_in_a_private_folder(folder: Path, tmp_path: Path) -> None:
    for name in (".git", "__pycache__"):  # which are left out, as hidden files are
        (folder / name).mkdir()
        (folder / name / "file").touch()
    (folder / ".env").write_text("secret")
    os.link(folder / "mybot.py", folder / "same.py")
    target = unpack(pack(folder), tmp_path)
    assert {path.name for path in target.iterdir()} == {"mybot.py", "package", "same.py"}
    assert (target / "mybot.py").read_text() == (target / "same.py").read_text() == "A = 1\n"
    assert (target / "package" / "data.bin").read_bytes() == bytes(1000)
    assert stat.S_IMODE(target.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in (target, target / "package")} == {0o755}


def test_of_a_hard_link_the_content_is_packed(folder: Path, tmp_path: Path) -> None:
    (folder / ".hidden").write_text("shared")
    (folder / "shared.py").hardlink_to(folder / ".hidden")
    assert (unpack(pack(folder), tmp_path) / "shared.py").read_text() == "shared"


def test_what_cannot_be_unpacked_leaves_nothing(tmp_path: Path) -> None:
    for data in (b"no archive", b"\x1f\x8b\x08"):
        with pytest.raises(ValueError, match=r"^the bot files cannot be unpacked there: "):
            unpack(data, tmp_path)
        assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("target", ["/etc", "/etc/passwd", "."])
def test_other_files_than_regular_ones_are_refused(folder: Path, target: str) -> None:
    with pytest.raises(ValueError, match=r"^bot files .*/absent are not a folder$"):
        pack(folder / "absent")
    (folder / "link").symlink_to(target)
    with pytest.raises(ValueError, match=r"^bot file .*/link is a symbolic link$"):
        pack(folder)
    (folder / "link").unlink()
    os.mkfifo(folder / "package" / "pipe")
    with pytest.raises(ValueError, match=r"^bot file .*/package/pipe is not a regular file$"):
        pack(folder)


def test_unreadable_files_are_named(shared_folder: Path) -> None:
    (shared_folder / "mybot.py").touch(mode=0o000)
    with pytest.raises(ValueError, match=r"cannot read bot file .*mybot.py: Permission denied"):
        pack(shared_folder)


@pytest.mark.parametrize("limit", ["MAX_FILES", "MAX_BYTES"])
def test_large_folders_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(bot_files, limit, 1)
    with pytest.raises(ValueError, match=r"^bot files in .* have more than"):
        pack(folder)


@pytest.mark.parametrize("name", ["../evil", "a/../../evil"])
def test_paths_out_of_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(name))
    with pytest.raises(ValueError, match=r"^the bot files cannot be unpacked there: .*outside"):
        unpack(buffer.getvalue(), tmp_path)
    assert not [*tmp_path.rglob("evil")]
