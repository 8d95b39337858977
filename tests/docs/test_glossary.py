"""The glossary has each term once, in alphabetical order."""

import re
from pathlib import Path

TEXT = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text()
TERMS = re.findall(r"^\| (\S[^|]*?) \| ", TEXT, re.M)[1:]


def test_each_term_is_defined_once_and_in_order() -> None:
    assert 50 < len(TERMS) <= 90  # more are no help to a newcomer
    assert [term.lower() for term in TERMS] == sorted({term.lower() for term in TERMS})
