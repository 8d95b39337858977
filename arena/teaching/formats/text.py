"""Searched trees as text: the tree, the numbers of the search, and whether minimax agrees."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from arena.teaching.compared_run import Run, same_as_minimax
from arena.teaching.names import format_value
from arena.teaching.searched_tree import SearchedNode
from arena.teaching.space import GameTree
from arena.teaching.tracer import VARIANTS, trace
from arena.teaching.wording import pseudocode, steps
from core.game import Game, Position
from core.rounding import one_decimal

Row = Sequence[str]

SHORT = {variant: name for name, variant in VARIANTS.items()}
WIDTH = 88  # of the text below the tables

TREE_HEADINGS = ("node", "player", "v", "alpha", "beta", "minimax", "")
LABELS = (
    "Move",
    "Value",
    "Number of nodes visited",
    "Number of nodes evaluated",
    "Max depth reached",
    "Avg effective branching factor",
)


def render(run: Run, title: str) -> str:
    """Return a run as text."""
    return render_all([run], title)


def render_all(runs: Sequence[Run], title: str) -> str:
    """Return runs on the same tree: their trees one by one, then their numbers side by side."""
    pieces = [f"{title}\n"]
    for run in runs:
        heading = run.variant.title[:1].upper() + run.variant.title[1:]
        pieces.append(f"{heading}:\n\n{_table(_tree(run), '<<>>>><')}")
    pieces.append(_table(_numbers(runs), "<" + ">" * (len(runs) + 1)))
    for run in runs:
        which = f", {run.variant.title}" if len(runs) > 1 else ""
        pieces.append(fill(f"Same as minimax{which}? {same_as_minimax(run).words}", WIDTH) + "\n")
    return "\n".join(pieces)


def render_steps(run: Run, start: Position | GameTree, depth: int, game: Game | None = None) -> str:
    """Return the pseudocode of a run, and its steps in words with their lines of pseudocode."""
    code = [
        f"{line.number:3d}  {'    ' * line.indentation}{line.text}\n"
        for line in pseudocode(run.variant).lines
    ]
    events = trace(start, depth, variant=run.variant, limit=run.tree.limit, game=game)
    rows: list[Row] = [("step", "lines", "")]
    for count, step in enumerate(steps(events, run.variant, run.names), 1):
        rows.append((str(count), ", ".join(map(str, step.lines)), step.words))
    return f"{''.join(code)}\n{_table(rows, '>><')}"


def _table(rows: Sequence[Row], alignments: str) -> str:
    """Return the rows in columns, each aligned as its character says."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, alignments, widths, strict=True)
        lines.append("  ".join(f"{cell:{side}{width}}" for cell, side, width in cells).rstrip())
    return "\n".join(lines) + "\n"


def _tree(run: Run) -> list[Row]:
    """Return a row for each node, from top to bottom and from left to right."""
    rows: list[Row] = [TREE_HEADINGS]
    for node, branch, reason in _walk(run):
        value = format_value(node.value) if node.value is not None else "-"
        bounds = (format_value(node.alpha), format_value(node.beta))
        if not (node.is_visited and run.variant.prunes):
            bounds = ("", "")
        rows.append(
            (
                branch + run.names.short(node),
                "Max" if node.is_max else "Min",
                value if node.is_visited else "",
                *bounds,
                "" if node.minimax is None else format_value(node.minimax),
                _remark(run, node) if node.is_visited else reason,
            )
        )
    return rows


def _walk(run: Run) -> Iterator[tuple[SearchedNode, str, str]]:
    """Yield each node, its branch, and for nodes that were not visited the reason."""
    nodes = run.tree.nodes
    waiting = [(nodes[0], "", "", "")]
    while waiting:
        node, branch, indentation, reason = waiting.pop()
        yield node, branch, reason
        below = _reason(node) if node.is_visited else reason
        for child in reversed(node.children):
            is_pruned = below == "pruned" and not nodes[child].is_visited
            is_last = child == node.children[-1]
            own = indentation + ("+x " if is_pruned else "+- ")
            deeper = indentation + ("   " if is_last else "|  ")
            waiting.append((nodes[child], own, deeper, below))


def _reason(node: SearchedNode) -> str:
    """Return why children of a visited node were not visited."""
    if node.bound is not None:
        return "pruned"
    return "known" if node.same_as is not None else "not reached"


def _remark(run: Run, node: SearchedNode) -> str:
    """Return what is special about a visited node."""
    if node.same_as is not None:
        return f"= {run.names.full(run.tree, run.tree.nodes[node.same_as])}"
    if node.bound is not None:
        return "cutoff: v >= beta" if node.is_max else "cutoff: v <= alpha"
    if not node.is_finished:
        return "not finished"
    return "" if node.words is None else "leaf"


def _numbers(runs: Sequence[Run]) -> list[Row]:
    """Return a row for each number, with a column for each run and one for minimax."""
    columns = [[SHORT.get(run.variant, run.variant.title), *_column(run)] for run in runs]
    minimax = runs[0].minimax
    known = (
        [format_value(minimax.value), f"{minimax.visited:,}", f"{minimax.evaluated:,}"]
        if minimax
        else ["?"] * 3
    )
    return [*zip(["", *LABELS], *columns, ["minimax", "", *known, "", ""], strict=True)]


def _column(run: Run) -> list[str]:
    """Return the six numbers of a run."""
    move, value, visited, evaluated, depth = run.tree.totals
    inner = visited - evaluated
    return [
        "-" if move is None else run.names.move(move),
        "-" if value is None else format_value(value),
        f"{visited:,}",
        f"{evaluated:,}",
        str(depth),
        one_decimal(visited - 1, inner) if inner else "0.0",
    ]
