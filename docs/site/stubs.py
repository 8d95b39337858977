"""Compiled modules with types: they have the docstrings, and their stubs the signatures."""

import __future__

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

ROOT = Path(__file__).parents[2]


def show_stubs(package: str) -> None:
    """Replace, in the modules of a package, what is compiled by its stubs, with its docstrings.

    The modules cannot compute any more; autodoc only looks at them.
    """
    files = sorted((ROOT / package).rglob("*.pyi"))
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    # All before the first is replaced: a compiled module checks the types that it imports.
    modules = [import_module(name) for name in names]
    for file, compiled in zip(files, modules, strict=True):
        for name, value in _defined(_executed(file, compiled.__name__)):
            original = getattr(compiled, name)
            _copy_docstrings(original, value)
            _replace(package, original, value)


def _executed(stub: Path, name: str) -> ModuleType:
    """Return a stub as a module. Its annotations remain text, as they may name what follows."""
    module = ModuleType(name)
    flags = __future__.annotations.compiler_flag
    exec(compile(stub.read_text(), stub, "exec", flags), vars(module))
    return module


def _defined(owner: ModuleType | type) -> Iterator[tuple[str, object]]:
    """Yield the functions, classes and properties that a module or class defines itself."""
    module = owner.__name__ if isinstance(owner, ModuleType) else owner.__module__
    for name, value in [*vars(owner).items()]:
        is_own = getattr(value, "__module__", module) == module
        if is_own and isinstance(value, type | FunctionType | property | staticmethod):
            yield name, value


def _copy_docstrings(original: object, value: object) -> None:
    value.__doc__ = original.__doc__
    if isinstance(value, type):
        for name, member in _defined(value):
            _copy_docstrings(getattr(original, name), member)


def _replace(package: str, original: object, value: object) -> None:
    for module in [*sys.modules.values()]:
        if getattr(module, "__name__", "").split(".")[0] == package:
            names = [name for name, each in vars(module).items() if each is original]
            vars(module).update(dict.fromkeys(names, value))
