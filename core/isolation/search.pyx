# cython: cdivision=True
"""The alpha-beta search compiled for Isolation."""

from libc.math cimport INFINITY
from libc.stdint cimport int64_t
from libc.stdlib cimport free

from core.bitset cimport lowest
from core.isolation.board cimport Board, Squares, has_squares, next_squares, play_squares
from core.isolation.ending cimport legal_squares
from core.isolation.evaluator cimport evaluate_squares
from core.search.task cimport OUT_OF_MEMORY, Stack, Task, begin, grow, poll, result

ctypedef Squares State


cdef struct Ply:
    Squares node
    double alpha
    double beta


cdef inline bint legal(State* state) noexcept nogil:
    return legal_squares(state)


cdef inline bint has_move(State* state) noexcept nogil:
    return has_squares(state)


cdef inline int64_t next_move(State* state) noexcept nogil:
    return next_squares(state)


cdef inline void play(State* state, int64_t move) noexcept nogil:
    play_squares(state, move)


cdef inline void enter(State* state) noexcept nogil:
    pass


cdef inline void undo(State* state) noexcept nogil:
    pass


cdef inline double evaluate(State* state) noexcept nogil:
    return evaluate_squares(state)


cdef inline bint out_of_memory(State* state) noexcept nogil:
    return False


include "../search/alpha_beta.pxi"


def search(Board board not None, limits, report):
    """Search a board, as `search` of core.game.Game."""
    cdef Ply root
    cdef Task task
    begin(&task, limits, report, 0)
    root.node = board.squares()
    task.best_move = lowest(root.node.todo)
    return run(&root, &task, board.player_to_move == 1)
