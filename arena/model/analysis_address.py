"""Addresses of positions in the analysis of an arena's page. Pure."""

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode


def analysis_address(
    game: str, setup: Mapping[str, int], moves: Sequence[int], depth: int = 0
) -> str:
    """Return the address of the analysis of a position, relative to that of the page.

    Args:
        game: The name of the game.
        setup: Its setup.
        moves: The moves before the position.
        depth: The depth of the search in plies; 0 for none.
    """
    query = urlencode({"game": game, **setup})
    return f"#/analysis?{query}&moves={','.join(map(str, moves))}&depth={depth or ''}"
