"""The agent of examples/train_agent.py is trained for a moment and joins tournaments."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.storage.reader import DatabaseReader
from tests.support.servers.arena_command import Run

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_agent.py"
GAMES = 6000


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an agent that is trained."""
    folder = tmp_path_factory.mktemp("agent")
    shutil.copy(EXAMPLE, folder)
    command = [sys.executable, str(folder / EXAMPLE.name), str(GAMES)]
    subprocess.run(command, check=True)
    return folder


# One match at a time: the agent draws moves in positions that it does not know.
@pytest.mark.parametrize("flags", [["--concurrency", "1"], ["--workers"]])
def test_it_wins_most_games_of_a_tournament_against_random(
    trained: Path, flags: list[str], db: Path, arena: Run
) -> None:
    bots = ["random", "python:train_agent:TrainedAgent", "--bot-files", trained, "--stones", "20"]
    words = ["--rounds", "10", "--seed", "1", "--time", "600", "--quiet", "--db", db]
    end = arena("tournament", *flags, "--bots", *bots, *words)
    assert (end.status, end.err) == (0, "")
    with DatabaseReader(db) as reader:
        winners = [match.winner for match in reader.matches()]
    assert len(winners) == 20
    assert winners.count("TrainedAgent") > 12
