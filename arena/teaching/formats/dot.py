"""DOT, the language of graphviz: `dot -Tpdf` and its relatives draw it with their own layout."""

from collections.abc import Iterator
from textwrap import wrap

from arena.teaching.compared_run import Run
from arena.teaching.formats.caption import caption
from arena.teaching.formats.figures import Figure, figures, printable

SHAPES = {"max": "house", "min": "invhouse", "leaf": "box", "more": "triangle"}
COLORS = {"max": ("#e2f0f6", "#0b6a8f"), "min": ("#fcebdc", "#a54f0b")}
PLAIN = "#ffffff", "#59636e"
BEST, CUT, FAINT, SAME = "#1a7a3c", "#b3261e", "#59636e", "#6c4bb6"


def render(run: Run, title: str) -> str:
    """Return a search as a graph in DOT.

    Args:
        run: The search.
        title: The title, in plain text.
    """
    drawn = figures(run)
    lines = [printable(title), *wrap(" ".join(caption(run)), 80)]
    statements = [
        "graph {",
        f"  label={_quoted(*lines)} labelloc=t",
        "  ordering=out splines=false ranksep=0.7",
        '  node [fontname="Helvetica" fontsize=11 style=filled margin="0.08,0.04" height=0.2'
        " width=0.4]",
        '  edge [fontname="Helvetica-Oblique" fontsize=12]',
    ]
    for place, figure in enumerate(drawn):
        statements.append(f"  n{place} [{' '.join(_node(figure))}]")
        if figure.parent is not None:
            statements.append(f"  n{figure.parent} -- n{place} [{' '.join(_edge(figure))}]")
        if figure.same_as is not None:
            line = f'constraint=false style=dotted penwidth=2 color="{SAME}"'
            statements.append(f"  n{place} -- n{figure.same_as} [{line}]")
    return "\n".join([*statements, "}"]) + "\n"


def _node(figure: Figure) -> Iterator[str]:
    """Yield the attributes of a node."""
    fill, line = COLORS.get(figure.kind, PLAIN)
    yield f"label={_quoted(*(row.text for row in figure.rows))}"
    yield f"shape={SHAPES[figure.kind]} tooltip={_quoted(figure.words)}"
    if figure.is_visited:
        yield f'fillcolor="{fill}" color="{BEST if figure.is_best else line}"'
    else:
        yield f'style=dashed color="{FAINT}" fontcolor="{FAINT}"'
    if figure.is_best:
        yield "penwidth=3"


def _edge(figure: Figure) -> Iterator[str]:
    """Yield the attributes of the edge to a figure; two bars cross the edge of a pruned branch."""
    yield f"label={_quoted(figure.name, *(row.text for row in figure.bounds))}"
    if figure.is_cut_off:
        yield f'dir=back arrowtail=teetee color="{CUT}" fontcolor="{CUT}"'
    if not figure.is_visited:
        yield "style=dashed"
    if figure.is_best:
        yield f'color="{BEST}" penwidth=3'


def _quoted(*lines: str) -> str:
    """Return lines as a string of DOT, in which backslashes and entities have a meaning."""
    shown = (line.replace("&", "&amp;").replace("\\", "\\\\") for line in lines)
    return '"' + "\\n".join(shown).replace('"', '\\"') + '"'
