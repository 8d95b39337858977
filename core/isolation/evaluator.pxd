"""The static evaluation of Isolation, seen by the player to move.

It measures the safety of one piece only, that of the player to move at the root of the search: the
number of its available moves, plus 2.5 times its average distance from
every other occupied square, filled or the opponent's. On the other player's turn the sign changes.
A lost game is worth -LOSS, a game that is decided (see ending.pxd) LOSS or -LOSS; everything else
is between -45 and 45.

The distance is Chebyshev's, the steps of a king: pieces move in eight directions, so that a square
two steps away along a diagonal threatens as much as one two steps away along a row. The opponent
always occupies a square, so that there is an average on the first move too: 7 from corner to
corner.

With 2.5 both parts add as much to the value: in games of the engine against itself a piece had 9.6
moves on average and was 3.8 away (the quotient of the two is between 2.4 and 2.7 at one to five
plies; docs/explanation/experiments.md). To make the parts vary as much would take about 8, with
which the engine lost 401 of 600 games against itself with 2.5, searching 3, 4 and 5 plies.
"""

from libc.stdint cimport int64_t, uint64_t

from core.bitset cimport count
from core.isolation.board cimport DISTANCES, Squares, Sums, reach

cdef enum:
    LOSS = 1000
    TWICE_WEIGHT = 5        # a half cannot stand in an enum


cdef inline int64_t distances(int64_t square, uint64_t occupied) noexcept nogil:
    """The sum of the distances from a square to all occupied squares."""
    cdef const Sums* row = &DISTANCES[square & 7][7 - (square >> 3)]
    cdef int64_t total = 0
    cdef int number
    for number in range(8):
        total += row[number][(occupied >> (8 * number)) & 255]
    return total


cdef inline double evaluate_squares(Squares* state) noexcept nogil:
    """The value of a position whose moves to search have just been found."""
    if not state.todo:
        return LOSS if state.won else -LOSS
    cdef int64_t square = state.mover if state.own else state.last
    cdef uint64_t moves = state.todo if state.own else reach(square, state.occupied)
    # Multiplied before it is divided, so that every compiler comes to the same last digit.
    cdef int64_t total = TWICE_WEIGHT * distances(square, state.occupied ^ state.outside)
    cdef double apart = <double>total / <double>(2 * state.others)
    cdef double safety = count(moves) + apart
    return safety if state.own else -safety
