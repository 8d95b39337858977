"""Lexer of the PGN-like format: integers, quoted texts and tokens. Pure."""

import re
from collections.abc import Iterable, Iterator

# Quotes and backslashes as in PGN; line ends and control characters as in JSON.
SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029]')
ESCAPE = re.compile(r"\\(u(?!d[89a-f])[0-9a-f]{4}|.)", re.IGNORECASE)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}"]|[^\s\[\]{}"]+')


def parse_integer(text: str) -> int:
    """Return an integer from its decimal digits.

    Raises:
        ValueError: If the text is anything else.
    """
    if not re.fullmatch(r"-?\d+", text, re.ASCII):
        raise ValueError(f"expected an integer, got {text!r}")
    return int(text)


def quote(text: str) -> str:
    """Return a text in quotes, escaped so that it stays on one line."""
    return f'"{SPECIAL.sub(_escape, text)}"'


def _escape(found: re.Match[str]) -> str:
    return f"\\{found[0]}" if found[0] in '\\"' else f"\\u{ord(found[0]):04x}"


def unquote(token: str) -> str:
    """Return the text of a token in quotes.

    Raises:
        ValueError: If the token has no quotes around it, or contains an invalid escape.
    """
    if token == '"' or not token.startswith('"'):
        raise ValueError(f"expected a quoted text on one line, got {token!r}")
    return ESCAPE.sub(_unescape, token[1:-1])


def _unescape(found: re.Match[str]) -> str:
    if found[1] in '\\"':
        return found[1]
    if len(found[1]) == 1:
        raise ValueError(f'invalid escape {found[0]} (choose from \\\\, \\" and \\uXXXX)')
    return chr(int(found[1][1:], 16))


class TokenStream:
    """Tokens of a text: brackets, braces, quoted texts, and words between spaces.

    Lines that begin with % are ignored.

    Args:
        lines: The lines of the text.

    Attributes:
        next_token: The token that `take` returns next; empty at the end.
        line: The number of the line, from 1, of the token that was taken last.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._rest = _split(lines)
        self.line = 1
        self._next_line, self.next_token = next(self._rest, (1, ""))

    def take(self) -> str:
        """Return the next token and move on.

        Raises:
            ValueError: At the end of the text.
        """
        token, self.line = self.next_token, self._next_line
        if not token:
            raise ValueError("unexpected end of the text within a match")
        self._next_line, self.next_token = next(self._rest, (self.line, ""))
        return token

    def expect(self, expected: str) -> None:
        """Take a token that must be `expected`.

        Raises:
            ValueError: If it is another one.
        """
        if (token := self.take()) != expected:
            raise ValueError(f"expected {expected}, got {token!r}")

    def expect_prefix(self, expected: str) -> None:
        """Take `expected` from the start of a token; a rest becomes the next token.

        A rest that begins with a point belongs to a different prefix.

        Raises:
            ValueError: If the token does not begin with `expected`.
        """
        rest = self.next_token.removeprefix(expected)
        if rest and rest != self.next_token and rest[0] != ".":
            self.line, self.next_token = self._next_line, rest
        else:
            self.expect(expected)


def _split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, 1):
        if not line.startswith("%"):
            for token in TOKEN.findall(line):
                yield number, token
