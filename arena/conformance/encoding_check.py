"""Check of a game's encoding for programs that learn. Pure.

docs/contributing/add-a-game.md describes the expected behaviour of a game.
"""

from math import prod

from arena.conformance.game_checks import GameCheck, require
from arena.conformance.random_games import Sample
from arena.conformance.rule_checks import facts, require_facts


def is_encoded(sample: Sample) -> None:
    """Check the ranges of moves and games, and the observations of a position by both players."""
    encoding, position = sample.game.encoding, sample.position()
    assert encoding, "the check is of a part of a game"
    setup = sample.game.completed(sample.setup)
    moves, length = encoding.moves(**setup), encoding.length(**setup)
    for move in position.legal_moves():
        require(move in moves, f"move {move} in the range of all moves", repr(moves))
    played = len(sample.moves)
    require(played <= length, f"a game of at most {length} moves", f"{played}")
    has_both = (encoding.shape is None) == (encoding.observe is None)
    require(has_both, "both shape and observe, or neither", "one of them")
    if encoding.shape and encoding.observe:
        size, before = prod(encoding.shape(**setup)), facts(position)
        for player in (1, 2):
            seen = encoding.observe(position, player)
            require_facts(position, before, "no change by an observation")
            _check_observation(seen, size)


def _check_observation(seen: bytearray, size: int) -> None:
    require(isinstance(seen, bytearray), "an observation of bytes (bytearray)", type(seen).__name__)
    require(len(seen) == size, f"an observation of {size} bytes, as its shape", f"{len(seen)}")
    require(set(seen) <= {0, 1}, "an observation of 0 and 1", repr(sorted(set(seen))))


ENCODING_CHECK = GameCheck(25, "encodes its positions", is_encoded, part="encoding")
