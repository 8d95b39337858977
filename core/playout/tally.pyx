"""The course of playouts; playout.pxi plays them."""

from core.playout.result import Playouts, player_number
from core.splitmix cimport chained, word


cdef int begin(Tally* tally, object board, object games, object seed, object players) except -1:
    """Prepare playouts. Raises ValueError for a number of games or a player that there is not."""
    if not 1 <= games < 1 << 48:
        raise ValueError(f"games must be from 1 to {(1 << 48) - 1}, not {games}")
    one, two = players
    tally.first = board.player_to_move - 1
    tally.is_greedy = [player_number(one), player_number(two)]
    tally.counter = chained(0, word(seed))
    tally.left = games
    tally.wins = tally.plies = 0
    return 0


cdef object result(Tally* tally, object games):
    """The Playouts when no game is left."""
    return Playouts(games, tally.wins, tally.plies)
