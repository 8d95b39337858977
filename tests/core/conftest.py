"""Tests of core are not measured here: `make coverage` compiles core with tracing and does that."""

from collections.abc import Generator

import pytest
from coverage import Coverage


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Pause the coverage of arena/ and bots/: it would make tests of the rules twice as slow."""
    measuring = Coverage.current()
    if measuring:
        measuring.stop()
    try:
        return (yield)
    finally:
        if measuring:
            measuring.start()
