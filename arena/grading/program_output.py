"""Output of a program: as it is kept, and what it says about the program's crash. Pure."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from core.take_stones.six_lines import LABELS, find_value

MAX_OUTPUT = 4096  # characters that are kept
MAX_KEPT_LINE = 200  # characters of a line of a longer output
OMISSION = "..."
FRAME = re.compile(r"\s+at (?:[\w.@-]*/)*([\w.$]+)\.[\w$<>]+\((?:([^:()]+):(\d+)|[^()]*)\)")
LIBRARY = re.compile(r"(?:java|javax|jdk|sun|com\.sun)\.")
HEADLINE = re.compile(r'(?:Exception in thread "[^"]*" |Caused by: )?(.*)')
PYTHON_FRAME = re.compile(r'\s*File "([^"]+)", line (\d+)')
PYTHON_LIBRARY = re.compile(r"<|.*/lib/python")
READER = "java.util.Scanner"  # which says no more if there is no input
MAX_TEXT = 200  # characters of an exception


def kept_output(output: str) -> str:
    """Return an output of at most MAX_OUTPUT characters with the same values of the six lines.

    Of a longer one these are its first six lines, which count if the lines must match exactly, the
    last line with each label, and the end. A line with a label that is cut has a wrong value.
    """
    if len(output) <= MAX_OUTPUT:
        return output
    lines = output.splitlines()
    labelled = {label: number for number, line in enumerate(lines) for label in find_value(line)}
    counted = [lines[number][:MAX_KEPT_LINE] for number in sorted(labelled.values())]
    first = [line[:MAX_KEPT_LINE] for line in lines[: len(LABELS)]]
    start = "\n".join([*first, OMISSION, *counted, OMISSION])
    return start + output[len(start) - MAX_OUTPUT :]


class _Trace(NamedTuple):
    """Trace of a Java machine: its first line, the classes of its frames, and the own places."""

    headline: str
    classes: list[str]
    places: list[str]


def describe_crash(errors: str) -> str:
    """Return why a program has crashed, in one line; empty if it has written nothing.

    Args:
        errors: The end of its standard error.
    """
    lines = errors.rstrip().splitlines()
    traces = [*_java_traces(lines)]
    if traces:
        last = traces[-1]  # the cause of the others
        places = [place for trace in reversed(traces) for place in trace.places]
        reader = f" in {READER}" * (READER in last.classes)
        return last.headline[:MAX_TEXT] + reader + _at(places)
    found = (PYTHON_FRAME.match(line) for line in reversed(lines))
    frames = [frame for frame in found if frame and not PYTHON_LIBRARY.match(frame[1])]
    text = lines[-1].strip()[:MAX_TEXT] if lines else ""
    return text + _at([f"{PurePath(frame[1]).name}:{frame[2]}" for frame in frames])


def _at(places: Sequence[str]) -> str:
    return f" at {places[0]}" if places else ""


def _java_traces(lines: Sequence[str]) -> Iterator[_Trace]:
    """Yield the traces in the output of a Java machine."""
    trace: _Trace | None = None
    for before, line in zip(["", *lines], lines, strict=False):
        frame = FRAME.match(line)
        if not frame:
            if trace and not line.startswith("\t"):
                yield trace
                trace = None
            continue
        name, file, number = frame.groups()
        if not trace:
            headline = HEADLINE.fullmatch(before.strip())
            trace = _Trace(headline[1] if headline else "", [], [])
        trace.classes.append(name)
        if file and not LIBRARY.match(name):
            trace.places.append(f"{file}:{number}")
    if trace:
        yield trace
