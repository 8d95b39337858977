"""The large piece, kept while it is in no tree. See piece.pyx."""

from libc.stdint cimport int32_t

from core.take_stones.forest cimport Forest


cdef int open_piece(Forest* forest) except -1 nogil
cdef void close_piece(Forest* forest) noexcept nogil
cdef void keep(Forest* forest, int32_t root, int32_t scanned) noexcept nogil
cdef void touch_way(Forest* forest, int32_t outer) noexcept nogil
cdef void be_late(Forest* forest, int32_t stone) noexcept nogil
cdef void enter(Forest* forest, int32_t outer, int32_t stone) noexcept nogil
cdef void leave(Forest* forest) noexcept nogil
cdef void extend(Forest* forest) noexcept nogil
cdef bint is_whole(Forest* forest) noexcept nogil
cdef void absorb(Forest* forest) noexcept nogil
cdef void drop(Forest* forest) noexcept nogil
