"""The board of Isolation, and the shape in which the search plays on it.

The square (row column) has the number 8 (row - 1) + (column - 1) on boards of every size, and a
move is the square that it leads to. On a smaller board the squares outside are occupied from the
start, so that moves are found as on 8 by 8; whatever counts occupied squares leaves them out.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t

from core.bitset cimport bit, highest, pop_lowest


cdef struct Line:
    # A row, a column or a diagonal through a square, without the square.
    uint64_t before
    uint64_t after
    uint64_t both


cdef struct Lines:
    Line line[4]


cdef Lines LINES[64]

# The sum of the distances from a square to the occupied squares of a row: by the square's column,
# by how far down the row is from it, -7 to 7, and by the set of the row's occupied columns.
ctypedef uint8_t Sums[256]
cdef Sums DISTANCES[8][15]


cdef struct Squares:
    uint64_t occupied       # filled, outside the board, or a piece stands there
    uint64_t outside        # the squares outside the board
    uint64_t todo           # moves to search that were not handed out yet
    int64_t last            # where the piece that moved last stands, and waits
    int64_t mover           # where the piece of the player to move stands
    int others              # how many squares of the board are occupied but for one piece
    int squares             # how many squares the board has
    bint own                # whether the player to move is the one at the root of the search
    bint won                # whether the player to move has won, where there are no moves to search
    bint plain              # whether the search looks for no exact endings


cdef class Board:
    cdef list _moves
    cdef readonly int size      # rows, and columns
    cdef uint64_t _outside      # the squares outside the board
    cdef uint64_t _occupied     # filled, outside the board, or a piece stands there
    cdef int64_t _pieces[2]     # where x and o stand
    cdef int64_t _start[2]      # and where they stood before the first move
    cdef int _first             # the player of the first move, 0 for x, 1 for o
    cdef int _mover(self) noexcept
    cdef str _broken_rule(self, object square)
    cdef int _put(self, int64_t square) except -1
    cdef Squares squares(self) noexcept


cdef inline uint64_t reach(int64_t square, uint64_t occupied) noexcept nogil:
    """The free squares that a queen on a square can go to."""
    cdef uint64_t found = 0, before, after
    cdef const Line* line
    cdef int number
    for number in range(4):
        line = &LINES[square].line[number]
        before = line.before & occupied
        after = line.after & occupied
        # Less the last bit before it, the bits after the square change up to the first of them.
        found |= line.both & (after ^ (after - bit(highest(before | 1))))
    return found & ~occupied


cdef inline bint has_squares(Squares* state) noexcept nogil:
    return state.todo != 0


cdef inline int64_t next_squares(Squares* state) noexcept nogil:
    return pop_lowest(&state.todo)


cdef inline void play_squares(Squares* state, int64_t square) noexcept nogil:
    # The square that was left stays occupied: it is filled now.
    state.occupied |= bit(square)
    state.others += 1
    state.mover = state.last
    state.last = square
    state.own = not state.own
