# cython: cdivision=True
"""The alpha-beta search compiled for Take-Stones, for small and for large boards."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memset

from core.bitset cimport lowest
from core.search.task cimport OUT_OF_MEMORY, Stack, Task, begin, grow, poll, result
from core.take_stones.board cimport (
    SMALL, Board, LargeBoard, LargeStones, SmallStones, close_large, enter_large, has_large,
    has_small, legal_large, legal_small, next_large, next_small, play_large, play_small, undo_large,
)
from core.take_stones.evaluator cimport evaluate_large, evaluate_small


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


cdef inline void undo(State* state) noexcept nogil:
    if State is LargeStones:
        undo_large(state)


cdef inline double evaluate(State* state) noexcept nogil:
    if State is SmallStones:
        return evaluate_small(state)
    else:
        return evaluate_large(state)


cdef inline bint out_of_memory(State* state) noexcept nogil:
    if State is LargeStones:
        return state.board.out_of_memory
    else:
        return False


include "../search/alpha_beta.pxi"


def search(Board board not None, limits, report):
    """Search a board, as `search` of core.game.Game."""
    cdef SmallPly small
    cdef LargePly large
    cdef LargeStones copy
    cdef LargeBoard shared
    cdef Task task
    cdef bint is_max = board.player_to_move == 1
    begin(&task, limits, report, 1)
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
