"""Runs of many small programs on many cases: one process a program, or one for each case in C."""

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SECONDS = 2  # of a program in one case
RUNNERS = Path(__file__).parent / "runners"
Arguments = Sequence[Sequence[str]]


def run_all(files: Sequence[Path], cases: Arguments, jobs: int) -> list[list[str]]:
    """Return the output of each program in each case, "" where it failed or took too long.

    Args:
        files: The programs, each in a folder of its own.
        cases: The arguments of each case.
        jobs: The number of programs that run at the same time.
    """
    java = [file for file in files if file.suffix == ".java"]
    if java:
        _compile_java(java)
    with ThreadPoolExecutor(jobs) as pool:
        return [*pool.map(lambda file: _run(file, cases), files)]


def _compile_java(files: Sequence[Path]) -> None:
    """Compile programs in Java, all by one process; some may fail."""
    runner = [str(RUNNERS / "Runner.java")]
    output = str(files[0].parents[1] / "java")
    subprocess.run(["javac", "-d", output, *runner], check=True, capture_output=True)
    compiled = ["java", "-cp", output, "Runner", "compile", *map(str, files)]
    subprocess.run(compiled, check=True, capture_output=True)


def _run(file: Path, cases: Arguments) -> list[str]:
    if file.suffix == ".c":
        return _run_c(file, cases)
    words = {
        ".py": [sys.executable, RUNNERS / "run.py", file],
        ".js": ["node", RUNNERS / "run.js", file],
        ".java": ["java", "-cp", file.parents[1] / "java", "Runner", "run", file.parent],
    }[file.suffix]
    text = json.dumps({"cases": cases, "seconds": SECONDS})
    if file.suffix == ".java":
        text = "".join(f"{' '.join(arguments)}\n" for arguments in cases)
    ended = subprocess.run([*map(str, words)], input=text, capture_output=True, text=True)
    outputs = ended.stdout.split("\0")[:-1]
    return outputs + [""] * (len(cases) - len(outputs))


def _run_c(file: Path, cases: Arguments) -> list[str]:
    program = file.with_suffix("")
    built = subprocess.run(["cc", "-O1", "-o", program, file, "-lm"], capture_output=True)
    return ["" if built.returncode else _output([str(program), *words]) for words in cases]


def _output(words: Sequence[str]) -> str:
    try:
        ended = subprocess.run(words, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return ""
    return "" if ended.returncode else ended.stdout.decode(errors="replace")
