"""The picture of a position as SVG."""

import math

from core.picture import FAINT, LINE, PLAYER_COLOURS, SANS, SHADE, TEXT, svg, text_svg
from core.take_stones.board import Board

LARGEST = 2000  # stones that are drawn; the position of more is shown as text
NUMBERED = 400  # stones that have numbers
WIDTH, HEIGHT = 560, 480  # units, of the widest and the highest picture
MARGIN = 20
LARGEST_PITCH = 84


def position_svg(board: Board) -> str:
    """Return the stones in rows; each player has a colour and a shape, the last stone a ring."""
    if board.n > LARGEST:
        return text_svg(str(board))
    columns = _columns(board.n)
    rows = math.ceil(board.n / columns)
    pitch = min(LARGEST_PITCH, WIDTH / columns, HEIGHT / rows)
    owners = {stone: 1 + ply % 2 for ply, stone in enumerate(board.moves)}
    stones = []
    for stone in range(1, board.n + 1):
        row, column = divmod(stone - 1, columns)
        x, y = MARGIN + pitch * (column + 0.5), MARGIN + pitch * (row + 0.5)
        owner = owners.get(stone, 0)
        stones.append(_shape(x, y, owner, stone == board.last, pitch))
        if board.n <= NUMBERED:
            stones.append(_number(stone, x, y, owner, pitch))
    font = f'<g font-family="{SANS}" text-anchor="middle" font-size="{pitch * 0.42:.1f}">'
    width, height = columns * pitch + 2 * MARGIN, rows * pitch + 2 * MARGIN
    return svg(round(width), round(height), [font, *stones, "</g>"])


def _columns(stones: int) -> int:
    """Return the number of columns: in many rows a stone is found if each begins at a round one."""
    usual = math.sqrt(stones * WIDTH / HEIGHT)
    if stones <= 10:
        return min(stones, 5)
    step = 5 if usual < 15 else 10
    return max(step, step * round(usual / step))


def _shape(x: float, y: float, owner: int, is_last: bool, pitch: float) -> str:
    """Return a stone with its middle at these units: free (owner 0), or of player 1 or 2."""
    fill = (SHADE, *PLAYER_COLOURS)[owner]
    edge, thickness = (TEXT, 0.08) if is_last else (LINE, 0.0 if owner else 0.02)
    outline = f' stroke="{edge}" stroke-width="{pitch * thickness:.1f}"' if thickness else ""
    half = pitch * 0.44
    if owner == 2:
        size = f'width="{2 * half:.1f}" height="{2 * half:.1f}" rx="{pitch * 0.2:.1f}"'
        return f'<rect x="{x - half:.1f}" y="{y - half:.1f}" {size} fill="{fill}"{outline}/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}" fill="{fill}"{outline}/>'


def _number(stone: int, x: float, y: float, owner: int, pitch: float) -> str:
    """Return the number of a stone with its middle at these units."""
    style = 'fill="#fff" font-weight="700"' if owner else f'fill="{FAINT}"'
    # A number of three digits would not fit in the size of the others.
    size = f' font-size="{pitch * 0.36:.1f}"' if stone >= 100 else ""
    return f'<text x="{x:.1f}" y="{y + pitch * 0.14:.1f}" {style}{size}>{stone}</text>'
