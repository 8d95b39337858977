"""Libraries and packages that a command loads: those that it needs, and no others."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.support.cases import loop_over

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LIBRARIES = {re.split("[<>=~]", each)[0].replace("-", "_") for each in PROJECT["dependencies"]}


def loaded(*words: str) -> set[str]:
    """Return the modules that a module of the project loads as a program."""
    command = [sys.executable, "-X", "importtime", "-m", *words]
    environment = {"PATH": os.environ["PATH"]}  # so that nobody, as a coverage run, imports more
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return set(re.findall(r"^import time:.*\| +([\w.]+)$", ended.stderr, re.MULTILINE))


def test_the_libraries_are_the_dependencies() -> None:
    assert {"numpy", "prometheus_client", "websockets"} < LIBRARIES


@loop_over(
    "words, libraries, packages",
    (["core.take_stones", "7", "1", "3", "2"], set(), set()),
    (["arena", "--help"], set(), {"cli"}),
    (
        ["bots", "stdio:true", "--dry-run"],
        {"msgspec", "websockets"},
        {"model", "options", "protocol", "sandbox"},
    ),
)
def test_a_command_loads_what_it_needs(
    words: list[str], libraries: set[str], packages: set[str]
) -> None:
    modules = loaded(*words)
    assert modules & LIBRARIES == libraries
    found = {name.split(".")[1] for name in modules if name.startswith("arena.")}
    assert found - {"__main__"} == packages


def test_a_bot_loads_no_server() -> None:
    modules = loaded("arena", "bot", "stdio:true", "--url", "no URL")
    assert "bots.client" in modules
    assert modules & LIBRARIES == {"msgspec", "websockets"}
    assert not {
        name for name in modules if re.match(r"arena\.(app|server|spectators|sharing)", name)
    }


def test_a_built_in_bot_loads_no_program_and_no_picture() -> None:
    modules = loaded("bots", "random", "--dry-run")
    assert "bots.random_bot" in modules
    assert not modules & {
        *("arena.protocol.spectator", "arena.sandbox.sandbox", "bots.programs", "bots.stdio"),
        *("core.cli", "core.isolation.picture", "core.take_stones.picture", "html"),
    }


@loop_over("program, words", ("bot", ["random", "--dry-run"]), ("arena", ["games"]))
def test_garbage_is_collected_once_a_program_is_imported(program: str, words: list[str]) -> None:
    code = f"import gc, take_stones_arena as it; it.{program}(); print(gc.isenabled())"
    command = [sys.executable, "-c", code, *words]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.stdout.splitlines()[-1] == "True"
