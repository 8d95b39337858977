"""The files to publish, as `make dist` has made them (make release)."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "build/release/bin"

pytestmark = pytest.mark.release


def output(*command: str | Path) -> str:
    """Return what a tool of the release prints in the checkout."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


@pytest.fixture(scope="module")
def wheels() -> list[Path]:
    """Return the wheels, at least one."""
    found = sorted((ROOT / "dist").glob("*.whl"))
    assert found, "make dist makes them"
    return found


@pytest.fixture(scope="module")
def shipped() -> set[str]:
    """Return the paths in the sdist, within its folder."""
    (sdist,) = (ROOT / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_no_generated_file_is_shipped(shipped: set[str]) -> None:
    generated = re.compile(r"(core/.*\.c|.*\.(so|pyc))")
    assert not [name for name in shipped if generated.fullmatch(name)]


def test_the_sdist_is_the_checkout(shipped: set[str]) -> None:
    command = ["git", "ls-files", "*.*", "Makefile", ":!.git*", ":!.pre-commit-config.yaml"]
    assert {*output(*command).split("\n")} - {""} <= shipped


def test_a_wheel_holds_nothing_but_its_packages(wheels: list[Path]) -> None:
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            tops = {name.split("/")[0] for name in archive.namelist()}
        assert {name for name in tops if not name.endswith(".dist-info")} == {
            "arena",
            "bots",
            "core",
            "take_stones_arena.py",
        }


def test_a_wheel_runs_where_glibc_is_2_17(wheels: list[Path]) -> None:
    for wheel in wheels:
        assert "manylinux_2_17_x86_64" in wheel.name


def test_a_python_that_is_not_there_is_an_error_in_one_line() -> None:
    command = [sys.executable, ".ci/wheels.py", "dist", sys.executable, "/none/python3"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (1, "")
    text = "wheels: no such command: /none/python3 (choose others with PYTHONS)\n"
    assert ended.stderr == text


LINUX = ["cp311", "cp312", "cp313", "cp314", "cp314t", "cp315", "cp315t"]


@pytest.mark.parametrize(
    ("platform", "processor", "versions", "systems"),
    [
        ("linux", "x86_64", LINUX, ["manylinux", "musllinux"]),
        ("linux", "aarch64", LINUX, ["manylinux", "musllinux"]),
        ("macos", "x86_64", ["cp311", "cp315t"], ["macosx"]),
        ("macos", "arm64", ["cp311", "cp315t"], ["macosx"]),
    ],
)
def test_cibuildwheel_builds_for_it(
    platform: str, processor: str, versions: list[str], systems: list[str]
) -> None:
    command: list[str | Path] = [TOOLS / "cibuildwheel", "--print-build-identifiers"]
    found = output(*command, "--platform", platform, "--archs", processor).split()
    for system in systems:
        assert {f"{version}-{system}_{processor}" for version in versions} <= {*found}
