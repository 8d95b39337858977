"""Mutants of the Python modules, by the operators of Cosmic Ray."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tools.mutants.ignored_code import ignored_spans
from tools.mutants.sample import Change, Place, Site

PACKAGES = ("arena", "bots", "core")
# Where `is` replaces `==`, linters see a difference, but seldom a program.
IDENTITY = re.compile(r"_(Eq_Is|Is_Eq|NotEq_IsNot|IsNot_NotEq)$")
# The node types of the operators that are many: without them each is asked about each node.
NODE_TYPES = {"Binary": {"operator"}, "Comparison": {"comparison"}}


class Python:
    """The sites of Python modules."""

    def __init__(self) -> None:
        from cosmic_ray import plugins

        self._operators = {
            name.removeprefix("core/"): operator()
            for name in sorted(plugins.operator_names())
            if not IDENTITY.search(name)
            for operator in [plugins.get_operator(name)]
            if not operator.arguments()  # they need the names of variables
        }

    def sites(self, root: Path) -> Iterator[Site]:
        """Yield the sites of all modules."""
        for package in PACKAGES:
            for path in sorted((root / package).rglob("*.py")):
                yield from self.sites_in(path.relative_to(root).as_posix(), path.read_text())

    def sites_in(self, path: str, source: str) -> Iterator[Site]:
        """Yield the sites of a module."""
        from cosmic_ray.ast import ast_nodes, get_ast

        nodes = list(ast_nodes(get_ast(source)))
        changes: dict[tuple[Place, Place], list[Change]] = defaultdict(list)
        for name, operator in self._operators.items():
            types = next((NODE_TYPES[kind] for kind in NODE_TYPES if kind in name), None)
            places = (
                (tuple(start), tuple(end))
                for node in nodes
                if types is None or node.type in types
                for start, end in operator.mutation_positions(node)
            )
            for occurrence, place in enumerate(places):
                changes[place].append(Change(name, occurrence))
        ignored = ignored_spans(source)
        for (start, end), found in changes.items():
            if not any(first <= start and end <= last for first, last in ignored):
                yield Site(path, start, end, tuple(found))

    def apply(self, source: str, site: Site, change: Change) -> str | None:
        """Return the text of a module with a change, None if it cannot be compiled."""
        from cosmic_ray.mutating import mutate_code

        text: str | None = mutate_code(source, self._operators[change.operator], change.detail)
        try:
            compile(text or "", site.path, "exec", dont_inherit=True)
        except SyntaxError:
            return None
        return text
