"""The request and the result of a compiled search; alpha_beta.pxi is the search itself."""

from libc.stdint cimport int64_t


cdef enum Stop:
    FINISHED
    NODES
    SECONDS
    OUT_OF_MEMORY


cdef struct Task:
    # Values are those of the player to move at the root.
    int64_t depth_limit
    int64_t node_limit
    double deadline
    double started
    double polled           # when the clock was read last
    double next_signals
    int64_t interval        # nodes between two polls
    int64_t next_poll
    int64_t visited
    int64_t evaluated
    int64_t deepest
    int64_t root_move       # the root move being searched
    int64_t best_move       # of the root moves that are finished
    double best
    double alpha            # the window at the root
    double beta
    Stop stop
    int64_t first_move      # the number that the game gives to the search's move 0
    void* report            # a callable or None, borrowed


cdef struct Stack:
    void* plies             # all of one type
    int64_t capacity


cdef void begin(Task* task, object limits, object report, int64_t first_move) except *
cdef void narrow(Task* task, object window) except *
cdef int poll(Task* task) except -1 nogil
cdef bint grow(Stack* stack, size_t ply_size) noexcept nogil
cdef object result(Task* task, bint is_max)
