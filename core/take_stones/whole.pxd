# cython: cdivision=True
"""The graph of all stones from 1 to n, which becomes smaller while it is decomposed.

Its edges are arithmetic: multiples are steps, and factors follow from the smallest prime factors.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t

from core.take_stones.deadline cimport Deadline

cdef enum Place:
    # What is known of a stone, as bits.
    IN_D = 1            # in the set D of the Gallai-Edmonds decomposition
    ROOT = 2            # unmatched, and so the root of an alternating tree
    GIVEN = 4           # a root; a deleted stone has its tree
    RESERVED = 8        # a root; its tree remains unmatched


cdef enum:
    GONE = -1           # the degree of a stone outside the graph


cdef struct Whole:
    int32_t n
    int32_t deleted     # the stones from 1 to this one were taken out first
    uint16_t* smallest  # the smallest prime factor of a number, 0 for a prime
    uint8_t* place
    # The number of neighbours in the graph. A stone that is gone has a negative number: a leaf the
    # negative number of its mate. In the end, vertices of the kernel.
    int32_t* degree
    Deadline deadline
