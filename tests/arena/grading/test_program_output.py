"""Outputs of programs as they are kept."""

from hypothesis import given
from hypothesis import strategies as st

from arena.grading.program_output import MAX_KEPT_LINE, MAX_OUTPUT, kept_output
from core.take_stones.six_lines import LABELS, find_values

LINES = [f"{label}: {number}" for number, label in enumerate(LABELS)]
LONG = ["x" * 70] * 100
texts = st.text(max_size=MAX_KEPT_LINE)
outputs = st.lists(
    st.one_of(texts, st.sampled_from([*LINES, "move:7", "VALUE : 1.5"])), max_size=90
)


def test_a_short_output_is_kept() -> None:
    assert kept_output("a\nb") == "a\nb"
    assert kept_output("x" * MAX_OUTPUT) == "x" * MAX_OUTPUT


def test_the_six_lines_are_kept_wherever_they_are() -> None:
    for lines in ([*LINES, *LONG], [*LONG, *LINES], [*LONG, *LINES, *LONG]):
        kept = kept_output("\n".join(lines))
        assert find_values(kept) == find_values("\n".join(LINES))
        assert len(kept) == MAX_OUTPUT
        assert kept.endswith(lines[-1])
        assert kept.splitlines()[:6] == lines[:6]


def test_the_end_of_one_long_line_is_kept() -> None:
    kept = kept_output("Move: 5" + "x" * MAX_OUTPUT + "end")
    assert len(kept) == MAX_OUTPUT
    assert kept.endswith("xend")


@given(outputs)
def test_values_are_those_of_the_whole_output(lines: list[str]) -> None:
    output = "\n".join([*lines, *LONG, *lines])
    assert find_values(kept_output(output)) == find_values(output)
