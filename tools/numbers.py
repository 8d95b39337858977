"""Numbers of the source, to compare its states: `python -m tools.numbers`. CI prints them."""

import argparse
import ast
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import median

import grimp
import networkx as nx

from arena.cli.parser import parser
from core.cli import main

ROOT = Path(__file__).parents[1]
PRODUCT = ("arena", "core", "bots")
SOURCES = {".css", ".html", ".js", ".pxd", ".pxi", ".py", ".pyi", ".pyx"}
SMALL, LARGE = 25, 600  # code lines of a module, below and above which it needs a reason
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def code_lines(text: str) -> int:
    """Return the number of lines of a module without blank ones, comments and docstrings."""
    described: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            described.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in described
        for number, line in lines
    )


def source_lines(folder: str) -> int:
    """Return the number of lines of all kinds of sources in a folder, without its data."""
    files = (path for path in (ROOT / folder).rglob("*.*") if path.suffix in SOURCES)
    return sum(
        len(path.read_text().splitlines())
        for path in files
        if ROOT / "tests/data" not in path.parents
    )


@cache
def _modules() -> grimp.ImportGraph:
    return grimp.build_graph("arena", exclude_type_checking_imports=True)


def imports(depth: int) -> "nx.DiGraph[str]":
    """Return the graph of imports within arena, of its parts with names of `depth` words."""
    graph = _modules()
    parts: nx.DiGraph[str] = nx.DiGraph()
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            names = [".".join(name.split(".")[:depth]) for name in (module, imported)]
            if names[0] != names[1]:
                parts.add_edge(*names)
    return parts


def circles(graph: "nx.DiGraph[str]") -> int:
    """Return the number of groups of nodes that reach each other."""
    return sum(len(group) > 1 for group in nx.strongly_connected_components(graph))


def flags() -> dict[str, int]:
    """Return the number of documented flags of each command."""
    [commands] = (action.choices for action in parser()._actions if action.dest == "command")
    assert isinstance(commands, dict)
    return {name: len({*_flags(command)}) for name, command in commands.items()}


def _flags(command: argparse.ArgumentParser) -> Iterator[str]:
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from chain.from_iterable(map(_flags, action.choices.values()))
        elif action.option_strings and action.help != argparse.SUPPRESS and action.dest != "help":
            yield action.option_strings[-1]


def rows() -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each number."""
    paths = [*(ROOT / "arena").rglob("*.py")]
    lines = [code_lines(path.read_text()) for path in paths if path.name != "__init__.py"]
    packages = imports(depth=2)
    yield "packages of arena, with those in them", sum(path.name == "__init__.py" for path in paths)
    yield "modules", len(lines)
    yield "code lines", sum(lines)
    yield "code lines of a module, median", f"{median(lines):g}"
    yield f"modules of less than {SMALL}", f"{sum(n < SMALL for n in lines) / len(lines):.1%}"
    yield f"modules of more than {LARGE}", f"{sum(n > LARGE for n in lines) / len(lines):.1%}"
    yield "arrows between packages", packages.number_of_edges()
    yield "circles of packages", circles(packages)
    yield "circles of modules", circles(imports(depth=9))
    product = sum(map(source_lines, PRODUCT))
    tests = source_lines("tests")
    yield "lines of arena, core and bots", product
    yield "lines of tests", tests
    yield "lines of tests for each of the product", f"{tests / product:.2f}"
    for command, count in flags().items():
        yield f"flags of arena {command}", count


def text() -> str:
    """Return the numbers, one in a line."""
    return "".join(f"{name:<40} {value:>8}\n" for name, value in rows())


if __name__ == "__main__":
    main("tools.numbers", lambda _: text())
