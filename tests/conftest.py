"""Settings of hypothesis, and fixtures shared by all tests."""

import faulthandler
import inspect
import os
import re
import signal
import tempfile
from collections.abc import Generator, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

from core import GAMES
from tests.support.games.toy_games import DRAWN_NIM, NIM
from tests.support.polling import EXIT_FACTOR, LONG_TEST_LIMIT, TEST_LIMIT, in_event_loop
from tests.support.process_coverage import paused, stop_inheriting, variables
from tests.support.tools import missing_tools, need

settings.register_profile(
    "arena",
    max_examples=15,
    # A busy machine is slow at times, which is no fault of the code under test.
    deadline=None,
    # The same examples at each run: a red test is the fault of a change, not of chance.
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.register_profile("traced", settings.get_profile("arena"), max_examples=10)
settings.register_profile(
    "random", settings.get_profile("arena"), max_examples=50, derandomize=False
)
settings.register_profile("fuzz", settings.get_profile("random"), max_examples=5000)
settings.load_profile("arena")

# A shell lets background processes ignore Ctrl-C, and their children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Programs in a sandbox, where they run as another user, read files that tests write.
os.umask(0o022)

# For the processes that tests start. A hook of git sets the last ones.
for name in (
    *("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "COLUMNS", "LINES"),
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"),
):
    os.environ.pop(name, None)
os.environ["PYTHONFAULTHANDLER"] = "1"  # on SIGABRT, a process prints where it hangs
# Tests write paths of temporary files into scripts of shells.
if not re.fullmatch(r"[\w./-]+", tempfile.gettempdir(), re.ASCII):
    os.environ["TMPDIR"] = tempfile.tempdir = "/tmp"
stop_inheriting()
os.environ.setdefault("PYTEST_TIMEOUT", str(TEST_LIMIT))  # for pytest-timeout

pytest_plugins = ["tests.support.servers.arena_command"]
if find_spec("playwright"):  # not for the tests of a wheel, in which there is no page
    pytest_plugins += ["tests.support.page.browser", "tests.support.page.sites"]


# What tests in these folders run of arena/ and bots/ is measured in the tests of those packages.
UNMEASURED = ("core", "docs", "web")

UNPRIVILEGED_USER = 65534

STDERR = pytest.StashKey[int]()


class Settings(Protocol):
    """Settings of pytest-timeout for a test."""

    timeout: float


# Folders and modules in which every test is slow, by the time it takes or by what it starts:
# browsers, clusters, sandboxes, whole systems.
TESTS = Path(__file__).parent
SLOW = (
    "web",
    "system",
    "arena/bulk/cluster",
    "arena/cli/commands/test_leftovers.py",
    "arena/sandbox/test_malicious.py",
    "docs/test_site.py",
    "docs/guide/test_cluster.py",
)
FAST = ("web/test_views.py", "system/test_source.py", "system/test_workflows.py")  # nevertheless


def _is_in(path: Path, places: Iterable[str]) -> bool:
    return any(path.is_relative_to(TESTS / place) for place in places)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow places."""
    for item in items:
        if _is_in(item.path, SLOW) and not _is_in(item.path, FAST):
            item.add_marker("slow")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose tools this machine lacks."""
    for mark in item.iter_markers("needs"):
        need(*mark.args)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tools were missing, and how many tests that has skipped."""
    skipped = terminalreporter.getreports("skipped")
    reasons = (str(report.longrepr[2]) for report in skipped)
    if line := missing_tools(reason.removeprefix("Skipped: ") for reason in reasons):
        terminalreporter.write_line(line, yellow=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    """Pause the coverage where it only takes time: half of that of a test of the rules."""
    is_unmeasured = item.get_closest_marker("unmeasured") is not None
    if not is_unmeasured and not _is_in(item.path, UNMEASURED):
        return (yield)
    with paused():
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    # Later the standard error is captured.
    config.stash[STDERR] = os.dup(2)
    if find_spec("psutil"):  # not for the tests of a wheel, which start no servers
        from tests.support import reaper

        config.add_cleanup(reaper.start())


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run asynchronous tests in event loops, and give those of releases more time."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj):
        item.obj = in_event_loop(item.obj)
    if item.get_closest_marker("release") and not item.get_closest_marker("timeout"):
        item.add_marker(pytest.mark.timeout(LONG_TEST_LIMIT))


@pytest.hookimpl(wrapper=True, optionalhook=True)  # the tests of a wheel have no pytest-timeout
def pytest_timeout_set_timer(
    item: pytest.Item, settings: Settings
) -> Generator[None, object, object]:
    """Exit the process later where the signal of pytest-timeout stays without effect.

    It fails the test, and shows the stacks of all threads. A loop in C code does not let it.
    """
    limit = EXIT_FACTOR * settings.timeout
    faulthandler.dump_traceback_later(limit, exit=True, file=item.config.stash[STDERR])
    return (yield)


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_timeout_cancel_timer() -> Generator[None, object, object]:
    faulthandler.cancel_dump_traceback_later()
    return (yield)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Return the path for a new database."""
    return tmp_path / "arena.db"


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """Return a folder that every user may write to, and drop the rights of root."""
    is_root = os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        shared_folder = Path(name)
        shared_folder.chmod(0o777)
        os.seteuid(UNPRIVILEGED_USER if is_root else os.geteuid())
        yield shared_folder
        os.seteuid(0 if is_root else os.geteuid())


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure the coverage of the processes that a test starts."""
    for name, value in variables().items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def toy_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy games, as packages do."""
    for game in (NIM, DRAWN_NIM):
        monkeypatch.setitem(GAMES, game.name, game)


@pytest.fixture
def ignores_lag(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a flag fall however late a busy machine's event loop is; else the match is aborted."""
    monkeypatch.setattr("arena.match.adjudicator.MAX_LAG", float("inf"))


@pytest.fixture
def no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never read those again that have exceeded their budget, and let time cost nothing."""
    for name in ("BUSY_RATE", "IDLE_RATE"):
        monkeypatch.setattr(f"arena.server.server.{name}", 1e-6)
    monkeypatch.setattr("arena.network.connection.UNITS_PER_SECOND", 0.0)
    monkeypatch.setattr("arena.network.connection.TURN_UNITS", 0.0)
    monkeypatch.setattr("arena.network.connection.UNIT_SECONDS", float("inf"))
