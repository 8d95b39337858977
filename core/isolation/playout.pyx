# cython: cdivision=True
"""Playouts compiled for Isolation."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from core.bitset cimport count, nth
from core.isolation.board cimport Board, Squares, has_squares, next_squares, play_squares, reach
from core.playout.tally cimport Tally, begin, result
from core.splitmix cimport next_word, scaled

cdef enum:
    PLIES = 1 << 20         # between two looks at signals

ctypedef Squares State


cdef inline bint legal(State* state) noexcept nogil:
    state.todo = reach(state.mover, state.occupied)
    return state.todo != 0


cdef inline bint has_move(State* state) noexcept nogil:
    return has_squares(state)


cdef inline int64_t next_move(State* state) noexcept nogil:
    return next_squares(state)


cdef inline int64_t count_moves(State* state) noexcept nogil:
    return count(state.todo)


cdef inline int64_t nth_move(State* state, int64_t number) noexcept nogil:
    return nth(state.todo, number)


cdef inline void play(State* state, int64_t move) noexcept nogil:
    play_squares(state, move)


cdef inline void enter(State* state) noexcept nogil:
    pass


cdef inline void reset(State* root) noexcept nogil:
    pass


cdef inline bint out_of_memory(State* state) noexcept nogil:
    return False


include "../playout/playout.pxi"


def playouts(Board board not None, games, seed, players=("random", "random")):
    """Play games from a position between players that do not search, without the GIL.

    As `core.take_stones.playout.playouts`.
    """
    cdef Tally tally
    cdef State root = board.squares()
    begin(&tally, board, games, seed, players)
    play_games(&root, &tally, PLIES)
    return result(&tally, games)
