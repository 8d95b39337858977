"""The recipe for Gradescope, run as it is written, with a program that looks for the seed."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.grading.installations import (
    BASE,
    DEPENDENCIES,
    create_environment,
    install,
    namespace,
)
from tests.support.tools import need

PAGE = (Path(__file__).parents[3] / "docs" / "guide" / "course.md").read_text()
SETUP, RUN = (
    text
    for text in re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
    if text.startswith("#!/usr/bin/env bash")
)
SEED = "815372649"  # which appears nowhere else

# Its last line on standard error becomes the reason of the failure.
SPY = f"""
import os, sys
seed = "".join({[*SEED]}).encode()
paths = ["/proc/self/fd/" + name for name in os.listdir("/proc/self/fd")]
for pid in filter(str.isdecimal, os.listdir("/proc")):
    paths += [f"/proc/{{pid}}/{{name}}" for name in ("cmdline", "environ", "stat", "status")]
for top in ("/autograder", "/etc", "/home", "/root", "/run", "/tmp", "/var/tmp"):
    for folder, _, files in os.walk(top):
        paths += [os.path.join(folder, name) for name in files]
found = []
for path in paths:
    if os.path.isfile(path):
        try:
            with open(path, "rb") as file:
                found += [path] if seed in file.read(2**20) else []
        except OSError:
            pass
sys.exit(f"user {{os.getuid()}} found {{found}}")
"""


def graded(tmp_path: Path, run: str) -> str:
    """Run the recipe for the spy in the folders of Gradescope; return the output for the case."""
    folder = tmp_path / "autograder"
    install(create_environment(folder / "venv", f"{BASE}/bin"))
    for name in ("source", "submission", "results"):
        (folder / name).mkdir()
    (folder / "submission" / "TakeStones.py").write_text(SPY)
    arena = folder / "venv" / "bin" / "arena"
    arena.write_text("#!/autograder/venv/bin/python3\nfrom arena.__main__ import main\nmain()\n")
    script = run.replace("4711", SEED)
    for path in (folder / "run_autograder", folder / "source" / "run_autograder"):
        path.write_text(script)
        path.chmod(0o755)
    arena.chmod(0o755)
    [protect] = re.findall(r"^chmod .*$", SETUP, re.MULTILINE)
    words = namespace(
        *("--bind", folder, "/autograder"),
        *("--dev-bind", "/dev/null", shutil.which("bwrap")),  # as it does not work there
        *("--tmpfs", "/tmp", "--chmod", "1777", "/tmp"),
        *("--ro-bind", DEPENDENCIES, DEPENDENCIES),  # which may be there
    )
    for command in (["sh", "-c", protect], ["/autograder/run_autograder"]):
        variables = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
        subprocess.run([*words, *command], env=variables, check=True, capture_output=True)
    results = json.loads((folder / "results" / "results.json").read_text())
    return str(results["tests"][0]["output"])


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="Gradescope runs the recipe as root")
def test_a_program_does_not_find_the_seed(tmp_path: Path) -> None:
    need("bubblewrap")
    if not shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin"):
        pytest.skip("the user nobody has no Python here")
    run = RUN.replace(" --sandbox auto", " --sandbox auto --cases 1")
    assert "user 65534 found []" in graded(tmp_path, run)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="Gradescope runs the recipe as root")
def test_a_program_finds_a_seed_in_the_command_line(tmp_path: Path) -> None:
    """The spy of the other test looks where there could be something."""
    need("bubblewrap")
    run = RUN.replace(" --sandbox auto", " --sandbox auto --cases 1 --seed 4711")
    assert "cmdline" in graded(tmp_path, run)
