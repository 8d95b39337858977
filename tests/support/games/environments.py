"""Fresh environments of Python that see this project, to install packages of games into."""

import subprocess
import sysconfig
import venv
from pathlib import Path

ARENA = """#!{python}
import sys
from take_stones_arena import arena
sys.exit(arena())
"""


class Environment:
    """A fresh environment, in which this project and its dependencies seem to be installed.

    Attributes:
        programs: The folder of its programs: python and arena.
    """

    def __init__(self, folder: Path) -> None:
        venv.create(folder)
        self.programs = folder / "bin"
        packages = sysconfig.get_path("purelib", vars={"base": str(folder)})
        ours = sysconfig.get_path("purelib")
        Path(packages, "project.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
        arena = self.programs / "arena"
        arena.write_text(ARENA.format(python=self.programs / "python"))
        arena.chmod(0o755)

    def install(self, *packages: Path) -> None:
        """Install packages from their folders, without a network."""
        options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
        command = [self.programs / "python", "-m", "pip", "install", *options, *packages]
        subprocess.run([str(word) for word in command], check=True, capture_output=True)
