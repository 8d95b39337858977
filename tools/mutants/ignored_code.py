"""Parts of Python files where a change is no error: annotations and other code for type checkers.

Docstrings and `__all__` need no rule, as no operator changes texts.
"""

import ast
from collections.abc import Iterator

from tools.mutants.sample import Place

Span = tuple[Place, Place]

TYPING_DECORATORS = {"final", "overload", "override", "runtime_checkable"}
TYPING_CALLS = {"NewType", "TypeVar", "cast"}


def ignored_spans(source: str) -> list[Span]:
    """Return the starts and ends of the code that only type checkers read."""
    lines = source.splitlines()
    return [
        (_place(lines, node.lineno, node.col_offset), _place(lines, *_end(node)))
        for node in _ignored(ast.parse(source))
    ]


def _end(node: ast.expr | ast.stmt) -> Place:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _place(lines: list[str], line: int, octets: int) -> Place:
    """Return a place in characters; the parser of Python counts octets of UTF-8."""
    return line, len(lines[line - 1].encode()[:octets].decode())


def _ignored(tree: ast.Module) -> Iterator[ast.expr | ast.stmt]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as found) | ast.AnnAssign(annotation=found):
                yield found
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from (
                    each for each in node.decorator_list if _name(each) in TYPING_DECORATORS
                )
                if not isinstance(node, ast.ClassDef) and node.returns:
                    yield node.returns
            case ast.If(test=test) if _name(test) == "TYPE_CHECKING":
                yield node
            case ast.Call(func=function) if _name(function) in TYPING_CALLS:
                yield node
            case ast.Assign(value=value) if _is_type(value):
                yield value


def _name(node: ast.expr) -> str:
    """Return the name of a variable, or of an attribute without its object."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_type(node: ast.expr) -> bool:
    """Return whether a value reads as the alias of a union of types."""
    match node:
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return _is_operand(left) and _is_operand(right)
        case ast.Subscript(value=value, slice=content):
            return _is_operand(value) and any(
                _is_type(each) for each in ast.walk(content) if isinstance(each, ast.expr)
            )
    return False


def _is_operand(node: ast.expr) -> bool:
    """Return whether a value can be an operand of a union: types are capitalised or built in."""
    match node:
        case ast.Constant(value=value):
            return value is None
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return (name[0].isupper() and not name.isupper()) or name in BUILT_IN_TYPES
        case ast.Subscript(value=value):
            return _is_operand(value)
    return _is_type(node)


BUILT_IN_TYPES = {
    *("bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"),
}
