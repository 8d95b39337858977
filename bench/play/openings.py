"""`python -m bench.play.openings`: draw docs/explanation/openings.svg, which part of the openings wins.

For numbers of stones that are evenly spread on a logarithmic axis there is a dot at the share of
the legal openings that win, and below the axis a mark at every number with which player 1 loses.
docs/explanation/theory.md shows the picture, and proves that the marks are all there are.
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

# The place of the axes, in the units of the picture.
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
    """Where a number of stones is on the axis."""
    return LEFT + (RIGHT - LEFT) * log10(n) / log10(LAST)


def y(share: float) -> float:
    """Where a share is on the axis."""
    return BOTTOM - (BOTTOM - TOP) * share


def losing() -> list[int]:
    """The numbers of stones with which player 1 has no winning opening."""
    return [n for n, moves in WinningOpenings(1, PROVEN) if not moves]


def winning() -> Iterator[tuple[int, float]]:
    """Numbers of stones with which player 1 wins, each with the share of the openings that win."""
    for n in sorted({round(LAST ** (dot / DOTS)) for dot in range(DOTS + 1)}):
        if moves := winning_moves(Board(n)):
            yield n, len(moves) / len(Board(n).legal_moves())


def text(place: tuple[float, float], words: str, side: str = "middle") -> str:
    """A line of text."""
    return f'<text class="{side}" x="{place[0]:.0f}" y="{place[1]:.0f}">{words}</text>'


def path(kind: str, strokes: Iterable[str]) -> str:
    """Many strokes as one element, which keeps the picture small."""
    return f'<path class="{kind}" d="{"".join(strokes)}"/>'


def axes() -> Iterator[str]:
    """The grid, and what its lines are."""
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
    """The picture, as SVG."""
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
