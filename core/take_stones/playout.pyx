# cython: cdivision=True
"""Playouts compiled for Take-Stones, for small and for large boards."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from core.bitset cimport count, nth
from core.playout.tally cimport Tally, begin, result
from core.splitmix cimport next_word, scaled
from core.take_stones.board cimport (
    SMALL, Board, LargeBoard, LargeStones, Row, SmallStones, close_large, enter_large, has_large,
    has_small, legal_large, legal_small, next_large, next_small, play_large, play_small,
)

cdef enum:
    PLIES = 1 << 20         # between two looks at signals, on a small board


cdef struct LargeGames:
    LargeStones stones
    uint64_t* taken         # at the root
    size_t bytes


ctypedef fused State:
    SmallStones
    LargeGames


# One branch for each type of position; the other vanishes on compilation.

cdef inline bint legal(State* state) noexcept nogil:
    if State is SmallStones:
        return legal_small(state)
    else:
        return legal_large(&state.stones)


cdef inline bint has_move(State* state) noexcept nogil:
    if State is SmallStones:
        return has_small(state)
    else:
        return has_large(&state.stones)


cdef inline int64_t next_move(State* state) noexcept nogil:
    if State is SmallStones:
        return next_small(state)
    else:
        return next_large(&state.stones)


cdef inline int64_t count_moves(State* state) noexcept nogil:
    if State is SmallStones:
        return count(state.todo)
    else:
        return count_large(&state.stones)


cdef inline int64_t nth_move(State* state, int64_t number) noexcept nogil:
    if State is SmallStones:
        return nth(state.todo, number)
    else:
        return nth_large(&state.stones, number)


cdef inline void play(State* state, int64_t move) noexcept nogil:
    if State is SmallStones:
        play_small(state, move)
    else:
        play_large(&state.stones, move)


cdef inline void enter(State* state) noexcept nogil:
    if State is LargeGames:
        enter_large(&state.stones)


cdef inline void reset(State* root) noexcept nogil:
    if State is LargeGames:
        memcpy(root.stones.board.taken, root.taken, root.bytes)


cdef inline bint out_of_memory(State* state) noexcept nogil:
    if State is LargeGames:
        return state.stones.board.out_of_memory
    else:
        return False


cdef int64_t count_large(const LargeStones* state) noexcept nogil:
    """How many moves are left on a board of several words."""
    cdef const Row* row = state.row + 1
    cdef int64_t moves = count(state.todo)
    while row < state.end:
        moves += count(row.neighbours & ~state.board.taken[row.word])
        row += 1
    return moves


cdef int64_t nth_large(const LargeStones* state, int64_t number) noexcept nogil:
    """The move after `number` smaller ones on a board of several words."""
    cdef const Row* row = state.row
    cdef uint64_t word = state.todo
    while number >= count(word):
        number -= count(word)
        row += 1
        word = row.neighbours & ~state.board.taken[row.word]
    return 64 * row.word + nth(word, number)


include "../playout/playout.pxi"


def playouts(Board board not None, games, seed, players=("random", "random")):
    """Play games from a position between players that do not search, without the GIL.

    The same arguments give the same result, in any thread and on any machine.

    Args:
        board: The position, which does not change.
        games: The number of games, at least 1.
        seed: The seed of the random players, any integer.
        players: "random" or "greedy", for player 1 and player 2. Random plays each legal move with
            the same probability; greedy plays the smallest of the moves that leave the opponent
            the fewest replies.

    Returns:
        The Playouts.

    Raises:
        ValueError: The number of games is out of range, or there is no such player.
        MemoryError: The board is too large for the machine.
    """
    cdef Tally tally
    cdef SmallStones small
    begin(&tally, board, games, seed, players)
    if board._n <= SMALL:
        small = board.small()
        play_games(&small, &tally, PLIES)
    else:
        play_large_games(board, &tally)
    return result(&tally, games)


cdef int play_large_games(Board board, Tally* tally) except -1:
    """Play all games on a board of several words. Raises MemoryError."""
    cdef LargeBoard shared
    cdef LargeGames root
    memset(&shared, 0, sizeof(shared))
    root.bytes = (board._n + 63) // 64 * sizeof(uint64_t)
    root.taken = <uint64_t*>malloc(root.bytes)
    try:
        if root.taken is NULL:
            raise MemoryError
        board.open_large(&shared, &root.stones)
        memcpy(root.taken, shared.taken, root.bytes)
        play_games(&root, tally, 1 + PLIES // board._n)
    finally:
        free(root.taken)
        close_large(&shared)
    return 0
