"""Fixture of the tests of checks of games."""

import pytest

from arena.conformance.rule_checks import RULE_CHECKS
from tests.support.games.defective_games import Check, checking


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Check:
    """Return a function that runs the checks of rules, and the CHECKS of the module of a test."""
    return checking(monkeypatch, (*RULE_CHECKS, *getattr(request.module, "CHECKS", ())))
