"""The games in examples/games, installed by pip: checked, played, exported and verified."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.environments import Environment

GAMES = Path(__file__).parents[2] / "examples" / "games"


class Example(NamedTuple):
    """A game, the numbers of its checks by their results, and a small tournament of it."""

    game: str
    checks: str
    tournament: tuple[str, ...]
    matches: int


EXAMPLES = [
    Example(
        "connect_four",
        "19 ok, 0 FAILED, 2 skipped",
        ("--bots", "random", "spec:2", "--columns", "4-5", "--rows", "4", "--rounds", "2"),
        8,
    ),
    Example(
        "misere_nim",
        "16 ok, 0 FAILED, 5 skipped",
        ("--bots", "random", "greedy", "--heap", "5-7"),
        6,
    ),
]


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install both games into a fresh environment; return the program of its arena."""
    folder = tmp_path_factory.mktemp("games")
    # A copy: pip builds in the folder of the package.
    sources = shutil.copytree(GAMES, folder / "sources")
    environment = Environment(folder / "environment")
    environment.install(*sources.iterdir())
    return environment.programs / "arena"


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda example: example.game)
def example(request: pytest.FixtureRequest) -> Example:
    found: Example = request.param
    return found


@pytest.fixture(scope="module")
def played(arena: Path, example: Example, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play the tournament of an example; return its database."""
    db = tmp_path_factory.mktemp("played") / "arena.db"
    options = ["--game", example.game, "--seed", "1", "--quiet", "--json", "--db", str(db)]
    facts = json.loads(run(arena, "tournament", *example.tournament, *options))
    assert facts["finished"] == example.matches
    return db


def run(*command: object) -> str:
    """Return what a command prints, which must succeed."""
    words = [str(word) for word in command]
    end = subprocess.run(words, capture_output=True, text=True, check=False)
    assert end.returncode == 0, end.stdout + end.stderr
    return end.stdout


def test_the_conformance_suite_is_passed(arena: Path, example: Example) -> None:
    assert run(arena, "check-game", example.game).endswith(f"\n{example.checks}\n")


@pytest.mark.parametrize("form", ["pgn", "jsonl"])
def test_records_are_exported_imported_and_verified(
    arena: Path, example: Example, played: Path, tmp_path: Path, form: str
) -> None:
    text, copy = tmp_path / f"games.{form}", tmp_path / "copy.db"
    run(arena, "export", played, "--output", text)
    run(arena, "import", text, copy)
    assert run(arena, "export", copy, "--format", form) == text.read_text()
    for db in (played, copy):
        assert run(arena, "verify", db) == f"{example.matches} matches agree\n"


def test_draws_are_played_and_recorded(arena: Path, tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    options = ["--columns", "4", "--rows", "4", "--rounds", "10", "--seed", "1", "--quiet"]
    bots = ["--bots", "one=random", "two=random", "--game", "connect_four", "--db", db]
    run(arena, "tournament", *bots, *options)
    records = map(json.loads, run(arena, "export", db, "--format", "jsonl").splitlines()[1:])
    drawn = [record for record in records if record["winner"] is None]
    assert drawn
    assert {record["termination"] for record in drawn} == {"game_over"}
    assert {record["reason"] for record in drawn} == {"the board is full"}
    assert run(arena, "export", db).count("\n1/2-1/2\n") == len(drawn)
