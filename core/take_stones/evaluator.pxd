"""The static board evaluation of the assignment, seen by the player to move.

A player who cannot move has lost: -1. While stone 1 remains: 0. Otherwise the parity of a count
decides: of all successors after stone 1 (0.5), of the multiples of p among the successors after a
prime p (0.7), of the multiples of its largest prime factor p after a composite number (0.6);
positive if odd. The successors are the legal moves.

The assignment gives the value for Max on his turn and negates it on Min's: both are the value for
the player to move, which is returned here.
"""

from libc.stdint cimport int64_t, uint64_t

from core.bitset cimport bit, parity
from core.take_stones.board cimport (
    TABLE, LargeBoard, LargeStone, LargeStones, Row, SmallStone, SmallStones, evaluate_by_factors,
    legal_large,
)

cdef enum:
    ROWS_FOR_STONE = 8      # rows of neighbours that cost about as much as a stone on the path


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


cdef inline bint needs_factors(LargeBoard* board, int64_t stone) noexcept nogil:
    """Whether the neighbours of a stone are unknown, and not worth to be listed for a leaf.

    They are listed when it is last for the second time, unless they are many: most leaves of a
    large board are met once, and the smallest stones have neighbours in all words.
    """
    cdef uint64_t* word
    if board.table[stone] is not NULL:
        return False
    word = &board.met[stone >> 6]
    if not word[0] & bit(stone):
        word[0] |= bit(stone)
        return True
    return board.n // (stone + 1) > ROWS_FOR_STONE * (board.length + ROWS_FOR_STONE)


cdef inline double evaluate_leaf_large(LargeStones* state) noexcept nogil:
    """The value of a position at the depth limit, whose legal moves are not needed."""
    if state.last and not state.board.taken[0] & 1:
        return 0.0
    if needs_factors(state.board, state.last):
        return evaluate_by_factors(state.board, state.last)
    legal_large(state)
    return evaluate_large(state)
