"""The guide for agents: its examples work."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "train-an-agent.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_work(capsys: pytest.CaptureFixture[str]) -> None:
    exec(BLOCKS[0], {})
    assert "Last taken: " in capsys.readouterr().out
    names: dict[str, Any] = {}
    exec(BLOCKS[1], names)
    assert names["terminated"]
    assert names["reward"] in (-1, 1)
    exec(BLOCKS[2], names)
    assert names["envs"].num_envs == len(names["rewards"]) == 1000
    assert {*names["rewards"]} == {-1, 0, 1}
    exec(BLOCKS[3], names)
    assert names["value"] == -1
    assert names["action"] in (0, 2)
