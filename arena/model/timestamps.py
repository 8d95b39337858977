"""Timestamps as text: Unix time to ISO 8601 in UTC and back, without loss of precision."""

import math
import re
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache

YEAR_10000 = 253402300800  # Unix time at which ISO 8601 needs a fifth digit for the year
ISO = re.compile(r"((?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z", re.ASCII)
SECONDS = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?", re.ASCII)


def parse_seconds(text: str) -> float:
    """Return a finite number of seconds.

    Raises:
        ValueError: The text is not a decimal number, or the number is not finite.
    """
    if not SECONDS.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError(f"expected a number of seconds, got {text!r}")
    return float(text)


def format_timestamp(time: float) -> str:
    """Return Unix time as ISO 8601 in UTC, with all digits that `parse_timestamp` needs.

    A time before 1970 or after 9999 is formatted as a plain number of seconds.
    """
    if not 0 <= time < YEAR_10000:
        return repr(time)
    text = repr(time)
    digits, _, fraction = (f"{Decimal(text):f}" if "e" in text else text).partition(".")
    fraction = fraction.rstrip("0")
    timestamp = _format_second(int(digits))
    return f"{timestamp}.{fraction}Z" if fraction else f"{timestamp}Z"


@lru_cache(maxsize=1000)  # matches that follow one another share their second
def _format_second(time: int) -> str:
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%dT%H:%M:%S}"


def parse_timestamp(text: str) -> float:
    """Return the Unix time that `format_timestamp` formatted.

    Raises:
        ValueError: The text is neither an ISO 8601 timestamp in UTC nor a number of seconds.
    """
    found = ISO.fullmatch(text)
    if not found:
        return parse_seconds(text)
    whole_seconds = datetime.fromisoformat(f"{found[1]}+00:00").timestamp()
    return float(f"{whole_seconds:.0f}{found[2] or ''}")
