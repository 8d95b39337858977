"""Information in a program's answer."""

from arena.model.results import MAX_VARIATION, NOTHING, Info
from bots.line_info import read_info
from tests.support.cases import loop_over


@loop_over(
    "text, info",
    ("", NOTHING),
    ("depth=6 eval=-1.5 nodes=1234 pv=8,4", Info(-1.5, 6, 1234, (8, 4))),
    ("  pv=8\tdepth=6", Info(depth=6, pv=(8,))),
    ("score=7 depth=6", Info(depth=6)),
    ("depth=5 depth=6", Info(depth=6)),
)
def test_known_words_are_read(text: str, info: Info) -> None:
    assert read_info(text) == (info, "")


@loop_over("word", ["depth=x", "depth=", "eval=inf", "nodes=-1", "pv=8,,4", "pv="])
def test_an_invalid_word_costs_no_other(word: str) -> None:
    info = Info(0.5, 3, 7, (1,))
    found, invalid = read_info(f"eval=0.5 depth=3 nodes=7 pv=1 {word}")
    assert (found, invalid) == (info, word)


def test_a_long_variation_is_cut_off() -> None:
    info, invalid = read_info("pv=" + ",".join(["1"] * (MAX_VARIATION + 1)))
    assert (len(info.pv), invalid) == (MAX_VARIATION, "")
