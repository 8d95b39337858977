"""Boards in arguments and input; tests of the commands have all errors."""

from pathlib import Path

import pytest

from core.cli import UsageError
from core.isolation.board import Board
from core.isolation.board_text import player_of, read_board, rows_of
from tests.support.cases import loop_over

ROWS = ["x-------", *["--------"] * 6, "-------o"]


@loop_over(
    "text",
    "\n".join(ROWS),
    "\n\n".join(" ".join(row) for row in ROWS),
    f"({''.join(f'({row})' for row in ROWS)})",
)
def test_boards_are_written_in_two_ways(text: str, tmp_path: Path) -> None:
    assert rows_of(text) == ROWS
    file = tmp_path / "board"
    file.write_text(text)
    assert read_board(str(file), 1) == Board()


def test_players_and_lists_that_are_not_closed() -> None:
    assert (player_of("x"), player_of("o")) == (1, 2)
    with pytest.raises(UsageError, match="the player must be x or o, not 'X'"):
        player_of("X")
    with pytest.raises(
        ValueError, match=r"row 2: here must come a row in brackets or the last ., not"
    ):
        rows_of("((x-)")
