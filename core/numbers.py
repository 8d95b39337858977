"""Numbers as people write them in arguments and files.

`int` and `float` also take 1_000, +5, surrounding spaces, digits of other scripts, inf and nan.
"""

import re
from math import isfinite

INTEGER = re.compile(r"-?[0-9]+")
NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def parse_integer(text: str) -> int:
    """Return an integer from its decimal digits.

    Raises:
        ValueError: The text is anything else.
    """
    if not INTEGER.fullmatch(text):
        raise ValueError(f"expected an integer, got {text!r}")
    return int(text)


def parse_number(text: str) -> float:
    """Return a number from its decimal digits, such as 5, 0.5, .5 or 5e-1.

    Raises:
        ValueError: The text is anything else, or the number is too large.
    """
    if not NUMBER.fullmatch(text) or not isfinite(number := float(text)):
        raise ValueError(f"expected a number, got {text!r}")
    return number
