"""Pictures of positions as SVG, for notebooks, shared links and files. Pure.

The colours are fixed: the page's light theme, on its own background. A picture goes where no theme
is known.
"""

from core.game import Position
from core.registry import game_of

GROUND, LINE, SHADE = "#fffefb", "#dcd8cd", "#efebe1"
TEXT, FAINT = "#1d242b", "#59636e"
PLAYER_COLOURS = ("#0f7299", "#b4560c")  # of players 1 and 2; text on them is white

# resvg looks for Arial and Courier New only; a browser takes the first.
SANS, MONOSPACE = "sans-serif, DejaVu Sans", "monospace, DejaVu Sans Mono"

MAX_LINES, MAX_COLUMNS = 40, 100  # of a position as text; the rest is cut off
LINE_HEIGHT, LETTER_WIDTH = 24, 10.8  # units, of letters of 18 units
MARGIN = 16


def position_svg(position: Position) -> str:
    """Return a picture of a position as an SVG document.

    Args:
        position: A position of a registered game.

    Returns:
        The picture that the game draws; its text, if the game draws none.

    Raises:
        TypeError: `position` is no position.
        ValueError: It belongs to no registered game.
    """
    draw = game_of(position).position_svg
    return draw(position) if draw else text_svg(str(position))


def notebook_svg(position: Position) -> str | None:
    """Return the picture of a position that a notebook shows.

    A class of positions offers it as its method: `_repr_svg_ = notebook_svg`.

    Args:
        position: A position of any game.

    Returns:
        The picture that the game draws, an SVG document. None if the game draws none or is not
        registered: then a notebook shows `repr(position)`, as a terminal does.
    """
    try:
        draw = game_of(position).position_svg
    except ValueError:
        return None
    return draw(position) if draw else None


def text_svg(text: str) -> str:
    """Return a text of one or more lines as an SVG document, the end of a long one cut off."""
    from html import escape  # slow to import

    lines = [_cut(line) for line in text.split("\n")]
    if len(lines) > MAX_LINES:
        lines[MAX_LINES - 1 :] = ["…"]
    width = round(max(map(len, lines)) * LETTER_WIDTH) + 2 * MARGIN
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + number * LINE_HEIGHT + 18}" xml:space="preserve">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines)
    ]
    font = f'<g font-family="{MONOSPACE}" font-size="18" fill="{TEXT}">'
    return svg(width, height, [font, *rows, "</g>"])


def svg(width: float, height: float, parts: list[str]) -> str:
    """Return elements on a ground as an SVG document of a size in units."""
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
            f' width="{width:g}" height="{height:g}">',
            f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{GROUND}"/>',
            *parts,
            "</svg>",
        ]
    )


def _cut(line: str) -> str:
    """Return the start of a line in which each character is one that XML allows."""
    shown = "".join(letter if letter.isprintable() else " " for letter in line[: MAX_COLUMNS + 1])
    return f"{shown[: MAX_COLUMNS - 1]}…" if len(shown) > MAX_COLUMNS else shown
