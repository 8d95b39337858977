"""A private copy of the project, for files that are changed and restored."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.mutants.process import run
from tools.mutants.sample import Mutant

RUN = ".venv/bin/python"
LINKED = (".venv", "build/web")  # what the tests only read


class Tree:
    """A copy of the files of a checkout that are in git or could be, and of the compiled modules.

    Attributes:
        root: The folder of the copy.
    """

    def __init__(self, checkout: Path, root: Path) -> None:
        """Copy a checkout; a copy that is there is replaced."""
        self.root = root
        if root.exists():
            shutil.rmtree(root)
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=checkout, check=True, capture_output=True, text=True)
        files = {checkout / name for name in listed.stdout.split("\0") if name}
        files |= {*(checkout / "core").rglob("*.so")}
        _copy((path for path in files if path.is_file()), checkout, root)  # not the deleted ones
        for name in LINKED:
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).symlink_to((checkout / name).resolve())

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """Change a file for a while."""
        path = self.root / mutant.path
        state = path.stat()
        original = path.read_bytes()
        path.write_text(mutant.text)
        self._forget(path)
        try:
            yield
        finally:
            path.write_bytes(original)
            os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
            self._forget(path)

    def _forget(self, path: Path) -> None:
        """Remove what was kept of runs: bytecode, and the failing examples of Hypothesis.

        A mutant may be as long as the original and of the same second, so that Python would not
        compile it again.
        """
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()
        shutil.rmtree(self.root / ".hypothesis", ignore_errors=True)


class CompiledTree(Tree):
    """A tree that compiles its modules again after a change.

    Args:
        limit: The seconds of a build.
    """

    def __init__(self, checkout: Path, root: Path, limit: float) -> None:
        """Copy a checkout, with the files between Cython and the compiled modules."""
        super().__init__(checkout, root)
        self._limit = limit
        _copy((path for path in (checkout / "build").glob(BUILT) if path.is_file()), checkout, root)
        if not self._build():
            raise RuntimeError("the compiled modules cannot be built")
        self._kept = root.with_name(f"{root.name}-compiled")
        shutil.rmtree(self._kept, ignore_errors=True)
        _copy(self._compiled(), root, self._kept)

    @contextmanager
    def mutated(self, mutant: Mutant) -> Iterator[None]:
        """Change a file for a while, and compile what depends on it.

        Raises:
            NotCompiled: If the mutant cannot be compiled.
        """
        with super().mutated(mutant):
            try:
                if not self._build():
                    raise NotCompiled
                yield
            finally:
                # Compiled again, the modules would cost as much time as the mutant.
                kept = (path for path in self._kept.rglob("*") if path.is_file())
                changed = (path for path in kept if self._is_changed(path))
                _copy(changed, self._kept, self.root)

    def _build(self) -> bool:
        command = [RUN, "setup.py", "--quiet", "build_ext", "--inplace"]
        return run(command, self.root, {}, self._limit).status == 0

    def _compiled(self) -> Iterator[Path]:
        yield from (self.root / "core").rglob("*.so")
        yield from (path for path in (self.root / "build").glob(BUILT) if path.is_file())

    def _is_changed(self, kept: Path) -> bool:
        path = self.root / kept.relative_to(self._kept)
        return not path.exists() or path.stat().st_mtime_ns != kept.stat().st_mtime_ns


class NotCompiled(Exception):
    """A mutant that is no program."""


BUILT = "[ct]*/**/*.[co]"  # in build/cython and build/temp.*


def _copy(paths: Iterable[Path], source: Path, target: Path) -> None:
    """Copy files from one folder to another with their times."""
    for path in sorted(paths):
        copied = target / path.relative_to(source)
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copied)
