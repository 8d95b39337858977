# cython: cdivision=True
"""The alpha-beta search compiled for Take-Stones, for small and for large boards."""

from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from core.bitset cimport lowest
from core.search.task cimport OUT_OF_MEMORY, Stack, Task, begin, grow, narrow, poll, result
from core.take_stones.board cimport (
    SMALL, Board, LargeBoard, LargeStones, SmallStones, append, close_large, enter_large, has_large,
    has_small, legal_large, legal_small, memory_limit, next_large, next_small, play_large, play_small,
    skip_large, undo_large,
)
from core.take_stones.evaluator cimport evaluate_large, evaluate_leaf_large, evaluate_small
from core.search.result import Window

cdef double GIBIBYTE = 1 << 30      # bytes


cdef struct SmallPly:
    SmallStones node
    double alpha
    double beta


cdef struct LargePly:
    LargeStones node
    double alpha
    double beta


ctypedef fused State:
    SmallStones
    LargeStones


ctypedef fused Ply:
    SmallPly
    LargePly


# One branch for each type of position; the other vanishes on compilation.

cdef inline bint legal(State* state) noexcept nogil:
    if State is SmallStones:
        return legal_small(state)
    else:
        return legal_large(state)


cdef inline bint has_move(State* state) noexcept nogil:
    if State is SmallStones:
        return has_small(state)
    else:
        return has_large(state)


cdef inline int64_t next_move(State* state) noexcept nogil:
    if State is SmallStones:
        return next_small(state)
    else:
        return next_large(state)


cdef inline void play(State* state, int64_t move) noexcept nogil:
    if State is SmallStones:
        play_small(state, move)
    else:
        play_large(state, move)


cdef inline void enter(State* state) noexcept nogil:
    if State is LargeStones:
        enter_large(state)
        append(state.board, state.last)


cdef inline void undo(State* state) noexcept nogil:
    if State is LargeStones:
        undo_large(state)
        state.board.length -= 1


cdef inline double evaluate(State* state) noexcept nogil:
    if State is SmallStones:
        return evaluate_small(state)
    else:
        return evaluate_large(state)


cdef inline double evaluate_leaf(State* state) noexcept nogil:
    if State is SmallStones:
        legal_small(state)
        return evaluate_small(state)
    else:
        return evaluate_leaf_large(state)


cdef inline int64_t skip(State* state, double alpha, int64_t most) noexcept nogil:
    # On a copy: the loop keeps a state in registers as long as nobody else has its address.
    cdef State rest
    cdef int64_t skipped = 0
    if State is LargeStones:
        rest = state[0]
        skipped = skip_large(&rest, alpha, most)
        state[0] = rest
    return skipped


cdef inline bint out_of_memory(State* state) noexcept nogil:
    if State is LargeStones:
        return state.board.out_of_memory
    else:
        return False


include "../search/alpha_beta.pxi"


cdef object check_memory(Board board, object limits):
    """Raise MemoryError if a search without limits of nodes and time will run out of memory."""
    if limits.nodes is not None or limits.seconds is not None:
        return
    cdef int64_t needed = board.least_memory(limits.depth), limit = memory_limit()
    if needed > limit:
        raise MemoryError(
            f"the search needs at least {needed / GIBIBYTE:.1f} GiB, and the limit is "
            f"{limit / GIBIBYTE:.1f} GiB, half of the memory"
        )


def search(Board board not None, limits, report):
    """Search a board, as `search` of core.game.Game."""
    if board._n > SMALL:
        check_memory(board, limits)
    return search_subtree(board, limits, report, Window())


def search_subtree(Board board not None, limits, report, window):
    """Search a board in a window, as `search_subtree` of core.game.Game."""
    cdef SmallPly small
    cdef LargePly large
    cdef LargeStones copy
    cdef LargeBoard shared
    cdef Task task
    cdef bint is_max = board.player_to_move == 1
    begin(&task, limits, report, 1)
    narrow(&task, window)
    if board._n <= SMALL:
        small.node = board.small()
        task.best_move = lowest(small.node.todo)
        return run(&small, &task, is_max)
    memset(&shared, 0, sizeof(shared))
    try:
        board.open_large(&shared, &large.node)
        copy = large.node
        task.best_move = next_large(&copy)
        found = run(&large, &task, is_max)
    finally:
        close_large(&shared)
    return found
