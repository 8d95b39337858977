"""Access files: rights, accidents, and their content as an arena follows it."""

import json
import os
import stat
from pathlib import Path

import pytest

from arena.storage.access import (
    AccessFileError,
    WatchedFile,
    _take_over_rights,
    changed,
    read_access_file,
)


def read(path: Path) -> dict[str, int]:
    return read_access_file(path, "list of numbers", lambda text: dict(json.loads(text)))


def encode(entries: dict[str, int]) -> bytes:
    return json.dumps(entries).encode()


def add(path: Path, name: str) -> None:
    """Add an entry."""
    with changed(path, read, encode) as entries:
        entries[name] = len(entries)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path for a new file."""
    return tmp_path / "numbers.json"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# Rights


def test_the_mode_is_kept(path: Path) -> None:
    add(path, "a")
    assert mode(path) == 0o600
    path.chmod(0o640)
    add(path, "b")
    assert (mode(path), [*read(path)]) == (0o640, ["a", "b"])


class Owners(list[tuple[int, int]]):
    """Changes of the owner of a descriptor, which only root could make."""

    def __call__(self, _descriptor: int, user: int, group: int) -> None:
        self.append((user, group))


def test_root_gives_a_new_file_to_the_owner_of_its_folder(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = Owners()
    monkeypatch.setattr("os.fchown", owners)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    _take_over_rights(0, path)
    assert owners == []
    monkeypatch.setattr("os.geteuid", lambda: 0)
    _take_over_rights(0, path)
    folder = path.parent.stat()
    assert owners == [(folder.st_uid, folder.st_gid)]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_root_keeps_the_owner(path: Path) -> None:
    os.chown(path.parent, 1234, 2345)
    add(path, "a")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)
    os.chown(path, 3456, 4567)
    add(path, "b")
    assert (path.stat().st_uid, path.stat().st_gid) == (3456, 4567)


def test_a_user_who_cannot_keep_the_owner_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    add(path, "a")
    before = path.read_bytes()
    monkeypatch.setattr("os.fchown", refuse)
    with pytest.raises(AccessFileError, match=f"^cannot write {path}: Operation not permitted$"):
        add(path, "b")
    assert (path.read_bytes(), [*path.parent.iterdir()]) == (before, [path])


# Accidents


def test_a_symbolic_link_as_the_lock_is_not_followed(path: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("all of it")
    (tmp_path / "numbers.json.lock").symlink_to(precious)
    with pytest.raises(AccessFileError, match=f"^cannot write {path}: "):
        add(path, "Ann")
    assert precious.read_text() == "all of it"


def test_the_target_of_a_link_is_replaced(path: Path, tmp_path: Path) -> None:
    path.symlink_to(path)
    add(path, "Ann")
    assert [*read(path)] == ["Ann"]
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere.json")
    add(path, "Bob")
    assert (path.is_symlink(), [*read(tmp_path / "elsewhere.json")]) == (True, ["Bob"])


def test_a_failed_write_leaves_the_file_unchanged(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_file: int) -> None:
        raise OSError(28, "No space left on device")

    add(path, "Ann")
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(AccessFileError, match="No space left"):
        add(path, "Bob")
    assert ([*read(path)], (tmp_path / "numbers.json.new").exists()) == (["Ann"], False)


def test_the_leftover_of_a_killed_process_is_replaced(path: Path, tmp_path: Path) -> None:
    (tmp_path / "numbers.json.new").write_text('{"vers')
    add(path, "Ann")
    assert [*read(path)] == ["Ann"]


# Following


def test_an_unchanged_file_is_not_read_again(path: Path) -> None:
    add(path, "a")
    file = WatchedFile(path, read)
    assert [[*file.latest()] for _ in range(3)] == [["a"]] * 3
    assert file.revision == 1
    add(path, "b")
    assert ([*file.latest()], [*file.latest()], file.revision) == (["a", "b"], ["a", "b"], 2)


def test_a_change_of_the_mode_is_noticed(path: Path) -> None:
    reads = []

    def count(path: Path) -> dict[str, int]:
        reads.append(path)
        return read(path)

    add(path, "a")
    file = WatchedFile(path, count)
    file.latest()
    path.chmod(0o640)
    for _ in range(3):
        file.latest()
    assert (len(reads), file.revision) == (2, 1)


def test_a_change_is_noticed_by_the_revision_alone(path: Path) -> None:
    add(path, "a")
    file = WatchedFile(path, read)
    add(path, "b")
    assert file.revision == 2


def test_a_missing_file_is_no_change(path: Path) -> None:
    file = WatchedFile(path, lambda path: path.exists())
    assert [file.latest() for _ in range(3)] == [False] * 3
    assert file.revision == 1
    path.touch()
    assert (file.revision, file.latest()) == (2, True)


def test_a_failed_read_is_tried_again_though_the_file_is_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(path, "a")
    file = WatchedFile(path, read)
    add(path, "b")

    def refuse(_path: Path) -> str:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as without_right:
        without_right.setattr("arena.storage.access.read_text", refuse)
        assert [[*file.latest()] for _ in range(2)] == [["a"]] * 2
        assert file.problem == f"cannot read {path}: Permission denied"
    assert ([*file.latest()], file.problem) == (["a", "b"], "")
