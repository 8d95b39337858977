"""Further tags of records, such as Event: their rules and their order. Pure."""

import re
import unicodedata
from collections.abc import Iterator, Mapping

ROSTER = ("Event", "Site", "Round")  # the first tags of a record, as in PGN
RECORD_TAGS = (
    *("Game", "Setup", "Number", "Id", "Player1", "Player2", "Result", "Termination", "Reason"),
    *("TimeControl", "Started", "Finished", "Opening", "Casual"),
)
"""Names of the tags that hold the other fields of a record."""

MAX_TAGS = 32  # of a record
MAX_NAME = 64  # characters
MAX_VALUE = 1000  # characters
NAME = re.compile(r"[A-Za-z0-9_]+")
FORBIDDEN = {"Cc", "Cs", "Zl", "Zp"}  # control characters, surrogates, separators of lines


def ordered_tags(tags: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield names and values in the order of exported records: the roster, then by name."""
    yield from ((name, tags[name]) for name in ROSTER if name in tags)
    yield from ((name, tags[name]) for name in sorted(tags) if name not in ROSTER)


def check_tags(tags: Mapping[str, str]) -> None:
    """Check the tags of a record.

    Raises:
        ValueError: There are too many, or a name or a value is invalid.
    """
    if len(tags) > MAX_TAGS:
        raise ValueError(f"expected at most {MAX_TAGS} further tags, got {len(tags)}")
    for name, value in tags.items():
        check_tag(name, value)


def check_tag(name: str, value: str) -> None:
    """Check a tag of a record.

    Raises:
        ValueError: The name or the value is invalid.
    """
    if name in RECORD_TAGS:
        raise ValueError(f"tag {name} is a field of the record, not a further tag")
    if len(name) > MAX_NAME or not NAME.fullmatch(name):
        raise ValueError(
            f"tag name {name[: MAX_NAME + 1]!r} is not 1 to {MAX_NAME} letters, digits and _"
        )
    if len(value) > MAX_VALUE:
        raise ValueError(f"tag {name} has {len(value)} characters (at most {MAX_VALUE})")
    for character in value:
        if unicodedata.category(character) in FORBIDDEN:
            raise ValueError(f"tag {name} contains the control character {character!r}")
