"""Reference programs in C and C++: compile and run them."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent
COMPILERS = {".c": ("C", "CC", "gcc"), ".cpp": ("C++", "CXX", "g++")}


class CompilerError(Exception):
    """A missing or failing compiler."""


class MismatchError(Exception):
    """A result that differs from the reference."""


def compiler(ending: str) -> list[str]:
    """Return the compiler for a file suffix: $CC or $CXX, else GCC. Raises CompilerError."""
    language, variable, usual = COMPILERS[ending]
    command = shlex.split(os.environ.get(variable, "")) or [usual]
    if shutil.which(command[0]) is None:
        raise CompilerError(
            f"no {language} compiler: {command[0]} is not installed; "
            f"install {usual} or set {variable}"
        )
    return command


def compile_program(program: Path, source: str, *options: str) -> None:
    """Compile a source file of this folder into `program`. Raises CompilerError."""
    file = FOLDER / source
    command = [*compiler(file.suffix), "-O3", *options, str(file), "-o", str(program)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        lines = result.stderr.splitlines() or [f"exit status {result.returncode}"]
        raise CompilerError(f"{command[0]} cannot compile {source}: {lines[0]}")


def output(program: Path | str, *arguments: object) -> list[str]:
    """Run a program and return the words that it prints."""
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
