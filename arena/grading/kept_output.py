"""Output of a program as it is kept: whatever else it prints, what counts is not lost. Pure."""

from core.take_stones.six_lines import LABELS, find_value

MAX_OUTPUT = 4096  # characters that are kept
MAX_KEPT_LINE = 200  # characters of a line of a longer output
OMISSION = "..."


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
