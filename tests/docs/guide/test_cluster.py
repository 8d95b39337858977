"""The guide for clusters: its local example works, and its variables are those of Dask."""

import re
import shlex
from pathlib import Path

import dask

from arena.bulk.cluster.clusters import SETTINGS
from tests.support.servers.arena_command import Run
from tests.support.servers.certificates import make_certificates

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "cluster.md").read_text()


def test_the_local_example_plays(db: Path, arena: Run) -> None:
    command = re.search(r"^    arena (.*--cluster local.*)$", PAGE, re.MULTILINE)
    assert command
    result = arena(*shlex.split(command[1]), "--stones", 7, "--rounds", 2, "--db", db)
    assert result.status == 0
    assert "greedy" in result.out
    assert arena("verify", db).status == 0


def test_the_variables_for_certificates_are_complete(tmp_path: Path) -> None:
    found = re.findall(r"^ +(DASK_DISTRIBUTED__COMM__\w+)=", PAGE, re.MULTILINE)
    assert set(found) == set(make_certificates(tmp_path))


def test_the_variables_for_speed_are_the_settings_of_a_local_cluster() -> None:
    lines = re.findall(r"^ +(DASK_DISTRIBUTED__(?:WORKER|ADMIN)__\w+)=(.+)$", PAGE, re.MULTILINE)
    found = dask.config.collect_env(dict(lines))
    others = "routes", "deploy"
    settings = {key: SETTINGS[key] for key in SETTINGS if not any(word in key for word in others)}
    assert {key: dask.config.get(key, config=found) for key in settings} == settings
    assert len(lines) == len(settings)
