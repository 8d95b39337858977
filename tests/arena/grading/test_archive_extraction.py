"""Archives that other programs unpack, by these programs themselves."""

from base64 import b64decode
from pathlib import Path

import pytest

from arena.grading.archive import InvalidSubmission, extracted
from arena.sandbox.sandbox import UNPROTECTED
from tests.support.tools import find, need

# Each holds src/A.java with "class A {}".
ARCHIVES = {
    "7z": "N3q8ryccAASMCskVDgAAAAAAAABSAAAAAAAAAKRxgdoBAAljbGFzcyBBIHt9AAEEBgABCQ4ABwsBAAEh"
    "IQEADAoACAoBSUshFwAABQEZDAAAAAAAAAAAAAAAABEXAHMAcgBjAC8AQQAuAGoAYQB2AGEAAAAZABUG"
    "AQAggKSBAAA=",
    "rar": "UmFyIRoHAQDFGjMyAwEAACtQE84ZAgIKBAqkgwJJSyEXAAEKc3JjL0EuamF2YWNsYXNzIEEge30Zsjo1"
    "AwUAAA==",
}
BOMB = "kill -XFSZ $$"  # as the kernel does


@pytest.fixture(params=["7-Zip 7z", "bsdtar 7z", "bsdtar rar", "unar rar", "unrar rar"])
def archive(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return an archive that only one program can unpack, which is installed."""
    tool, kind = request.param.split()
    need(tool)
    path = Path(str(find(tool)))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / path.name).symlink_to(path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    archive = tmp_path / f"ada.{kind}"
    archive.write_bytes(b64decode(ARCHIVES[kind]))
    return archive


def test_an_archive_is_unpacked(archive: Path) -> None:
    with extracted(archive, UNPROTECTED) as folder:
        assert (folder / "src" / "A.java").read_text() == "class A {}"
        assert [path.name for path in folder.rglob("*")] == ["src", "A.java"]


def test_a_damaged_archive_says_what_the_program_says(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:50])
    error = rf"^invalid {archive.suffix} file: \w+ says: \w.*"
    with pytest.raises(InvalidSubmission, match=error), extracted(archive, UNPROTECTED):
        pass


@pytest.mark.parametrize("program", ["ln -s /etc x; cd ..; mv out/x x; rm -r out; mv x out", BOMB])
def test_no_program_leads_elsewhere_or_is_followed_by_another_after_a_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    for name, text in (("7z", program), ("bsdtar", "touch A.java")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    (tmp_path / "ada.7z").touch()
    if program == BOMB:
        with (
            pytest.raises(InvalidSubmission, match=r"7z wrote a file of more than \d+ MB"),
            extracted(tmp_path / "ada.7z", UNPROTECTED),
        ):
            pass
    else:
        with extracted(tmp_path / "ada.7z", UNPROTECTED) as folder:
            assert [path.name for path in folder.iterdir()] == ["A.java"]
