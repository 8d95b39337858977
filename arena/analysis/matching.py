"""The matching that decides a position, in games that have one. Pure."""

from itertools import starmap

from arena.analysis.position import TooLarge, studied_position
from arena.protocol.positions import MatchingInfo, NodeInfo
from arena.protocol.spectator import FindMatching
from core.registry import game_of


def find_matching(request: FindMatching) -> MatchingInfo:
    """Return the matching that decides a position.

    Raises:
        TooLarge: For a position that is too large to be shown.
        ValueError: For an invalid position, or a game without matchings; the message is one line.
    """
    try:
        position = studied_position(request.game, request.setup, request.moves)
        game = game_of(position)
        if game.matching is None:
            raise ValueError(f"no matching decides {game.name}")
        found = game.matching(position)
    except MemoryError:
        raise ValueError("the position is too large for this machine's memory") from None
    if found is None:
        raise TooLarge("the position is too large for its matching to be shown")
    nodes = [*starmap(NodeInfo, found.nodes)]
    return MatchingInfo(request.request, position.player_to_move, nodes, *found[1:])
