"""The browser for the tests of the page: found on this machine, or installed.

`python3 -m tests.support.page.chromium PYTHON` is the first step of `make test`. It needs the
standard library alone, as it runs before anything is installed; PYTHON is the interpreter of the
virtual environment, into which it may have to install Playwright.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "CHROMIUM"
COMMANDS = (
    "chromium-headless-shell",  # a third of the work for each page, measured
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def find() -> str | None:
    """Return the path of this machine's Chromium or Chrome, None if it has none.

    The variable CHROMIUM comes first, and must work if it is set. Raises ValueError.
    """
    if chosen := os.environ.get(VARIABLE):
        if not _starts(chosen):
            raise ValueError(f"{VARIABLE} is {chosen!r}, which does not start as a browser")
        return shutil.which(chosen)
    return next(filter(_starts, filter(None, map(shutil.which, COMMANDS))), None)


def _starts(command: str) -> bool:
    """Whether a command is more than a stub that asks to install the browser."""
    return bool(shutil.which(command)) and _run(command, "--version")


def _run(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def install(python: str) -> bool:
    """Install the distribution's package, or else Playwright's own browser; return whether one is.

    The former needs root or a sudo that asks for no password.
    """
    print("make test: installing a browser for the tests of the page", file=sys.stderr)
    if shutil.which("apt-get") and (root := _root()) is not None:
        apt = [*root, "apt-get", "--quiet", "--yes"]
        _run(*apt, "update")
        for package in ("chromium-headless-shell", "chromium"):
            if _run(*apt, "install", "--no-install-recommends", package) and find():
                return True
    return _run(python, "-m", "pip", "install", *_playwright()) and _run(
        python, "-m", "playwright", "install", "chromium"
    )


def _root() -> list[str] | None:
    """Return what to put before a command that only root may run, None if it cannot be run."""
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "--non-interactive"]
    return sudo if shutil.which("sudo") and _run(*sudo, "true") else None


def _playwright() -> Iterator[str]:
    """Return the project's requirement of Playwright, so that the version stands once."""
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    return (line for line in extras["dev"] if line.startswith("playwright"))


def main(python: str) -> int | str:
    """Find a browser or install one; return the exit status, or the line that says what to do."""
    try:
        if find() or install(python):
            return 0
    except ValueError as error:
        return f"make test: {error}"
    return (
        "make test: the tests of the page need a browser, and none could be installed: install the"
        f" package chromium, or set {VARIABLE} to the command of a Chromium or Chrome"
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
