# cython: cdivision=True
"""Columns: the multiples of a large prime, as copies of a small board.

Let the stones 1 to J be deleted, and p be a prime above n / (J + 1) and above J. Its multiples are
p, 2p, ..., kp with k = n // p, and k is at most J. A neighbour of ip that is no multiple of p is a
factor of i, and so deleted. And ip divides jp exactly if i divides j. So this column is a piece of
its own, a copy of the graph G(k) of the stones 1 to k, and ip is in D exactly if i is in D of G(k).

G(1), G(2), ..., G(J) come from each other by adding a stone.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from core.take_stones.alternating cimport LABEL, OUTER
from core.take_stones.deadline cimport spend
from core.take_stones.forest cimport Forest
from core.take_stones.huge_pages cimport allocate
from core.take_stones.matching cimport close, grow_all, lengthen, open, scan_all, shorten
from core.take_stones.whole cimport GONE, IN_D, ROOT, Whole


cdef int label_columns(Whole* whole) except -1 nogil:
    """Take all columns out of the graph, and say which of their stones are in D.

    The square of `whole.deleted` must be less than n. Raises MemoryError.
    """
    cdef Forest small
    cdef uint8_t* places = <uint8_t*>allocate(whole.deleted + 1)
    memset(&small, 0, sizeof(small))
    try:
        open(&small, whole.deleted)
        small.deadline = whole.deadline
        shorten(&small, 0)
        grow_all(&small)
        while small.n < whole.deleted:
            lengthen(&small)
            scan_all(&small)
            copy_places(&small, places)
            label_columns_of(whole, small.n, places)
    finally:
        close(&small)
        free(places)
    return 0


cdef void copy_places(Forest* small, uint8_t* places) noexcept nogil:
    """Write the places of a small board's stones."""
    cdef int32_t stone
    for stone in range(1, small.n + 1):
        places[stone] = 0
        if small.label[stone] & LABEL == OUTER:
            places[stone] = IN_D if small.vertex[stone].mate else IN_D | ROOT


cdef int label_columns_of(Whole* whole, int32_t k, const uint8_t* places) except -1 nogil:
    """Label the columns of all primes with k multiples."""
    cdef int32_t prime, i
    for prime in range(whole.n // (k + 1) + 1, whole.n // k + 1):
        spend(&whole.deadline, 1)
        if whole.smallest[prime] == 0 and prime > 1:
            spend(&whole.deadline, k)
            for i in range(1, k + 1):
                whole.place[i * prime] = places[i]
                whole.degree[i * prime] = GONE
    return 0
