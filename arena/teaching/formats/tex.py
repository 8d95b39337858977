r"""LaTeX: a document with a TikZ picture, for pdflatex, lualatex and xelatex of any TeX Live.

It needs `article`, `geometry` and `tikz` alone. The page is as large as the drawing;
the picture can be copied into another document together with the lines of PREAMBLE.
"""

from collections.abc import Iterator, Sequence
from textwrap import wrap
from unicodedata import normalize

from arena.teaching.compared_run import Run
from arena.teaching.formats.caption import caption
from arena.teaching.formats.drawing import (
    BOX,
    SMALL,
    SYMBOL,
    Drawing,
    Placed,
    Point,
    crossing,
    draw,
    equal_nodes,
    hanging,
)
from arena.teaching.formats.figures import (
    ALPHA,
    BETA,
    INFINITY,
    MINUS,
    Figure,
    Row,
    figures,
    printable,
)

SCALE = 0.75  # points for a pixel
LARGEST = 12_000.0  # points: TeX has no longer lengths than 16383
MARGIN = 20.0
LINE = 13.0  # points, height of a line of the caption
LEAST_TEXT_WIDTH = 360.0

PREAMBLE = r"""
\usepackage[utf8]{inputenc}
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{}
\usepackage{tikz}
\definecolor{maxfill}{HTML}{E2F0F6} \definecolor{maxline}{HTML}{0B6A8F}
\definecolor{minfill}{HTML}{FCEBDC} \definecolor{minline}{HTML}{A54F0B}
\definecolor{morefill}{HTML}{E6E4DE} \definecolor{plainline}{HTML}{59636E}
\definecolor{bestline}{HTML}{1A7A3C} \definecolor{cutline}{HTML}{B3261E}
\definecolor{sameline}{HTML}{6C4BB6}
\tikzset{
  searchtree/.style={x=1pt, y=-1pt, line width=0.8pt, line join=round,
    every node/.style={inner sep=0pt, font=\sffamily\small}},
  tree edge/.style={draw=plainline},
  tree max/.style={draw=maxline, fill=maxfill},
  tree min/.style={draw=minline, fill=minfill},
  tree leaf/.style={draw=plainline, fill=white},
  tree more/.style={draw=plainline, fill=morefill},
  tree box/.style={draw=plainline, fill=white, line width=0.5pt},
  tree unvisited/.style={draw=plainline!70, fill=none, dash pattern=on 3pt off 2pt},
  tree best/.style={draw=bestline, line width=2.5pt},
  tree cross/.style={draw=cutline, line width=1.2pt},
  tree same/.style={draw=sameline, dash pattern=on 1.5pt off 3pt},
  tree main/.style={font=\sffamily\bfseries\normalsize},
  tree name/.style={font=\sffamily\itshape\normalsize},
  tree bound/.style={text=cutline},
  tree faint/.style={text=plainline, font=\sffamily\small},
}
""".strip()

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "-": "{-}",
    "`": "{`}",
    "'": "{'}",
    "?": "{?}",
    "!": "{!}",
    ",": "{,}",
    ALPHA: r"$\alpha$",
    BETA: r"$\beta$",
    INFINITY: r"$\infty$",
    MINUS: "$-$",
    "…": r"\dots{}",
}
LETTERS = set("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ")


def render(run: Run, title: str) -> str:
    """Return a search as a LaTeX document.

    Args:
        run: The search.
        title: The title, in plain text.
    """
    drawing = draw(figures(run))
    scale = _scale(drawing)
    width = max(drawing.width * scale, LEAST_TEXT_WIDTH)
    lines = wrap(" ".join(caption(run)), int(width / 5))
    height = drawing.height * scale + LINE * (len(lines) + 3)
    return "\n".join(
        [
            r"\documentclass{article}",
            f"\\usepackage[paperwidth={width + 2 * MARGIN:.0f}pt,"
            f"paperheight={height + 2 * MARGIN:.0f}pt,margin={MARGIN - 1:.0f}pt]{{geometry}}",
            PREAMBLE,
            r"\begin{document}",
            r"\pagestyle{empty}\parindent=0pt \raggedright \raggedbottom \sffamily",
            f"{{\\large\\bfseries {escaped(printable(title))}\\par}}",
            *(f"{{\\small {escaped(line)}\\par}}" for line in lines),
            r"\vspace{6pt}",
            f"\\centerline{{{_picture(drawing)}}}",
            r"\end{document}",
            "",
        ]
    )


def picture(figures: Sequence[Figure]) -> str:
    """Return figures as a TikZ picture."""
    return _picture(draw(figures))


def escaped(text: str) -> str:
    """Return a text without any meaning for TeX.

    Letters that its usual fonts do not have lose their accents; other characters become "?".
    """
    return "".join(map(_character, text))


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character in LETTERS or (character.isascii() and character.isprintable()):
        return character
    base = normalize("NFKD", character)[0]
    return base if base.isascii() and base.isalnum() else "{?}"


def _scale(drawing: Drawing) -> float:
    """Return the points for each pixel of a drawing."""
    return min(SCALE, LARGEST / max(drawing.width, drawing.height))


def _picture(drawing: Drawing) -> str:
    """Return a drawing as a TikZ picture."""
    scale = _scale(drawing)
    smaller = f", every node/.append style={{scale={scale / SCALE:.3f}}}" if scale < SCALE else ""
    painter = _Painter(scale)
    return "\n".join(
        [
            f"\\begin{{tikzpicture}}[searchtree{smaller}]%",
            *painter.tree(drawing),
            r"\end{tikzpicture}",
        ]
    )


class _Painter:
    """The commands of a picture at a scale."""

    def __init__(self, scale: float) -> None:
        self._scale = scale

    def tree(self, drawing: Drawing) -> Iterator[str]:
        """Yield the commands of a tree: edges first, so that shapes cover their ends."""
        yield (
            f"\\path[use as bounding box] {self._point((0, 0))} rectangle "
            + self._point((drawing.width, drawing.height))
            + ";"
        )
        placed = drawing.placed
        for item in sorted(placed, key=lambda item: item.figure.is_best):  # best line on top
            if item.figure.parent is not None:
                yield from self._edge(placed[item.figure.parent], item)
        for item, other in equal_nodes(placed):
            yield self._same(*hanging(item, other))
        for item in placed:
            yield from self._node(item)

    def _edge(self, parent: Placed, item: Placed) -> Iterator[str]:
        """Yield the edge to a figure."""
        figure = item.figure
        start, bend = (parent.x, parent.bottom), (item.x, item.bend)
        style = ", tree best" if figure.is_best else "" if figure.is_visited else ", tree unvisited"
        yield f"\\draw[tree edge{style}] {self._path([start, bend, (item.x, item.end)])};"
        if figure.is_cut_off:
            strokes = " ".join(self._path(stroke) for stroke in crossing(start, bend))
            yield f"\\draw[tree cross] {strokes};"

    def _same(self, start: Point, control: Point, end: Point) -> str:
        """Return the curve between equal nodes; TikZ has two control points."""
        points = [start]
        for x, y in (start, end):
            points.append((x + (control[0] - x) * 2 / 3, y + (control[1] - y) * 2 / 3))
        first, second, third, last = map(self._point, [*points, end])
        return f"\\draw[tree same] {first} .. controls {second} and {third} .. {last};"

    def _node(self, item: Placed) -> Iterator[str]:
        """Yield the shape and the texts of a node."""
        figure = item.figure
        style = ", tree best" if figure.is_best else "" if figure.is_visited else ", tree unvisited"
        yield f"\\draw[tree {figure.kind}{style}] {self._path(item.outline)} -- cycle;"
        for place, (text, y) in enumerate(item.rows_above()):
            kind = "bound" if place < len(figure.bounds) else "name"
            yield self._text(item.x, y, text, kind)
        for row, y in item.rows():
            if row.value is None and figure.kind != "leaf":  # which is a box itself
                yield from self._box(item.x, y, row)
            elif row.value is not None:
                visited = "main" if row.is_main else ""
                yield self._text(item.x, y, row.text, visited if figure.is_visited else "faint")

    def _box(self, x: float, y: float, row: Row) -> Iterator[str]:
        """Yield an empty box, with its symbol on the left."""
        width, height = BOX
        yield self._text(x - width / 2, y, row.symbol, "")
        x += SYMBOL / 2
        corners = (x - width / 2, y - height / 2), (x + width / 2, y + height / 2)
        yield f"\\draw[tree box] {self._point(corners[0])} rectangle {self._point(corners[1])};"

    def _text(self, x: float, y: float, text: str, style: str) -> str:
        """Return a text; its baseline is below the centre, the same for all letters."""
        base = self._point((x, y + SMALL * 0.36))
        return f"\\node[anchor=base{style and ', tree '}{style}] at {base} {{{escaped(text)}}};"

    def _path(self, points: Sequence[Point]) -> str:
        return " -- ".join(map(self._point, points))

    def _point(self, point: Point) -> str:
        return f"({point[0] * self._scale:.2f},{point[1] * self._scale:.2f})"
