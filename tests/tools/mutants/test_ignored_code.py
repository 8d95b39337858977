"""Parts of Python files that are not changed."""

from tests.support.cases import loop_over
from tools.mutants.ignored_code import ignored_spans


def ignored(source: str) -> list[str]:
    """Return the ignored parts of a source of one or more lines."""
    lines = source.splitlines()
    return sorted(
        "\n".join(lines[first[0] - 1 : last[0]])[first[1] :][: last[1] - first[1]]
        if first[0] == last[0]
        else "\n".join(lines[first[0] - 1 : last[0]])
        for first, last in ignored_spans(source)
    )


@loop_over(
    "source, found",
    ("def f(a: int | None = 1 | 2) -> str | None: ...", ["int | None", "str | None"]),
    ("x: Final[int | None] = 1 + 2", ["Final[int | None]"]),
    ("async def f(*a: A | B, **k: C | D): ...", ["A | B", "C | D"]),
    ("y = 'ä'; x: A | B = 2", ["A | B"]),
    ("Event = Start | Move | None", ["Start | Move | None"]),
    ("Found = dict[str, int | None]", ["dict[str, int | None]"]),
    ("x = cast(A | B, y)", ["cast(A | B, y)"]),
    ("flags = READ | WRITE", []),
    ("both = one | other", []),
    ("rows = table[1 | 2]", []),
)
def test_types_are_ignored_and_values_are_not(source: str, found: list[str]) -> None:
    assert ignored(source) == found


def test_imports_and_decorators_for_type_checkers_are_ignored() -> None:
    source = "if TYPE_CHECKING:\n    import os\nif True:\n    import re\n"
    assert ignored(source) == ["if TYPE_CHECKING:\n    import os"]
    source = "@overload\n@cache\ndef f(): ...\n@typing.final\nclass A: ...\n"
    assert ignored(source) == ["overload", "typing.final"]
