"""Coverage of the processes that tests start.

Only tests that ask for it measure them: a process takes half as long again with coverage, and most
run only what is measured elsewhere.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from coverage import Coverage

VARIABLE = "COVERAGE_PROCESS_CONFIG"  # with it, coverage is started in a process
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ

_config = ""


def stop_inheriting() -> None:
    """Leave the processes that this one starts unmeasured."""
    global _config
    if IS_WORKER:  # the first process has to pass it on to the workers
        _config = os.environ.pop(VARIABLE, _config)


@contextmanager
def paused() -> Iterator[None]:
    """Stop measuring a worker of `make test`; `make coverage`, which measures core, has none."""
    measuring = Coverage.current() if IS_WORKER else None
    if measuring:
        measuring.stop()
    try:
        yield
    finally:
        if measuring:
            measuring.start()
            stop_inheriting()  # the start has set the variable again


def variables() -> dict[str, str]:
    """Return the environment variables of processes that are measured."""
    return {VARIABLE: _config} if _config else {}
