"""Arenas installed anywhere on a machine, and programs that look for the answers there."""

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.grading.installations import (
    BASE,
    DEPENDENCIES,
    VERSION,
    create_environment,
    install,
    namespace,
)
from tests.support.tools import need

pytestmark = pytest.mark.slow

PACKAGES = f"lib/{VERSION}/site-packages"
HAS_PACKAGES = pytest.mark.skipif(
    not (BASE / PACKAGES).is_dir(), reason="this Python has no folder of packages"
)

# A submission: it looks for the answers everywhere, and imports what it has found.
SPY = """
import os, sys
SECRETS = ("six_lines", "journal.jsonl", "rival.py", "take_stones_arena", "teachers-notes")
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if folder != "/" or name not in ("proc", "sys")]
    for name in [*folders, *files]:
        if name.startswith(SECRETS):
            print("found", os.path.join(folder, name))
            sys.path.append(os.path.dirname(os.path.dirname(folder)))
for name in ("core.search", "arena", "bots"):
    try:
        print("imported", __import__(name))
    except ImportError:
        pass
print("looked with", sys.version_info[0])
"""
BOT = """
import os, sys
from pathlib import Path
from arena.sandbox.limits import Limits, Policy
from arena.sandbox.run import run
from arena.sandbox.sandbox import Sandbox
sandbox = Sandbox.of(Policy.REQUIRE)
words = ["python3", sys.argv[1]]
for command in (words, [sys.executable, sys.argv[1]]):
    ended = run(sandbox, command, sandbox.view_of(words), Limits(), 100)
    print(ended.output.decode(), ended.errors.decode())
"""


class Installation(NamedTuple):
    """Arena in a namespace.

    Attributes:
        mounts: The words of bubblewrap that show it.
        python: Its interpreter.
        data: The folder of its submissions and reports, and where that is really.
    """

    mounts: Sequence[object]
    python: str
    data: tuple[str, Path]

    def run(self, *arguments: str) -> str:
        """Run its Python in the namespace, and return the output."""
        words = namespace(*self.mounts, "--chdir", self.data[0])
        path = f"{Path(self.python).parent}:/usr/local/bin:/usr/bin:/bin"
        ended = subprocess.run(
            [*words, self.python, "-P", *arguments],
            env={"PATH": path, "HOME": os.environ.get("HOME", "/")},
            capture_output=True,
            text=True,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout


def virtual_environment(tmp_path: Path) -> Installation:
    """Return one in /opt/arena, with the submissions in it, and mounted a second time."""
    folder = tmp_path / "arena"
    install(create_environment(folder, f"{BASE}/bin"))
    mounts = ["--tmpfs", "/opt", "--bind", folder, "/opt/arena"]
    mounts += ["--tmpfs", "/usr/local/share", "--bind", folder / "lib", "/usr/local/share/again"]
    return Installation(mounts, "/opt/arena/bin/python3", ("/opt/arena/hw2", folder / "hw2"))


def whole_system(tmp_path: Path) -> Installation:
    """Return one beside the Python of /usr/local, with the submissions in /usr/local/share."""
    libraries = tmp_path / "site-packages"
    install(libraries)
    own = f"/usr/local/{PACKAGES}"
    mounts = ["--ro-bind", BASE, "/usr/local", "--bind", libraries, own]
    mounts += ["--tmpfs", "/usr/local/share", "--bind", tmp_path / "data", "/usr/local/share/data"]
    return Installation(
        mounts, f"/usr/local/bin/{VERSION}", ("/usr/local/share/data", tmp_path / "data")
    )


def one_folder(tmp_path: Path) -> Installation:
    """Return one in /opt/arena with a Python there, and the submissions in it."""
    libraries = tmp_path / "site-packages"
    install(libraries)
    mounts = ["--tmpfs", "/opt"]
    for name in ("bin", "lib"):
        mounts += ["--ro-bind", f"{BASE}/{name}", f"/opt/arena/{name}"]
    mounts += ["--bind", str(libraries), f"/opt/arena/{PACKAGES}"]
    mounts += ["--bind", f"{tmp_path}/data", "/opt/arena/data"]
    return Installation(mounts, f"/opt/arena/bin/{VERSION}", ("/opt/arena/data", tmp_path / "data"))


def checkout(tmp_path: Path) -> Installation:
    """Return one that is edited in /usr/share, with Python and environment in another folder."""
    folder = tmp_path / "tools"
    libraries = create_environment(folder / ".venv", "/opt/tools/python/bin")
    install(tmp_path / "checkout")
    lines = f"/usr/share/checkout\n{DEPENDENCIES}\n"
    (libraries / "__editable__.take_stones_arena-0.pth").write_text(lines)
    (folder / "python").mkdir()
    mounts = ["--tmpfs", "/opt", "--bind", folder, "/opt/tools"]
    mounts += ["--ro-bind", BASE, "/opt/tools/python", "--tmpfs", "/usr/share"]
    mounts += ["--bind", tmp_path / "checkout", "/usr/share/checkout"]
    return Installation(
        mounts, "/opt/tools/.venv/bin/python3", ("/opt/tools/data", folder / "data")
    )


@pytest.mark.parametrize(
    "create",
    [
        virtual_environment,
        checkout,
        pytest.param(whole_system, marks=HAS_PACKAGES),
        pytest.param(one_folder, marks=HAS_PACKAGES),
    ],
)
def test_a_program_finds_no_answers(tmp_path: Path, create: Callable[[Path], Installation]) -> None:
    need("bubblewrap")
    (tmp_path / "data").mkdir()
    installed = create(tmp_path)
    seen, data = installed.data
    for name, text in {"spy": SPY, "rival": "print()"}.items():
        path = data / "submissions" / name / f"{name}.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (data / "bots").mkdir()
    (data / "bots" / "spy.py").write_text(SPY)
    (data / "teachers-notes").touch()
    installed.run(
        *("-m", "arena", "grade", "submissions", "--cases", "1", "--timeout", "100"),
        *("--output", "report"),
    )
    page = (data / "report" / "journal.jsonl").read_text()
    assert '"output": "looked with 3\\n"' in page
    played = installed.run("-c", BOT, f"{seen}/bots/spy.py")
    assert played.split("\n") == ["looked with 3", " ", "looked with 3", " ", ""]
