"""Programs of the machine that some tests need. Without one, the tests that need it are skipped.

`@pytest.mark.needs("JDK")` marks a test, `need` skips it from a fixture, and the end of a run says
how many tests each missing program has skipped.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from subprocess import run

import pytest

from arena.sandbox.sandbox import bubblewrap_problem

PREFIX = "needs "
SEPARATOR = " and "


def _all(*commands: str) -> bool:
    return all(map(shutil.which, commands))


def _first(*commands: str) -> str | None:
    return next(filter(None, map(shutil.which, commands)), None)


def _chromium() -> str | None:
    """Return the path of a Chromium or Chrome that starts; some are stubs that ask to install it.

    The variable CHROMIUM comes first. The headless shell needs a third of the work for each page.
    """
    mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", mac)
    chosen = os.environ.get("CHROMIUM")
    for path in filter(None, map(shutil.which, [chosen] if chosen else names)):
        if run([path, "--version"], capture_output=True, check=False).returncode == 0:
            return path
    return None


def _webkit() -> Path | None:
    """Return the browser of WebKitGTK, if its driver and a virtual screen are there, too."""
    browsers = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
    return next(browsers, None) if _all("WebKitWebDriver", "Xvfb") else None


def _can_mount() -> bool:
    """Return whether a process may have mounts of its own."""
    command = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    return _all("unshare") and run(command, capture_output=True, check=False).returncode == 0


FINDERS: Mapping[str, Callable[[], str | Path | bool | None]] = {
    "7-Zip": partial(_first, "7z", "7zz", "7za"),
    "bsdtar": partial(_first, "bsdtar"),
    "bubblewrap": lambda: bubblewrap_problem() is None,
    "Chromium": _chromium,
    "Firefox": partial(_first, "firefox-esr", "firefox"),
    "JDK": partial(_all, "java", "javac"),
    "Node.js": partial(_first, "node"),
    "LaTeX": partial(_first, "pdflatex"),
    "graphviz": partial(_first, "dot"),
    "groff": partial(_first, "groff"),
    "jq": partial(_first, "jq"),
    "mount namespaces": _can_mount,
    "nginx": partial(_all, "nginx", "openssl"),
    "sb3-contrib": lambda: find_spec("sb3_contrib") is not None,
    "sqlite3": partial(_first, "sqlite3"),
    "fonts": lambda: next(Path("/usr/share/fonts").rglob("*.[ot]tf"), None),
    "systemd": partial(_first, "systemd-analyze"),
    "WebKit": _webkit,
    "unar": partial(_first, "unar"),
    "unrar": partial(_first, "unrar"),
}


@cache
def find(tool: str) -> str | Path | bool | None:
    """Return what is known of a tool of `FINDERS`, such as its path; false if it is missing."""
    return FINDERS[tool]()


def need(*tools: str) -> None:
    """Skip a test unless the machine has some tools of `FINDERS`.

    CI names in REQUIRED_TOOLS what it has installed: without those a test fails.
    """
    missing = [tool for tool in tools if not find(tool)]
    if lost := {*missing} & {*os.environ.get("REQUIRED_TOOLS", "").split()}:
        pytest.fail(f"REQUIRED_TOOLS names {', '.join(lost)}, which this machine lacks")
    if missing:
        pytest.skip(PREFIX + SEPARATOR.join(missing))


def missing_tools(reasons: Iterable[str]) -> str | None:
    """Return the line that names the missing tools, None if none is.

    Args:
        reasons: The reason of each skipped test.
    """
    needs = [reason.removeprefix(PREFIX) for reason in reasons if reason.startswith(PREFIX)]
    skipped = Counter(tool for need in needs for tool in need.split(SEPARATOR))
    listed = ", ".join(f"{tool} ({number})" for tool, number in sorted(skipped.items()))
    return f"missing on this machine, and the tests skipped for it: {listed}" if listed else None
