"""Tests of core are not measured here: `make coverage` compiles core with tracing and does that."""

from collections.abc import Generator

import pytest

from tests.support.process_coverage import paused


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Pause the coverage of arena/ and bots/: it would make tests of the rules twice as slow."""
    with paused():
        return (yield)
