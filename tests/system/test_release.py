"""The release steps: an sdist and a wheel that work in an empty environment (make release)."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--quiet", "--outdir", folder, ROOT], check=True)
    return folder


@pytest.fixture(scope="module", params=["*.whl", "*.tar.gz"])
def environment(
    dist: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Path:
    """An environment with nothing in it but the project, installed from one of the files."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    (package,) = dist.glob(request.param)
    subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", package], check=True)
    return folder


def run(environment: Path, *command: str) -> str:
    """What a command of the environment prints, in an empty folder."""
    return subprocess.run(
        [environment / "bin" / command[0], *command[1:]],
        cwd=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_the_spec_command_line_works(environment: Path) -> None:
    output = run(environment, "python", "-m", "core.take_stones", "7", "3", "1", "4", "2", "3")
    assert output.startswith("Move: 6\n")


def test_the_arena_plays_a_tournament(environment: Path) -> None:
    output = run(environment, "arena", "tournament", "--bots", "random", "spec:2", "--stones", "20")
    assert "2 of 2 matches" in output


def test_stubs_sources_and_boards_are_installed(environment: Path) -> None:
    script = "import core, pathlib; print(*pathlib.Path(core.__file__).parent.rglob('*'))"
    installed = run(environment, "python", "-c", script)
    assert {"py.typed", "search.pyi", "board.pyi", "board.pxd", "board.js", "board.css"} <= {
        Path(name).name for name in installed.split()
    }


def test_no_generated_c_is_shipped(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    names = subprocess.run(["tar", "tzf", sdist], check=True, capture_output=True, text=True).stdout
    assert not [name for name in names.split() if name.endswith((".c", ".so"))]
