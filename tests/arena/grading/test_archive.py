"""Files of a submission: copied within a budget; malicious zip files are refused."""

import errno
import io
import os
import stat
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from arena.grading import archive
from arena.grading.archive import InvalidSubmission, extracted
from arena.grading.handed_in import copy_submission
from arena.grading.toolchain import OUT
from arena.sandbox.sandbox import UNPROTECTED
from tests.support.cases import loop_over

Write = Callable[[zipfile.ZipFile], object]


@pytest.fixture
def target(tmp_path: Path) -> Path:
    target = tmp_path / "target"
    target.mkdir()
    return target


@pytest.fixture
def source(tmp_path: Path) -> Path:
    source = tmp_path / "source"
    source.mkdir()
    return source


def unpack(source: Path, target: Path) -> None:
    copy_submission({"": source}, target, lambda path: extracted(path, UNPROTECTED))


def zipped(path: Path, write: Write) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        write(file)
    return path


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name)
    found.external_attr = mode << 16
    return found


def test_a_folder(source: Path, target: Path) -> None:
    for name in ("src/A.java", "run.sh", ".git/config", "__MACOSX/x", ".hidden", OUT):
        path = source / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    (source / "run.sh").chmod(0o755)
    (source / "link").symlink_to("/etc/passwd")
    (source / "folder").symlink_to("/etc")
    os.mkfifo(source / "pipe")
    unpack(source, target)
    assert names(target) == ["run.sh", "src/A.java"]
    assert stat.S_IMODE((target / "run.sh").stat().st_mode) == 0o755


def test_a_single_file(source: Path, target: Path) -> None:
    (source / "a.py").write_text("a")
    (source / "b.py").write_text("b")
    unpack(source / "a.py", target)
    assert names(target) == ["a.py"]


@pytest.mark.parametrize("in_folder", [False, True])
def test_a_zip_file(source: Path, target: Path, in_folder: bool) -> None:
    def write(file: zipfile.ZipFile) -> None:
        file.writestr("adaHW2P3/", "")
        file.writestr("adaHW2P3/A.java", "a")
        file.writestr("__MACOSX/._A.java", "a")
        file.writestr(entry("run.sh", stat.S_IFREG | 0o755), "a")

    path = zipped(source / "adaHW2P3.zip", write)
    unpack(source if in_folder else path, target)
    assert names(target) == ["adaHW2P3/A.java", "run.sh"]
    assert os.access(target / "run.sh", os.X_OK)


@loop_over(
    "write, error",
    (lambda file: file.writestr("../a", ""), "contains a path outside its folder: '../a'"),
    (lambda file: file.writestr("/a", ""), "contains a path outside its folder: '/a'"),
    (lambda file: file.writestr("..\\a", ""), "contains a path outside its folder"),
    (lambda file: file.writestr("C:/a", ""), "contains a path outside its folder: 'C:/a'"),
    (lambda file: file.writestr("d/" * 21, ""), "contains an invalid path"),
    (lambda file: file.writestr("n" * 401, ""), "contains an invalid path"),
    (lambda file: file.writestr("a\\..\\..\\b", ""), "contains a path outside its folder"),
    (
        lambda file: file.writestr(entry("a", stat.S_IFLNK | 0o777), "/etc/passwd"),
        "contains a link or a device: a",
    ),
    (lambda file: [file.writestr("a", ""), file.writestr("a/b", "")], "contains a path twice: a/b"),
    (lambda file: [file.writestr("a/b", ""), file.writestr("a", "")], "contains a path twice: a"),
)
def test_malicious_zip_files(source: Path, target: Path, write: Write, error: str) -> None:
    path = zipped(source / "a.zip", write)
    with pytest.raises(InvalidSubmission) as raised:
        unpack(path, target)
    assert error in str(raised.value)
    assert names(source) == ["a.zip"]


def test_a_zip_bomb(source: Path, target: Path) -> None:
    path = zipped(source / "a.zip", lambda file: file.writestr("a", bytes(100 * 1024**2)))
    assert path.stat().st_size < 1024**2
    with pytest.raises(InvalidSubmission, match="more than 32 MB when unpacked"):
        unpack(path, target)
    assert sum(path.stat().st_size for path in target.iterdir()) <= 32 * 1024**2


def test_a_large_zip_file(source: Path, target: Path) -> None:
    with (source / "a.zip").open("wb") as file:
        file.truncate(32 * 1024**2 + 1)
    with pytest.raises(InvalidSubmission, match="the archive has more than 32 MB"):
        unpack(source / "a.zip", target)


def test_many_files(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 1)
    for name in "ab":
        (source / name).write_text("a")
    with pytest.raises(InvalidSubmission, match="more than 1 files"):
        unpack(source, target)


@loop_over("content", [b"", b"PK", b"PK\x03\x04" + bytes(100), b"no zip file\n"])
def test_invalid_zip_files(source: Path, target: Path, content: bytes) -> None:
    (source / "a.zip").write_bytes(content)
    with pytest.raises(InvalidSubmission, match=r"^invalid zip file: "):
        unpack(source / "a.zip", target)


def test_an_encrypted_zip_file(source: Path, target: Path) -> None:
    path = zipped(source / "a.zip", lambda file: file.writestr("a", "a"))
    content = bytearray(path.read_bytes())
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(start) + offset] |= 1
    path.write_bytes(content)
    with pytest.raises(InvalidSubmission, match=r"^the archive is encrypted: a$"):
        unpack(path, target)


def test_deep_folders_are_left_out(source: Path, target: Path) -> None:
    deep = source.joinpath(*"a" * 30)
    deep.mkdir(parents=True)
    (deep / "a.py").write_text("a")
    unpack(source, target)
    assert names(target) == []


def damaged(content: bytes, random: Random) -> bytes:
    """Return a file with some flipped bytes, or without its end."""
    found = bytearray(content)
    for _ in range(random.randint(1, 8)):
        found[random.randrange(len(found))] ^= 1 << random.randrange(8)
    return bytes(found[: random.randrange(len(found))] if random.random() < 0.1 else found)


def unpack_damaged(folder: Path, method: int, times: int) -> None:
    """Unpack damaged copies of a zip file: each has its files or is refused."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as file:
        file.writestr("TakeStones.java", "class TakeStones {}\n" * 40)
        file.writestr("src/\u00e4.txt", bytes(range(256)))
    random = Random(method)
    for number in range(times):
        path = folder / "a.zip"
        path.write_bytes(damaged(content.getvalue(), random))
        target = folder / str(number)
        target.mkdir()
        with suppress(InvalidSubmission):
            unpack(path, target)


METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


@loop_over("method", METHODS)
def test_damaged_zip_files(tmp_path: Path, method: int) -> None:
    unpack_damaged(tmp_path, method, 100)


@pytest.mark.slow
@loop_over("method", METHODS)
def test_many_damaged_zip_files(tmp_path: Path, method: int) -> None:
    unpack_damaged(tmp_path, method, 1250)


def test_errors_of_this_machine_are_none_of_the_zip_file(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = zipped(source / "a.zip", lambda file: file.writestr("a", "a"))
    monkeypatch.setattr(zipfile.ZipFile, "open", fail)
    with pytest.raises(OSError, match="No space left"):
        unpack(path, target)
