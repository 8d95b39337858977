"""Text from outside that is safe on a terminal: every character is shown."""


def visible(text: str) -> str:
    r"""Return a text on one line, in which characters that are not printable are escapes.

    Line ends, control characters and changes of the direction of text are not printable.
    Each becomes what it is in Python, such as `\n` or `\x1b`.
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _escape(letter) for letter in text)


def visible_lines(text: str) -> str:
    """Return a text of several visible lines."""
    return "\n".join(map(visible, text.split("\n")))


def visible_output(text: str) -> str:
    """Return the output of a program, in which line ends and tabs are kept as what they show."""
    return visible_lines(text.replace("\r\n", "\n").expandtabs())


def printable(text: str) -> str:
    """Return a text in which each character that is not printable is a question mark."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
