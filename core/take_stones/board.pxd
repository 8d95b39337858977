"""The board, and the two shapes in which the search plays on it.

The search knows a shape by the same few functions: `legal` finds the moves of the player to move,
`has_move` and `next_move` hand them out in ascending order, `play` takes a stone, `enter` prepares
to play on from there and `undo` takes back what `enter` did. A shape is a plain value that the
search copies from ply to ply. Stones are numbered from 0 here, so that the stone s is the bit
s - 1.
"""

from libc.stdint cimport int64_t, uint16_t, uint64_t

from core.bitset cimport bit, pop_lowest

cdef enum:
    SMALL = 64              # the most stones that one word holds


cdef struct SmallStone:
    uint64_t neighbours     # its factors and multiples
    uint64_t counted        # those that the evaluation counts
    double values[2]        # the evaluation's, for an even and for an odd count


cdef struct SmallStones:
    uint64_t remaining
    uint64_t todo           # legal moves not handed out yet
    int64_t last            # -1 before the first move


cdef SmallStone TABLE[SMALL]    # the same for every n up to 64: absent stones never remain


cdef struct Row:
    # A stone's neighbours in one word of a board of several.
    int64_t word
    uint64_t neighbours
    uint64_t counted


cdef struct LargeStone:
    LargeStone* previous    # the one made before, so that all can be freed
    double values[2]        # the evaluation's, for an even and for an odd count
    Row* end
    Row rows[1]             # only words that hold a neighbour, ascending


cdef struct LargeBoard:
    int64_t n
    uint64_t* taken
    int64_t* path           # the stones taken, in order: of the board, then of the search
    int64_t length          # of the path
    int64_t capacity        # of its memory
    uint64_t* met           # stones that were last on a leaf
    LargeStone** table      # made when the search first needs the stone's neighbours
    LargeStone* newest
    int64_t memory_left     # bytes
    bint out_of_memory
    uint16_t* smallest      # smallest prime factors, or NULL
    int64_t divisions       # trial divisions so far, about


cdef struct LargeStones:
    LargeBoard* board       # shared by all plies
    uint64_t todo           # legal moves of this row not handed out yet
    const Row* row
    const Row* end
    int64_t last            # -1 before the first move


cdef LargeStone* meet(LargeBoard* board, int64_t stone) noexcept nogil
cdef int64_t memory_limit() except -1
cdef double evaluate_by_factors(LargeBoard* board, int64_t stone) noexcept nogil
cdef void append(LargeBoard* board, int64_t stone) noexcept nogil
cdef int64_t skip_large(LargeStones* state, double alpha, int64_t most) noexcept nogil
cdef void close_large(LargeBoard* board) noexcept nogil


cdef class Board:
    cdef readonly object n
    cdef list _taken
    cdef int64_t _n
    cdef uint64_t* _words       # one bit a stone: taken or not
    cdef uint64_t _key          # hash of the set of taken stones
    cdef bint _has_move(self)
    cdef bint _has(self, int64_t stone) noexcept
    cdef int _take(self, object stone, bint any_first) except -1
    cdef str _broken_rule(self, object stone, bint any_first)
    cdef void _put(self, int64_t stone) noexcept
    cdef SmallStones small(self) noexcept
    cdef int64_t least_memory(self, object depth)
    cdef int open_large(self, LargeBoard* board, LargeStones* state) except -1


cdef inline bint has_small(SmallStones* state) noexcept nogil:
    return state.todo != 0


cdef inline int64_t next_small(SmallStones* state) noexcept nogil:
    return pop_lowest(&state.todo)


cdef inline void play_small(SmallStones* state, int64_t stone) noexcept nogil:
    state.remaining &= ~bit(stone)
    state.last = stone


cdef inline bint legal_small(SmallStones* state) noexcept nogil:
    state.todo = TABLE[state.last].neighbours & state.remaining
    return state.todo != 0


cdef inline bint has_large(LargeStones* state) noexcept nogil:
    if state.todo:
        return True
    while state.row + 1 < state.end:
        state.row += 1
        state.todo = state.row.neighbours & ~state.board.taken[state.row.word]
        if state.todo:
            return True
    return False


cdef inline int64_t next_large(LargeStones* state) noexcept nogil:
    return 64 * state.row.word + pop_lowest(&state.todo)


cdef inline void play_large(LargeStones* state, int64_t stone) noexcept nogil:
    # It stays on the board that all plies share until `enter`: no stone is its own neighbour, so
    # that a leaf is the same with it, and most nodes are leaves.
    state.last = stone


cdef inline void enter_large(LargeStones* state) noexcept nogil:
    state.board.taken[state.last >> 6] |= bit(state.last)


cdef inline void undo_large(LargeStones* state) noexcept nogil:
    state.board.taken[state.last >> 6] &= ~bit(state.last)


cdef inline bint legal_large(LargeStones* state) noexcept nogil:
    cdef LargeStone* stone = state.board.table[state.last]
    if stone is NULL:
        stone = meet(state.board, state.last)
    state.row = stone.rows
    state.end = stone.end
    state.todo = state.row.neighbours & ~state.board.taken[state.row.word]
    return has_large(state)
