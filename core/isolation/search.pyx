# cython: cdivision=True
"""The alpha-beta search compiled for Isolation."""

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


cdef inline double evaluate_leaf(State* state) noexcept nogil:
    legal_squares(state)
    return evaluate_squares(state)


cdef inline int64_t skip(State* state, double alpha, int64_t most) noexcept nogil:
    return 0


cdef inline bint out_of_memory(State* state) noexcept nogil:
    return False


include "../search/alpha_beta.pxi"


cdef object search_board(Board board, object limits, object report, bint own, bint plain):
    """Return the SearchResult of a board; `own`: its player to move began the search."""
    cdef Ply root
    cdef Task task
    begin(&task, limits, report, 0)
    root.node = board.squares()
    root.node.own = own
    root.node.plain = plain
    task.best_move = lowest(root.node.todo)
    return run(&root, &task, board.player_to_move == 1)


def search(Board board not None, limits, report):
    """Search a board, as `search` of core.game.Game."""
    return search_board(board, limits, report, True, False)


def search_for_player(Board board not None, limits, report, int player):
    """As `search`, in a search that `player` began, as `search_for_player` of core.game.Game."""
    return search_board(board, limits, report, player == board.player_to_move, False)


def plain_search(Board board not None, limits, report):
    """As `search`, without exact endings: the game goes on until a player cannot move."""
    return search_board(board, limits, report, True, True)
