"""A maximum matching of the remaining stones, and the forest that shows which ones it may miss.

See matching.pyx. `open` and `grow_all` make the forest of a position; `remove` and `put_back` change
the position, and `scan_all` then makes forest and matching whole again.
"""

from libc.stdint cimport int32_t

from core.take_stones.forest cimport Forest


cdef int open(Forest* forest, int32_t n) except -1 nogil
cdef void close(Forest* forest) noexcept nogil
cdef int grow_all(Forest* forest) except -1 nogil
cdef int scan_all(Forest* forest) except -1 nogil
cdef void remove(Forest* forest, int32_t stone) noexcept nogil
cdef void put_back(Forest* forest, int32_t stone) noexcept nogil
cdef void shorten(Forest* forest, int32_t n) noexcept nogil
cdef void lengthen(Forest* forest) noexcept nogil
