"""The smallest pieces of the notation of matches: numbers, times, quoted texts, tokens. Pure."""

import math
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal

YEAR_10000 = 253402300800  # where ISO 8601 ends, as Unix time
ISO = re.compile(r"((?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z", re.ASCII)
SECONDS = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?", re.ASCII)

# Quotes and backslashes as in PGN; what could end a line somewhere, or hide, as in JSON.
SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029]')
ESCAPE = re.compile(r"\\(u(?!d[89a-f])[0-9a-f]{4}|.)", re.IGNORECASE)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}"]|[^\s\[\]{}"]+')


def whole(text: str) -> int:
    """A whole number in decimal digits. Raises ValueError."""
    if not re.fullmatch(r"-?\d+", text, re.ASCII):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def seconds(text: str) -> float:
    """A finite number of seconds. Raises ValueError."""
    if not SECONDS.fullmatch(text) or not math.isfinite(float(text)):
        raise ValueError(f"{text!r} is not a number of seconds")
    return float(text)


def time_text(time: float) -> str:
    """Unix time as ISO 8601 in UTC, with as many digits as bring the same number back.

    Outside of the years 1970 to 9999 it is the number itself.
    """
    if not 0 <= time < YEAR_10000:
        return repr(time)
    digits, _, fraction = f"{Decimal(repr(time)):f}".partition(".")
    stamp = f"{datetime.fromtimestamp(int(digits), UTC):%Y-%m-%dT%H:%M:%S}"
    fraction = fraction.rstrip("0")
    return f"{stamp}.{fraction}Z" if fraction else f"{stamp}Z"


def time_of(text: str) -> float:
    """The Unix time that `time_text` wrote. Raises ValueError."""
    found = ISO.fullmatch(text)
    if not found:
        return seconds(text)
    at_second = datetime.fromisoformat(f"{found[1]}+00:00").timestamp()
    return float(f"{at_second:.0f}{found[2] or ''}")


def quoted(text: str) -> str:
    """A text in quotes, on one line whatever is in it."""
    return f'"{SPECIAL.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return f"\\{found[0]}" if found[0] in '\\"' else f"\\u{ord(found[0]):04x}"


def unquoted(token: str) -> str:
    """The text in a token with quotes around it. Raises ValueError."""
    if token == '"' or not token.startswith('"'):
        raise ValueError(f"a text in quotes is due, on one line, not {token!r}")
    return ESCAPE.sub(_unescape, token[1:-1])


def _unescape(found: re.Match[str]) -> str:
    if found[1] in '\\"':
        return found[1]
    if len(found[1]) == 1:
        raise ValueError(f'{found[0]} is no escape, which are \\\\, \\" and \\u with four digits')
    return chr(int(found[1][1:], 16))


class Tokens:
    """The tokens of lines one by one: brackets, braces, quoted texts, and words between spaces.

    `ahead` is the one to come, empty at the end, and `line` the number of the line, from 1, of the
    one that was taken last. Lines that begin with % are passed over.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._rest = _split(lines)
        self.line = 1
        self._line_ahead, self.ahead = next(self._rest, (1, ""))

    def take(self) -> str:
        """The next token. Raises ValueError at the end."""
        token, self.line = self.ahead, self._line_ahead
        if not token:
            raise ValueError("the text ends within a match")
        self._line_ahead, self.ahead = next(self._rest, (self.line, ""))
        return token

    def expect(self, due: str) -> None:
        """Take a token that must be this one. Raises ValueError."""
        if (token := self.take()) != due:
            raise ValueError(f"{due} is due, not {token!r}")

    def expect_prefix(self, due: str) -> None:
        """Take a token that must be this one, or begin with it: then the rest is the next.

        But a point behind it makes another token of it. Raises ValueError.
        """
        rest = self.ahead.removeprefix(due)
        if rest and rest != self.ahead and rest[0] != ".":
            self.line, self.ahead = self._line_ahead, rest
        else:
            self.expect(due)


def _split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if not line.startswith("%"):
            for token in TOKEN.findall(line):
                yield number, token
