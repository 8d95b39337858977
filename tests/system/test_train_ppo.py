"""The agent of examples/train_ppo.py plays by its weights, and learns where the library is."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arena.integrations.gymnasium import Opponent
from core import GAMES
from core.take_stones import Board

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_ppo.py"
STEPS = 4000
BOT = "python:train_ppo:TrainedPolicy"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the example."""
    shutil.copy(EXAMPLE, tmp_path)
    return tmp_path


def test_it_plays_the_legal_move_of_the_highest_value(folder: Path) -> None:
    # One neuron sees whether stone 3 remains; then stone 6 is the best, else stone 1.
    hidden, output, bias = np.zeros((1, 40)), np.zeros((20, 1)), np.full(20, -1.0)
    hidden[0, 2] = output[5] = 1
    bias[[0, 5]] = 0.5, 0
    layers = {"weight0": hidden, "bias0": np.zeros(1), "weight1": output, "bias1": bias}
    np.savez(folder / "policy.npz", allow_pickle=False, **layers)
    bot = Opponent(BOT, 1, folder)
    assert bot(Board(20)) == 1
    assert bot(Board(20, [1, 2])) == 6
    assert bot(Board(20, [3])) == 1


@pytest.mark.slow
@pytest.mark.unmeasured
@pytest.mark.needs("sb3-contrib")
def test_it_learns(folder: Path) -> None:
    command = [sys.executable, str(folder / EXAMPLE.name), str(STEPS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines() if "%" in line]
    before, after = (float(row[1].rstrip("%")) for row in (rows[0], rows[-1]))
    assert after > before + 10  # of 100 games against `random`
    bot, position = Opponent(BOT, 1, folder), GAMES["take_stones"].position(stones=20)
    assert bot(position) in position.legal_moves()
