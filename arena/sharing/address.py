"""Addresses of shared matches, /match/ID and /match/ID/PLY, of their pictures, and of feeds. Pure.

The page's own addresses have the same words in the fragment, which no server receives.
"""

import re
from typing import NamedTuple

PREFIX = "/match/"
JSON_PATH, ATOM_PATH = "/feed.json", "/feed.xml"
ADDRESS = re.compile(
    r"/match/(?P<match>[1-9]\d{0,18})(?:/(?P<ply>0|[1-9]\d{0,8}))?(?P<ending>\.(?:png|svg))?",
    re.ASCII,
)


class Address(NamedTuple):
    """Address of a match, or of a picture of it.

    Attributes:
        match: The id of the match.
        ply: The number of moves before the position; None for the latest position.
        ending: "" for the page, ".png" or ".svg" for a picture.
    """

    match: int
    ply: int | None
    ending: str

    @classmethod
    def parse(cls, path: str) -> "Address | None":
        """Return the address that a path is, still percent-encoded; None for any other path."""
        found = ADDRESS.fullmatch(path)
        if not found:
            return None
        ply = found["ply"]
        return cls(int(found["match"]), None if ply is None else int(ply), found["ending"] or "")

    def __str__(self) -> str:
        ply = "" if self.ply is None else f"/{self.ply}"
        return f"{PREFIX}{self.match}{ply}{self.ending}"
