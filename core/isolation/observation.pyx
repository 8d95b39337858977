"""A position of Isolation as an observation for programs that learn."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from libc.string cimport memset

from core.isolation.board cimport Board


def observe(Board board, int player):
    """Return three boards of 0 and 1: the player's piece, the opponent's and the empty squares."""
    cdef int size = board.size, squares = size * size, row, column, number
    observation = PyByteArray_FromStringAndSize(NULL, 3 * squares)
    cdef char* boards = PyByteArray_AS_STRING(observation)
    memset(boards, 0, 3 * squares)
    for number in range(2):
        row = board._pieces[(player == 2) ^ number] >> 3
        column = board._pieces[(player == 2) ^ number] & 7
        boards[number * squares + row * size + column] = 1
    for row in range(size):
        for column in range(size):
            boards[2 * squares + row * size + column] = not board._occupied >> (8 * row + column) & 1
    return observation
