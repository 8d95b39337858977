"""The course of playouts: the players, the random numbers, and the games so far."""

from libc.stdint cimport int64_t, uint64_t


cdef struct Tally:
    int first               # the player to move at the root: 0 for player 1, 1 for player 2
    bint is_greedy[2]       # greedy or random, by player
    uint64_t counter        # of splitmix64
    int64_t left            # games that are still to be played
    int64_t wins            # of player 1
    int64_t plies


cdef int begin(Tally* tally, object board, object games, object seed, object players) except -1
cdef object result(Tally* tally, object games)
