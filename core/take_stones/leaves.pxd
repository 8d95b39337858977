"""Leaves: stones with a single neighbour, matched with it and taken out. See leaves.pyx."""

from libc.stdint cimport int32_t

from core.take_stones.whole cimport Whole

cdef int count_degrees(Whole* whole) except -1 nogil
cdef int32_t match_leaves(Whole* whole, int32_t* leaves) except -1 nogil
cdef int decide_leaves(Whole* whole, const int32_t* leaves, int32_t count) except -1 nogil
