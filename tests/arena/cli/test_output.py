"""Output of commands: the width of tables."""

import pytest

from arena.cli.output import terminal_width
from tests.support.cases import loop_over


@loop_over(("columns", "width"), [("77", 77), ("wide", None), ("", None)])
def test_tables_in_a_pipe_have_the_width_of_the_environment(
    columns: str, width: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert terminal_width() == width
