"""Files of a submission as its program needs them."""

import os
import tarfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from random import Random

import pytest

from arena.grading import archive
from arena.grading.archive import InvalidSubmission, extracted
from arena.grading.handed_in import copy_submission
from arena.sandbox.limits import MEGABYTE
from arena.sandbox.sandbox import UNPROTECTED
from tests.arena.grading.test_archive import damaged, names
from tests.support.cases import loop_over
from tests.support.grading.exports import Files, tarred, write, zipped

CLASS = b"public class TakeStones {}"


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Files], Path]:
    """Return a function that copies the files of a folder."""

    def copy(files: Files) -> Path:
        source, target = tmp_path / "source", tmp_path / "target"
        for folder in (source, target):
            folder.mkdir()
        write(source, files)
        copy_submission({"": source}, target, lambda path: extracted(path, UNPROTECTED))
        return target

    return copy


Copied = Callable[[Files], Path]


def unneeded(path: Path) -> AbstractContextManager[Path]:
    raise AssertionError(path)


def test_the_three_files_of_the_assignment(copied: Copied) -> None:
    pdfs = {f"adaHW2P{part}.pdf": bytes(40 * MEGABYTE) for part in (1, 2)}
    inner = zipped({"a/A.java": b"", "report.pdf": b"x"})
    target = copied({**pdfs, "adaHW2P3.zip": zipped({"b.zip": inner})})
    assert names(target) == [
        "adaHW2P1.pdf",
        "adaHW2P2.pdf",
        "adaHW2P3.zip/b.zip/a/A.java",
        "adaHW2P3.zip/b.zip/report.pdf",
    ]
    assert {path.stat().st_size for path in target.rglob("*.pdf")} == {0}  # its name is enough


@loop_over("kind", "tar.gz", "tgz")
def test_tar_files(tmp_path_factory: pytest.TempPathFactory, kind: str) -> None:
    folder = tmp_path_factory.mktemp("tar")
    path = folder / f"ada.{kind}"
    path.write_bytes(tarred({"src/A.java": b"a", "node_modules/x.js": b"x"}))
    (folder / "target").mkdir()
    copy_submission({"": path}, folder / "target", lambda path: extracted(path, UNPROTECTED))
    assert names(folder / "target") == ["src/A.java"]


def test_environments_of_python_are_left_out(copied: Copied) -> None:
    files = {"my/pyvenv.cfg": b"", "my/lib/a.py": b"", "main.py": b""}
    target = copied({**files, "a.zip": zipped(files), "b.tgz": tarred(files)})
    assert names(target) == ["a.zip/main.py", "b.tgz/main.py", "main.py"]


def test_what_is_left_out_needs_no_budget(copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 2)
    libraries = {f"node_modules/{number}.js": b"" for number in range(9)}
    assert names(copied({"a.zip": zipped({**libraries, "main.js": b""})})) == ["main.js"]


@loop_over(
    "limit, value, error",
    ("MAX_BYTES", 10, "more than 0 MB when unpacked"),
    ("MAX_STREAM", 2000, "more than 0 MB when unpacked"),
    ("MAX_ENTRIES", 1, "the archive has more than 1 entries"),
    ("MAX_FILES", 1, "more than 1 files"),
)
def test_limits_of_tar_files(
    tmp_path_factory: pytest.TempPathFactory, limit: str, value: int, error: str
) -> None:
    folder = tmp_path_factory.mktemp("tar")
    (folder / "a.tar.gz").write_bytes(tarred({"A.java": bytes(5000), "B.java": b""}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, limit, value)
        with pytest.raises(InvalidSubmission, match=f"^{error}$"):
            archive.unpack_tar(folder / "a.tar.gz", folder / "out", archive.Budget())


def test_folders_in_tar_files_need_not_be_empty(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as file:
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "A.java").touch()
        file.add(tmp_path / "src", "src")
    archive.unpack_tar(tmp_path / "a.tar", tmp_path / "out", archive.Budget())
    assert names(tmp_path / "out") == ["src/A.java"]


def header(name: str = "A.java", **attributes: object) -> bytes:
    """Return the header of a tar file's entry alone."""
    info = tarfile.TarInfo(name)
    for attribute, value in attributes.items():
        setattr(info, attribute, value)
    return info.tobuf(tarfile.PAX_FORMAT if info.pax_headers else tarfile.GNU_FORMAT)


SPARSE = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}


@loop_over(
    "content, error",
    (header(size=2**80), "more than 512 MB when unpacked"),  # a kilobyte, skipped for ever
    (header(type=tarfile.GNUTYPE_LONGNAME, size=2**24), "more than 8 MB of names when unpacked"),
    (header(type=tarfile.XHDTYPE, size=-(2**24)), "more than 8 MB of names when unpacked"),
    (header(type=tarfile.GNUTYPE_SPARSE), "the archive contains a sparse file"),
    (header(pax_headers=SPARSE), "the archive contains a sparse file"),
)
def test_tar_files_that_promise_much_are_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, error: str
) -> None:
    path = tmp_path_factory.mktemp("tar") / "a.tar"
    path.write_bytes(content + bytes(1024))
    with pytest.raises(InvalidSubmission, match=f"^{error}$"):
        archive.unpack_tar(path, path.parent / "out", archive.Budget())


def test_tar_files_of_git_have_a_global_header(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w", pax_headers={"comment": "0" * 40}) as file:
        file.addfile(tarfile.TarInfo("A.java"))
    archive.unpack_tar(tmp_path / "a.tar", tmp_path / "out", archive.Budget())
    assert names(tmp_path / "out") == ["A.java"]


def test_the_tar_files_of_a_submission_share_its_budget(
    copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tarred({"node_modules/x.js": b""})
    monkeypatch.setattr(archive, "MAX_STREAM", 5 * tarfile.RECORDSIZE)  # for two, read twice
    with pytest.raises(InvalidSubmission, match=r"^c\.tgz: more than 0 MB when unpacked$"):
        copied({"a.tgz": inner, "b.tgz": inner, "c.tgz": inner})


def test_java_sources_that_cannot_be_renamed(copied: Copied) -> None:
    long = b"public class " + b"A" * 300
    assert names(copied({"a.java": long, "b.java/c.txt": b""})) == ["a.java", "b.java/c.txt"]


def test_links_in_tar_files_are_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as file:
        link = tarfile.TarInfo("a")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        file.addfile(link)
    with pytest.raises(InvalidSubmission, match=r"^the archive contains a link or a device: a$"):
        archive.unpack_tar(tmp_path / "a.tar", tmp_path / "out", archive.Budget())


def unpack_damaged(folder: Path, times: int) -> None:
    """Unpack damaged copies of a tar file: each has its files or is refused."""
    content = tarred({"TakeStones.java": CLASS * 40, "src/\u00e4.txt": bytes(range(256))})
    random = Random(1)
    for number in range(times):
        (folder / "a.tgz").write_bytes(damaged(content, random))
        with suppress(InvalidSubmission):
            archive.unpack_tar(folder / "a.tgz", folder / f"{number}", archive.Budget())


def test_damaged_tar_files(tmp_path: Path) -> None:
    unpack_damaged(tmp_path, 100)


@pytest.mark.slow
def test_many_damaged_tar_files(tmp_path: Path) -> None:
    unpack_damaged(tmp_path, 2500)


def test_an_archive_that_is_not_needed_may_be_damaged(copied: Copied) -> None:
    assert names(copied({"A.java": b"", "b.zip": b"PK"})) == ["A.java"]


def test_a_damaged_archive_is_named(copied: Copied) -> None:
    with pytest.raises(InvalidSubmission, match=r"^c.zip: invalid zip file: "):
        copied({"a.pdf": b"", "c.zip": b"PK"})


@loop_over("encoding", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
def test_java_in_other_encodings(tmp_path_factory: pytest.TempPathFactory, encoding: str) -> None:
    folder = tmp_path_factory.mktemp("java")
    text = "class A {} // \u00e4"
    write(folder, {"A.java": text.encode(encoding)})
    (folder / "target").mkdir()
    copy_submission({"": folder / "A.java"}, folder / "target", unneeded)
    assert (folder / "target" / "A.java").read_text() == text


def test_a_java_file_has_the_name_of_its_public_class(copied: Copied) -> None:
    files = {
        "TakeStones (1).java": b"/* public class X */ public final class TakeStones {}",
        "Game.java": b"public class Game { public static class Inner {} }",
        "Other.java": b"public class Game {}",  # which is there already
        "B.java": b"\xff\xfe\x00",
    }
    assert names(copied(files)) == ["B.java", "Game.java", "Other.java", "TakeStones.java"]


# Archives that other programs unpack


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of a program that unpacks files, the only one but those of the shell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder / "unrar"


def unpack_rar(folder: Path) -> list[str]:
    target = folder / "target"
    target.mkdir()
    (folder / "ada.rar").write_bytes(b"class A {}")
    copy_submission({"": folder / "ada.rar"}, target, lambda path: extracted(path, UNPROTECTED))
    return names(target)


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{text}\n")
    path.chmod(0o755)


def test_an_archive_is_unpacked_by_an_installed_program(tool: Path, tmp_path: Path) -> None:
    script(tool, 'mkdir src; cp "$4" src/A.java; ln -s /etc link')
    assert unpack_rar(tmp_path) == ["src/A.java"]


@loop_over(
    "text, error",
    ("exit 3", "^invalid .rar file: unrar ended with status 3$"),
    ("echo no; echo why >&2; exit 1", "^invalid .rar file: unrar says: why$"),
    ("exit 0", "^invalid .rar file: unrar finds no file in it$"),
    ("kill -XFSZ $$", "^invalid .rar file: unrar wrote a file of more than 64 MB$"),
    ("mkdir -p $(printf 'd/%.0s' $(seq 70))", "unrar made more than 64 folders in each other"),
)
def test_an_archive_that_cannot_be_unpacked(
    tool: Path, tmp_path_factory: pytest.TempPathFactory, text: str, error: str
) -> None:
    script(tool, text)
    with pytest.raises(InvalidSubmission, match=error):
        unpack_rar(tmp_path_factory.mktemp("rar"))


def test_the_next_program_tries_an_archive(tool: Path, tmp_path: Path) -> None:
    script(tool, "touch left; exit 1")
    script(tool.with_name("unar"), 'cp "$6" A.java')
    assert unpack_rar(tmp_path) == ["A.java"]


@pytest.mark.usefixtures("tool")
def test_an_archive_without_a_program_to_unpack_it(tmp_path: Path) -> None:
    error = r"^no program for .rar files is installed \(apt-get install unar, or unpack it\)$"
    with pytest.raises(InvalidSubmission, match=error):
        unpack_rar(tmp_path)


def test_special_files_in_a_folder_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    os.mkfifo(tmp_path / "source" / "pipe")
    (tmp_path / "target").mkdir()
    copy_submission({"x": tmp_path / "source"}, tmp_path / "target", unneeded)
    assert names(tmp_path / "target") == []
