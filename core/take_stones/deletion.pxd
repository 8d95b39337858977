"""Deletion of the stones 1 to J, which are in A. See deletion.pyx."""

from libc.stdint cimport int32_t

from core.take_stones.blossom cimport Search
from core.take_stones.kernel cimport Kernel
from core.take_stones.whole cimport Whole

cdef int32_t first_attempt(int32_t n) noexcept nogil
cdef bint are_in_a(Whole* whole, const Kernel* kernel, const Search* search) except -1 nogil
