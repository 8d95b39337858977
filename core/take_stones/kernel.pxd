"""The kernel: the stones that no rule has decided, as a stored graph. See kernel.pyx."""

from libc.stdint cimport int32_t

from core.take_stones.graph cimport Graph
from core.take_stones.whole cimport Whole


cdef struct Kernel:
    Graph graph
    int32_t* stone          # of a vertex


cdef int store_kernel(Whole* whole, Kernel* kernel) except -1 nogil
cdef void close_kernel(Kernel* kernel) noexcept nogil
