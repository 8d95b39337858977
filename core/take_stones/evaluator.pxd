"""The static board evaluation of the assignment, seen by the player to move.

A player who cannot move has lost: -1. While stone 1 remains: 0. Otherwise the parity of a count
decides: of all successors after stone 1 (0.5), of the multiples of p among the successors after a
prime p (0.7), of the multiples of its largest prime factor p after a composite number (0.6);
positive if odd. The successors are the legal moves.

The assignment gives the value for Max on his turn and negates it on Min's: both are the value for
the player to move, which is returned here.
"""

from libc.stdint cimport uint64_t

from core.bitset cimport parity
from core.take_stones.board cimport TABLE, LargeStone, LargeStones, Row, SmallStone, SmallStones


cdef inline double evaluate_small(SmallStones* state) noexcept nogil:
    """The value of a position whose legal moves have just been found."""
    if not state.todo:
        return -1.0
    if state.remaining & 1:
        return 0.0
    cdef const SmallStone* stone = &TABLE[state.last]
    # Looked up, because the processor would guess every other sign wrong.
    return stone.values[parity(stone.counted & state.remaining)]


cdef inline double evaluate_large(LargeStones* state) noexcept nogil:
    """The value of a position whose legal moves have just been found."""
    if not state.todo:
        return -1.0
    if state.last and not state.board.taken[0] & 1:
        return 0.0
    cdef LargeStone* stone = state.board.table[state.last]
    cdef const Row* row = stone.rows
    cdef uint64_t counted = 0
    # The parity of a sum is the parity of the words' exclusive or: one count for any n.
    while row < stone.end:
        counted ^= row.counted & ~state.board.taken[row.word]
        row += 1
    return stone.values[parity(counted)]
