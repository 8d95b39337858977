"""The tests of a module, nearest first."""

from pathlib import Path

import pytest

from tests.support.cases import loop_over
from tools.mutants.mirrored import Stage, mirrored_stages, rest_of_suite

FILES = {
    "tests/arena/test_app.py": "from arena.app import Arena",
    "tests/arena/test_ipc.py": "",
    "tests/arena/match/test_claims.py": "",
    "tests/arena/match/test_referee.py": "from arena.match.referee import Referee",
    "tests/arena/match/test_referee_time.py": "",
    "tests/arena/server/test_server.py": "from arena.match import claims, referee",
    "tests/arena/server/inner/__init__.py": "",
    "tests/core/test_games.py": 'monkeypatch.setattr("arena.match.referee.LIMIT", 1)',
    "tests/system/test_resume.py": "from arena.match.referee import Referee",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_own_tests_run_before_those_of_the_folder_and_of_importers(root: Path) -> None:
    own = ("tests/arena/match/test_referee.py", "tests/arena/match/test_referee_time.py")
    assert mirrored_stages(root, "arena/match/referee.py") == [
        Stage(own),
        Stage(("tests/arena/match",), own),
        Stage(("tests/arena/server/test_server.py", "tests/core/test_games.py")),
    ]


def test_folders_within_that_of_a_package_are_not_its_tests(root: Path) -> None:
    assert mirrored_stages(root, "arena/app.py") == [
        Stage(("tests/arena/test_app.py",)),
        Stage(("tests/arena/test_ipc.py",), ("tests/arena/test_app.py",)),
    ]


@loop_over("folder", ["match", "server"])
def test_without_a_mirrored_test_those_of_the_folder_above_run(root: Path, folder: str) -> None:
    stages = mirrored_stages(root, f"arena/{folder}/inner/board.pyx")
    assert stages == [Stage((f"tests/arena/{folder}",))]


def test_the_rest_of_the_suite_leaves_out_what_has_run(root: Path) -> None:
    stages = mirrored_stages(root, "arena/app.py")
    before = ("tests/arena/test_app.py", "tests/arena/test_ipc.py")
    assert rest_of_suite(stages, "not slow") == Stage(("tests",), before, "not slow")
