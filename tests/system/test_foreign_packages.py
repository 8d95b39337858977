"""Packages of others that have the names of ours: each command names them in one line."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.cases import loop_over

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "arena", "bots")
MODULE = "take_stones_arena"
STONES = ("7", "1", "3", "2")  # a position of the assignment's command line, and its depth
INSTALLED = {
    "arena": ("--version",),
    "isolation": ("--help",),
    "take_stones": STONES,
    "take_stones_solve": ("7",),
}  # functions of the installed commands, with arguments of theirs

Ended = subprocess.CompletedProcess[str]


class Machine(NamedTuple):
    """Folder of installed packages, and a working directory."""

    installation: Path
    work: Path

    def run(self, *words: str) -> Ended:
        """Run Python in the working directory."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=self.work,
            env={**os.environ, "PYTHONPATH": str(self.installation)},
            capture_output=True,
            text=True,
        )

    def run_installed(self, name: str) -> Ended:
        """Run an installed command, which looks for no module in the working directory."""
        program = f"import sys; from {MODULE} import {name}; sys.exit({name}())"
        return self.run("-P", "-c", program, *INSTALLED[name])


def create_machine(folder: Path) -> Machine:
    """Create an installation whose files are links to ours, and an empty working directory."""
    machine = Machine(folder / "site-packages", folder / "work")
    machine.work.mkdir()
    for name in PACKAGES:
        (machine.installation / name).mkdir(parents=True)
        for path in (ROOT / name).iterdir():
            (machine.installation / name / path.name).symlink_to(path)
    (machine.installation / f"{MODULE}.py").symlink_to(ROOT / f"{MODULE}.py")
    return machine


def add_package(folder: Path, name: str) -> Path:
    """Create a package of others and return its first file."""
    (folder / name).mkdir(exist_ok=True)
    file = folder / name / "__init__.py"
    file.unlink(missing_ok=True)
    file.write_text('"""Serves other purposes."""\n')
    return file


def assert_named(ended: Ended, program: str, file: Path, name: str, mend: str) -> None:
    """Assert that a program names a foreign package, and does nothing else."""
    line = f"{program}: {file} is not the package {name!r} of take-stones-arena: {mend}\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", line)


OWN_ENVIRONMENT = "install take-stones-arena in an environment of its own, by pipx or uv tool"
ELSEWHERE = "rename it, or start the program in another folder"


def test_installed_commands_work_beside_folders_of_these_names(tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    for name in PACKAGES:
        add_package(machine.work, name)
    for name in INSTALLED:
        ended = machine.run_installed(name)
        assert (ended.returncode, ended.stderr) == (0, ""), name


@loop_over(
    "command, program, name",
    ("arena", "arena", "arena"),
    ("isolation", "isolation", "core"),
    ("take_stones", "take_stones", "arena"),
    ("take_stones_solve", "take_stones.solve", "bots"),
)
def test_a_replaced_package_is_named(command: str, program: str, name: str, tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    file = add_package(machine.installation, name)
    assert_named(machine.run_installed(command), program, file, name, OWN_ENVIRONMENT)


@loop_over(
    "module, program, name",
    ("arena", "arena", "core"),
    ("bots", "bots", "arena"),
    ("core.take_stones", "take_stones", "bots"),
)
def test_a_module_names_it_too(module: str, program: str, name: str, tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    file = add_package(machine.installation, name)
    assert_named(machine.run("-m", module, "--help"), program, file, name, OWN_ENVIRONMENT)


@loop_over(
    "path, name",
    ("bots/__init__.py", "bots"),
    ("core.py", "core"),
)
def test_what_hides_a_package_is_named(path: str, name: str, tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    file = machine.work / path
    file.parent.mkdir(exist_ok=True)
    file.touch()
    assert_named(machine.run("-m", "arena", "--help"), "arena", file, name, ELSEWHERE)


def test_a_folder_without_modules_hides_nothing(tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    (machine.work / "bots").mkdir()
    assert machine.run("-m", "arena", "--version").returncode == 0


def test_a_game_needs_no_other_package(tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    for name in ("arena", "bots"):
        add_package(machine.work, name)
    ended = machine.run("-m", "core.take_stones", *STONES)
    assert (ended.returncode, ended.stdout.split("\n")[0], ended.stderr) == (0, "Move: 6", "")


def test_a_package_that_was_removed_with_its_intruder(tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    file = machine.installation / "arena" / "__init__.py"
    file.unlink()
    assert_named(machine.run_installed("arena"), "arena", file, "arena", OWN_ENVIRONMENT)


PROJECT = """\
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
[project]
name = "arena"
version = "1"
[tool.setuptools]
packages = ["arena"]
"""


@pytest.mark.slow
def test_pip_replaces_a_package_silently(tmp_path: Path) -> None:
    machine = create_machine(tmp_path)
    project = tmp_path / "project"
    project.mkdir()
    add_package(project, "arena")
    (project / "pyproject.toml").write_text(PROJECT)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-index", "--no-build-isolation", "--upgrade", "--target"]
    subprocess.run([*pip, *options, machine.installation, project], check=True)
    file = machine.installation / "arena" / "__init__.py"
    assert_named(machine.run_installed("arena"), "arena", file, "arena", OWN_ENVIRONMENT)
