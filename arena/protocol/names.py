"""Rules for the names of players, by which two names that look alike are the same name. Pure."""

import unicodedata
from typing import Annotated

from msgspec import Meta

Name = Annotated[str, Meta(min_length=1, max_length=64)]

# Characters that are shown as nothing: those with the property Default_Ignorable_Code_Point of
# Unicode that Python calls printable, and the blank pattern of Braille.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))  # variation selectors
)


def check_characters(name: str) -> None:
    """Check that a name can be shown in one line.

    Control characters, those that change the direction of text, and all spaces but the usual one
    are not printable.

    Raises:
        ValueError: The name has a character that is not printable, or a space at an end.
    """
    if not name.isprintable() or name != name.strip():
        raise ValueError("expected printable characters without surrounding spaces")


def check_name(name: str) -> None:
    """Check that a name can be shown, and has only one spelling.

    The normal form NFKC unites characters that look alike or equal: letters with separate accents,
    full-width and half-width ones, ligatures (Unicode Standard Annex 15).

    Raises:
        ValueError: The name breaks a rule; the message says which, and the normal form.
    """
    check_characters(name)
    if invisible := INVISIBLE.intersection(name):
        raise ValueError(f"the name has an invisible character, U+{ord(min(invisible)):04X}")
    normal = unicodedata.normalize("NFKC", name)
    if name != normal:
        raise ValueError(f"the name {name!a} is not in the normal form NFKC: use {normal!r}")
    for before, character in zip(f" {name}", name, strict=False):
        if before == " " and unicodedata.category(character).startswith("M"):
            raise ValueError(f"the combining mark U+{ord(character):04X} follows no letter")
