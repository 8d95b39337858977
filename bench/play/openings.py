"""Share of the first moves of Take-Stones that win: `python -m bench.play.openings`.

It draws docs/explanation/openings.svg. Numbers of stones are evenly spaced on a logarithmic axis; a
dot shows the share of legal first moves that win, and a mark below the axis a number with which
player 1 loses. docs/explanation/theory.md proves that there are no further marks.
"""

from collections.abc import Iterable, Iterator
from math import log10
from pathlib import Path

from core.take_stones import Board
from core.take_stones.solver import WinningOpenings, winning_moves

PICTURE = Path(__file__).parents[2] / "docs" / "explanation" / "openings.svg"

LAST = 10**5  # on the axis
DOTS = 800
PROVEN = 4868  # player 1 wins with every larger number of stones

# Position of the axes, in the units of the picture.
LEFT, RIGHT, TOP, BOTTOM = 60, 780, 20, 340
MARK = 12  # the height of the marks of losing numbers

STYLE = """
text { font: 14px sans-serif; fill: #808080 }
.grid { stroke: #808080; stroke-opacity: 0.3 }
.dots { stroke: #3d85c6; stroke-width: 3; stroke-linecap: round }
.marks { stroke: #e0662f; stroke-width: 1 }
.middle { text-anchor: middle }
.end { text-anchor: end }
"""


def x(n: int) -> float:
    """Return the x coordinate of a number of stones."""
    return LEFT + (RIGHT - LEFT) * log10(n) / log10(LAST)


def y(share: float) -> float:
    """Return the y coordinate of a share."""
    return BOTTOM - (BOTTOM - TOP) * share


def losing() -> list[int]:
    """Return the numbers of stones with which player 1 has no winning first move."""
    return [n for n, moves in WinningOpenings(1, PROVEN) if not moves]


def winning() -> Iterator[tuple[int, float]]:
    """Yield numbers of stones with which player 1 wins, and the share of winning first moves."""
    for n in sorted({round(LAST ** (dot / DOTS)) for dot in range(DOTS + 1)}):
        if moves := winning_moves(Board(n)):
            yield n, len(moves) / len(Board(n).legal_moves())


def text(place: tuple[float, float], words: str, side: str = "middle") -> str:
    """Return a line of text."""
    return f'<text class="{side}" x="{place[0]:.0f}" y="{place[1]:.0f}">{words}</text>'


def path(kind: str, strokes: Iterable[str]) -> str:
    """Return many strokes as one element, which keeps the picture small."""
    return f'<path class="{kind}" d="{"".join(strokes)}"/>'


def axes() -> Iterator[str]:
    """Yield the grid with its labels."""
    percents = range(0, 101, 20)
    powers = [10**exponent for exponent in range(6)]
    yield path("grid", [f"M{LEFT} {y(percent / 100):.0f}H{RIGHT}" for percent in percents])
    yield path("grid", [f"M{x(power):.0f} {TOP}V{BOTTOM}" for power in powers])
    for percent in percents:
        yield text((LEFT - 8, y(percent / 100) + 5), f"{percent} %", "end")
    for power in powers:
        yield text((x(power), BOTTOM + 36), f"{power:,}")
    caption = "stones; dots: share of the legal openings that win; marks: player 1 loses"
    yield text(((LEFT + RIGHT) / 2, BOTTOM + 60), caption)


def picture() -> str:
    """Return the picture as SVG."""
    dots = [f"M{x(n):.1f} {y(share):.1f}h0" for n, share in winning()]
    marks = [f"M{x(n):.2f} {BOTTOM + 4}v{MARK}" for n in losing()]
    size = f"{RIGHT + 30} {BOTTOM + 72}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" fill="none">',
            "<title>Share of the legal openings of Take-Stones that win</title>",
            f"<style>{STYLE}</style>",
            *axes(),
            path("dots", dots),
            path("marks", marks),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(picture())
