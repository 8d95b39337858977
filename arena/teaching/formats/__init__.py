"""The formats of a searched tree, each in a module with `render(run, title)`."""

from importlib import import_module

from arena.teaching.compared_run import Run

FORMATS = ("text", "json", "dot", "svg", "tex")


def render(name: str, run: Run, title: str) -> str:
    """Return a searched tree in a format of FORMATS, which is loaded only now."""
    return str(import_module(f"arena.teaching.formats.{name}").render(run, title))
