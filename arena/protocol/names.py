"""Rules for the names of players, by which two names that look alike are the same name. Pure."""

import unicodedata
from typing import Annotated

from msgspec import Meta

MAX_LENGTH = 64
# Characters of a spelling that is normalised: time grows with the square of its combining marks.
MAX_SPELLING = 2 * MAX_LENGTH
Name = Annotated[str, Meta(min_length=1, max_length=MAX_LENGTH)]

# Characters that are shown as nothing: those with the property Default_Ignorable_Code_Point of
# Unicode that Python calls printable, and the blank pattern of Braille.
VARIATION_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
INVISIBLE = VARIATION_SELECTORS.union(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
JOINER = "\u200d"
LEFT_OUT = VARIATION_SELECTORS | {JOINER}  # of the closest spelling


def check_characters(name: str) -> None:
    """Check that a name can be shown in one line.

    Control characters, those that change the direction of text, and all spaces but the usual one
    are not printable.

    Raises:
        ValueError: The name has a character that is not printable, or a space at an end.
    """
    if not name.isprintable() or name != name.strip():
        raise ValueError("expected printable characters without surrounding spaces")


def closest_name(name: str) -> str:
    """Return the spelling of a name that `check_name` accepts, if it accepts any.

    An emoji of several parts becomes these parts, as where it is not joined. A name that is much
    too long stays as it is.
    """
    shown = "".join(character for character in name if character not in LEFT_OUT)
    if len(shown) > MAX_SPELLING:
        return name
    return unicodedata.normalize("NFKC", shown).strip()


def name_problem(name: str) -> str | None:
    """Return why a new player cannot use a name, in words; None if it can."""
    try:
        _check_length(name)
        check_name(name)
    except ValueError as error:
        return str(error)
    return None


def check_stored_name(name: str) -> None:
    """Check a name that may be older than the rules of `check_name`.

    Raises:
        ValueError: No arena has ever admitted a bot of this name.
    """
    _check_length(name)
    check_characters(name)


def _check_length(name: str) -> None:
    if not 0 < len(name) <= MAX_LENGTH:
        raise ValueError(f"expected 1 to {MAX_LENGTH} characters, got {len(name)}")


def check_name(name: str) -> None:
    """Check that a name can be shown, and has only one spelling.

    The normal form NFKC unites characters that look alike or equal: letters with separate accents,
    full-width and half-width ones, ligatures (Unicode Standard Annex 15).

    Raises:
        ValueError: The name breaks a rule; the message says which, and the normal form.
    """
    if JOINER in name:
        raise ValueError(
            "the name has a joiner (U+200D), as an emoji of several parts: leave it out"
        )
    check_characters(name)
    if invisible := INVISIBLE.intersection(name):
        raise ValueError(f"the name has an invisible character, U+{ord(min(invisible)):04X}")
    normal = unicodedata.normalize("NFKC", name)
    if name != normal:
        raise ValueError(f"the name {name!a} is not in the normal form NFKC: use {normal!r}")
    for before, character in zip(f" {name}", name, strict=False):
        if before == " " and unicodedata.category(character).startswith("M"):
            raise ValueError(f"the combining mark U+{ord(character):04X} follows no letter")
