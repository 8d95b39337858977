"""A position of Take-Stones as an observation for programs that learn."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.stdint cimport int64_t
from libc.string cimport memset

from core.take_stones.board cimport Board


def observe(Board board, player):
    """Return the remaining stones, then the last one, as 0 and 1 in the order of the stones.

    Both players see the same.
    """
    cdef int64_t n = board._n, stone
    observation = PyByteArray_FromStringAndSize(NULL, 2 * n)
    cdef char* remaining = PyByteArray_AS_STRING(observation)
    memset(remaining, 1, n)
    memset(remaining + n, 0, n)
    stone = 0
    for stone in board._taken:
        remaining[stone - 1] = 0
    if stone:
        remaining[n + stone - 1] = 1
    return observation
