"""The workflows of GitHub: what they run, and (make release) that they are valid and safe."""

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "build/release/bin"
FOLDER = ROOT / ".github/workflows"
WORKFLOWS = sorted(FOLDER.glob("*.yml"))


@pytest.fixture(params=WORKFLOWS, ids=[path.stem for path in WORKFLOWS])
def workflow(request: pytest.FixtureRequest) -> Path:
    """Return the file of each workflow."""
    return Path(request.param)


def test_a_workflow_runs_targets_of_the_makefile(workflow: Path) -> None:
    commands = re.findall(r"run: make ([\w-]+)", workflow.read_text())
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert commands
    assert set(commands) <= set(targets)


def test_nothing_is_published_before_all_tests() -> None:
    text = (FOLDER / "release.yml").read_text()
    assert re.search(r"^  test:\n    uses: \S+/test\.yml$", text, re.MULTILINE)
    assert re.search(r"^  publish:\n    needs: \[.*\btest\b.*\]$", text, re.MULTILINE)
    assert "run: make test-all" in (FOLDER / "test.yml").read_text()


def test_every_supported_python_is_tested() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    matrix = re.search(r"python: (\[.*\])", (FOLDER / "test.yml").read_text())
    assert matrix
    assert json.loads(matrix[1]) == re.findall(r"Python :: (3\.\d+)", project)


@pytest.mark.release
def test_a_workflow_is_valid(workflow: Path) -> None:
    schema = ("--builtin-schema", "vendor.github-workflows")
    subprocess.run([TOOLS / "check-jsonschema", *schema, workflow], check=True)


@pytest.mark.release
def test_a_workflow_has_no_known_weakness(workflow: Path) -> None:
    subprocess.run([TOOLS / "zizmor", "--offline", "--quiet", workflow], check=True)


@pytest.mark.release
def test_the_containers_are_valid() -> None:
    schema = ("--builtin-schema", "vendor.compose-spec")
    subprocess.run([TOOLS / "check-jsonschema", *schema, ROOT / "deploy/compose.yaml"], check=True)
