"""Misreadings of a single line of the output: how a number is counted, divided or printed."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from arena.grading.diagnosis.search import Found, Position

MOVE, VALUE, VISITED, EVALUATED, DEPTH, BRANCHING = range(6)  # indexes of lines


class Form(NamedTuple):
    """A way to print a line.

    Attributes:
        name: Its name in data; empty for the right way.
        title: The behaviour of the program, as a sentence.
        advice: The part of the program to look at, in words.
        numbers: Formulas that the program may use for the number.
    """

    name: str
    title: str
    advice: str
    numbers: tuple[Callable[[Found, Position], float], ...]


class Counts(NamedTuple):
    """The counts that a branching factor is made of."""

    visited: int
    evaluated: int
    inner: int  # nodes with successors
    generated: int
    depth: int


class Formula(NamedTuple):
    """A formula of the branching factor: its numerator and its denominator.

    Attributes:
        name: Its name in data; empty for the right one.
        title: The behaviour of the program, as a sentence.
        advice: The part of the program to look at, in words.
        quotients: Ways to calculate it.
    """

    name: str
    title: str
    advice: str
    quotients: tuple[Callable[[Counts], tuple[int, int]], ...]


def _inner(found: Found) -> int:
    return found.visited - found.ends - found.cuts


def _right(number: Callable[[Found, Position], float]) -> Form:
    return Form("", "", "", (number,))


def _form(name: str, title: str, advice: str, *numbers: Callable[[Found, Position], float]) -> Form:
    return Form(name, title, advice, numbers)


VISIT = "Count a node once, when the search enters it; the root is the first one."
EVALUATION = "A node is evaluated if it is an end of the game or at the depth limit."
ROOT_DEPTH = "The root is at depth 0, and its successors are at depth 1."
LARGEST_DEPTH = "Keep the largest depth of all visited nodes."

FORMS: dict[int, tuple[Form, ...]] = {
    MOVE: (_right(lambda found, _: found.move),),
    VALUE: (
        _right(lambda found, _: found.value),
        _form(
            "value-of-mover",
            "The value is printed for the player to move.",
            "The value is that for Max, whoever moves: a position that Min wins has -1.0. Check"
            " that your program knows when Min is to move: after an odd number of taken stones.",
            lambda found, position: found.value * (-1) ** len(position.taken),
        ),
        _form(
            "value-negated",
            "The value is printed with the opposite sign.",
            "The value is that for Max: a position that Max wins has 1.0. Check that Max is to move"
            " after an even number of taken stones.",
            lambda found, _: -found.value,
        ),
        _form(
            "value-without-sign",
            "The value is printed without its sign.",
            "The value is that for Max: a position that Min wins has -1.0.",
            lambda found, _: abs(found.value),
        ),
        _form(
            "value-whole",
            "The value loses its decimals.",
            "Keep the value in a double: a conversion to a whole number makes 0 of 0.6.",
            lambda found, _: int(found.value),
        ),
    ),
    VISITED: (
        _right(lambda found, _: found.visited),
        _form(
            "root-not-counted",
            "The root is not counted as a visited node.",
            "Count a node when the search enters it; the root is the first one.",
            lambda found, _: found.visited - 1,
        ),
        _form(
            "visited-from-one",
            "The count of visited nodes is one too large.",
            VISIT,
            lambda found, _: found.visited + 1,
        ),
        _form(
            "evaluated-not-visited",
            "Evaluated nodes are not counted as visited.",
            VISIT,
            lambda found, _: _inner(found),
            lambda found, _: _inner(found) - 1,
        ),
        _form(
            "ends-not-visited",
            "Ends of the game are not counted as visited.",
            VISIT,
            lambda found, _: found.visited - found.ends,
        ),
        _form(
            "limit-not-visited",
            "Nodes at the depth limit are not counted as visited.",
            VISIT,
            lambda found, _: found.visited - found.cuts,
            lambda found, _: found.visited - found.cuts - found.ends_at_limit,
        ),
        _form(
            "only-evaluated-visited",
            "Only evaluated nodes are counted as visited.",
            VISIT,
            lambda found, _: found.ends + found.cuts,
        ),
        _form(
            "visited-twice",
            "Each node is counted twice, when it is made and when the search enters it.",
            VISIT,
            lambda found, _: 2 * found.visited,
            lambda found, _: 2 * found.visited - 1,
        ),
        _form(
            "skipped-visited",
            "Successors that the search skips are counted as visited.",
            VISIT,
            lambda found, _: found.generated + 1,
            lambda found, _: found.generated,
        ),
    ),
    EVALUATED: (
        _right(lambda found, _: found.ends + found.cuts),
        _form(
            "ends-not-evaluated",
            "Ends of the game are not counted as evaluated.",
            EVALUATION,
            lambda found, _: found.cuts,
            lambda found, _: found.cuts + found.ends_at_limit,
        ),
        _form(
            "limit-not-evaluated",
            "Nodes at the depth limit are not counted as evaluated.",
            EVALUATION,
            lambda found, _: found.ends,
            lambda found, _: found.ends - found.ends_at_limit,
        ),
        _form(
            "end-at-limit-twice",
            "An end of the game at the depth limit is counted twice as evaluated.",
            "Count a node once, if it is an end of the game or at the depth limit.",
            lambda found, _: found.ends + found.cuts + found.ends_at_limit,
        ),
        _form(
            "all-evaluated",
            "Every node is counted as evaluated.",
            "A node is evaluated only if it is an end of the game or at the depth limit.",
            lambda found, _: found.visited,
            lambda found, _: found.visited - 1,
        ),
        _form(
            "inner-evaluated",
            "Nodes with successors are counted as evaluated, and no others.",
            EVALUATION,
            lambda found, _: _inner(found),
            lambda found, _: _inner(found) - 1,
        ),
        _form(
            "none-evaluated",
            "No node is counted as evaluated.",
            EVALUATION,
            lambda _found, _: 0,
        ),
        _form(
            "evaluated-from-one",
            "The count of evaluated nodes is one too large.",
            "Begin to count at 0.",
            lambda found, _: found.ends + found.cuts + 1,
        ),
        _form(
            "one-not-evaluated",
            "The count of evaluated nodes is one too small.",
            EVALUATION,
            lambda found, _: found.ends + found.cuts - 1,
        ),
        _form(
            "evaluated-twice",
            "Each evaluated node is counted twice.",
            "Count a node once, if it is an end of the game or at the depth limit.",
            lambda found, _: 2 * (found.ends + found.cuts),
        ),
    ),
    DEPTH: (
        _right(lambda found, _: found.max_depth),
        _form(
            "depth-printed-from-one",
            "The depth reached is counted from 1.",
            "The root is at depth 0.",
            lambda found, _: found.max_depth + 1,
        ),
        _form(
            "depth-printed-below",
            "The depth reached is one too small.",
            ROOT_DEPTH,
            lambda found, _: found.max_depth - 1,
        ),
        _form(
            "limit-printed",
            "The depth limit is printed instead of the depth reached.",
            "Keep the largest depth of all visited nodes: a game may end above the limit.",
            lambda found, position: position.depth or found.max_depth,
            lambda _found, position: position.depth,
        ),
        _form(
            "depth-of-last-node",
            "The depth printed is that of the node that was evaluated last.",
            LARGEST_DEPTH,
            lambda found, _: found.last_depth,
        ),
        _form(
            "depth-of-ends",
            "The depth printed is that of the deepest end of the game.",
            f"{LARGEST_DEPTH[:-1]}, also of those at the depth limit.",
            lambda found, _: found.deepest_end,
        ),
        _form(
            "depth-of-limit",
            "The depth printed is that of the deepest node at the depth limit.",
            f"{LARGEST_DEPTH[:-1]}, also of ends of the game.",
            lambda found, _: found.deepest_cut,
        ),
        _form(
            "depth-of-game",
            "The depth printed counts the stones that were taken before the search.",
            ROOT_DEPTH,
            lambda found, position: found.max_depth + len(position.taken),
        ),
        _form(
            "depth-left",
            "The depth printed is what is left of the limit.",
            LARGEST_DEPTH,
            lambda found, position: max(0, position.depth - found.max_depth),
        ),
        _form("depth-zero", "The depth printed is always 0.", LARGEST_DEPTH, lambda _found, _: 0),
    ),
}


FACTOR = (
    "Divide the visited successors by the nodes that have successors:"
    " (visited - 1) / (visited - evaluated)."
)


def _formula(
    name: str, title: str, advice: str, *quotients: Callable[[Counts], tuple[int, int]]
) -> Formula:
    return Formula(name, title, advice, quotients)


def _root_of_visited(counts: Counts) -> tuple[int, int]:
    """Return the branching factor of a full tree with as many nodes as those visited."""
    factor = counts.visited ** (1 / counts.depth) if counts.depth > 0 < counts.visited else 0.0
    return Fraction(factor).as_integer_ratio()


FORMULAS = (
    _formula("", "", "", lambda counts: (counts.visited - 1, counts.visited - counts.evaluated)),
    _formula(
        "branching-with-root",
        "The branching factor is visited / (visited - evaluated).",
        "The root is nobody's successor: (visited - 1) / (visited - evaluated).",
        lambda counts: (counts.visited, counts.visited - counts.evaluated),
    ),
    _formula(
        "branching-per-evaluated",
        "The branching factor is divided by the evaluated nodes.",
        FACTOR,
        lambda counts: (counts.visited, counts.evaluated),
        lambda counts: (counts.visited - 1, counts.evaluated),
    ),
    _formula(
        "branching-generated",
        "The branching factor counts successors that the search has skipped.",
        "Only successors that are visited count: (visited - 1) / (visited - evaluated).",
        lambda counts: (counts.generated, counts.inner),
    ),
    _formula(
        "branching-per-visited",
        "The branching factor is divided by all visited nodes.",
        FACTOR,
        lambda counts: (counts.visited - 1, counts.visited),
        lambda counts: (counts.generated, counts.visited),
        lambda counts: (counts.evaluated, counts.visited),
    ),
    _formula(
        "branching-inverted",
        "The branching factor has its numerator and denominator swapped.",
        FACTOR,
        lambda counts: (counts.visited - counts.evaluated, counts.visited - 1),
    ),
    _formula(
        "branching-of-evaluated",
        "The branching factor is evaluated / (visited - evaluated).",
        FACTOR,
        lambda counts: (counts.evaluated, counts.visited - counts.evaluated),
    ),
    _formula(
        "branching-root-no-parent",
        "The branching factor is divided by one node too few.",
        f"The root has successors too. {FACTOR}",
        lambda counts: (counts.visited - 1, counts.visited - counts.evaluated - 1),
        lambda counts: (counts.visited, counts.visited - counts.evaluated - 1),
    ),
    _formula(
        "branching-one-parent-more",
        "The branching factor is divided by one node too many.",
        FACTOR,
        lambda counts: (counts.visited - 1, counts.visited - counts.evaluated + 1),
    ),
    _formula(
        "branching-two-less",
        "The branching factor is (visited - 2) / (visited - evaluated).",
        FACTOR,
        lambda counts: (counts.visited - 2, counts.visited - counts.evaluated),
    ),
    _formula(
        "branching-one-more",
        "The branching factor is (visited + 1) / (visited - evaluated).",
        FACTOR,
        lambda counts: (counts.visited + 1, counts.visited - counts.evaluated),
    ),
    _formula(
        "branching-of-sum",
        "The branching factor is divided by visited + evaluated.",
        FACTOR,
        lambda counts: (counts.visited - 1, counts.visited + counts.evaluated),
    ),
    _formula(
        "branching-per-depth",
        "The branching factor is divided by the depth.",
        FACTOR,
        lambda counts: (counts.visited, counts.depth),
        lambda counts: (counts.visited - 1, counts.depth),
    ),
    _formula(
        "branching-root-of-visited",
        "The branching factor is a root of the number of visited nodes.",
        FACTOR,
        _root_of_visited,
    ),
)
