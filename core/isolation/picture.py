"""The picture of a position as SVG."""

from core.isolation.board import Board
from core.picture import FAINT, PLAYER_COLOURS, SANS, TEXT, svg

PITCH = 60  # units of a square
LEFT = TOP = 36  # of the squares, beside which are the numbers of rows and columns
MARGIN = 14
PIT, TILE = "#66717a", "#fffefb"


def position_svg(board: Board) -> str:
    """Return the squares with both pieces; the one that moved last has a ring."""
    side = PITCH * board.size
    parts = [
        *_numbers(board.size),
        f'<rect x="{LEFT - 3}" y="{TOP - 3}" width="{side + 6}" height="{side + 6}" rx="12"'
        f' fill="{PIT}"/>',
    ]
    moved = 3 - board.player_to_move if board.moves else None
    for row, symbols in enumerate(board.rows):
        for column, symbol in enumerate(symbols):
            x, y = LEFT + PITCH * column, TOP + PITCH * row
            if symbol != "*":
                parts.append(
                    f'<rect x="{x + 1.5}" y="{y + 1.5}" width="57" height="57" rx="9"'
                    f' fill="{TILE}"/>'
                )
            if symbol in "xo":
                player = 1 + "xo".index(symbol)
                parts.append(_piece(x, y, player, player == moved))
    return svg(LEFT + side + MARGIN, TOP + side + MARGIN, parts)


def _numbers(size: int) -> list[str]:
    """Return the numbers of the columns, above the squares, and of the rows, on their left."""
    texts = [f'<g font-family="{SANS}" font-size="18" text-anchor="middle" fill="{FAINT}">']
    for at in range(size):
        middle = PITCH * at + PITCH / 2
        texts.append(f'<text x="{LEFT + middle:g}" y="24">{at + 1}</text>')
        texts.append(f'<text x="18" y="{TOP + middle + 6:g}">{at + 1}</text>')
    return [*texts, "</g>"]


def _piece(x: int, y: int, player: int, has_moved: bool) -> str:
    """Return the piece of a player on the square at these units: a circle or a rounded square."""
    ring = f' stroke="{TEXT}" stroke-width="5"' if has_moved else ""
    if player == 1:
        return f'<circle cx="{x + 30}" cy="{y + 30}" r="22" fill="{PLAYER_COLOURS[0]}"{ring}/>'
    return (
        f'<rect x="{x + 9}" y="{y + 9}" width="42" height="42" rx="10"'
        f' fill="{PLAYER_COLOURS[1]}"{ring}/>'
    )
