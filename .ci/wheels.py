"""Wheels for Pythons of this machine, made and tested as cibuildwheel does it in containers.

`python .ci/wheels.py DIST PYTHON ...` builds a wheel for each Python from the sdist in the folder
DIST, repairs it into DIST, and runs the `test-command` of `[tool.cibuildwheel]` in an environment
that holds only the wheel and the `test-groups`.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["cibuildwheel"]
GROUPS = [f"--group={ROOT / 'pyproject.toml'}:{group}" for group in CONFIG["test-groups"]]


def run(*command: str | Path, **options: object) -> None:
    """Run a command. Raises CalledProcessError."""
    subprocess.run(command, check=True, **options)  # type: ignore[call-overload]


def environment(python: str, folder: Path) -> Path:
    """Create an empty environment and return its Python."""
    run(python, "-m", "venv", folder)
    install = [folder / "bin/python", "-m", "pip", "install", "--quiet"]
    run(*install, "--disable-pip-version-check", "--upgrade", "pip>=25.1")
    return folder / "bin/python"


def build(python: str, sdist: Path, dist: Path, folder: Path) -> Path:
    """Build a wheel, repair it into `dist` and return it."""
    built = folder / "built"
    builder = environment(python, folder / "builder")
    run(builder, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", built, sdist)
    (wheel,) = built.iterdir()
    before = set(dist.iterdir())
    if sys.platform == "linux":
        run("auditwheel", "repair", "--wheel-dir", dist, wheel)
    else:
        shutil.copy(wheel, dist)  # it brings no libraries
    (repaired,) = set(dist.iterdir()) - before
    return repaired


def test(python: str, package: Path, folder: Path) -> None:
    """Run the test command where nothing but a package and the tests are."""
    tested = environment(python, folder / "environment")
    run(tested, "-m", "pip", "install", "--quiet", package, *GROUPS)
    sources = folder / "sources"
    sources.mkdir()
    for name in CONFIG["test-sources"]:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, sources / name)
    path = f"{tested.parent}{os.pathsep}{os.environ['PATH']}"
    run("sh", "-c", CONFIG["test-command"], cwd=sources, env={**os.environ, "PATH": path})


def main(dist: Path, pythons: list[str]) -> None:
    """Make and test a wheel for each Python."""
    if missing := [python for python in pythons if not shutil.which(python)]:
        sys.exit(f"wheels: no such command: {', '.join(missing)} (choose others with PYTHONS)")
    (sdist,) = dist.glob("*.tar.gz")
    for python in pythons:
        with TemporaryDirectory() as name:
            wheel = build(python, sdist, dist, Path(name))
            print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
            test(python, wheel, Path(name))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
