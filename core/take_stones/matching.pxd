"""A maximum matching of the remaining stones, and the forest that shows which ones it may miss.

See matching.pyx. `open` and `grow_all` make the forest of a position; `remove` and `put_back` change
the position, and `scan_all` then makes forest and matching whole again.
"""

from libc.stdint cimport int32_t, uint8_t

from core.take_stones.alternating cimport Vertex
from core.take_stones.blossom cimport Search
from core.take_stones.deadline cimport Deadline
from core.take_stones.graph cimport Graph

cdef enum:
    # More bits of a label.
    QUEUED = 4              # waits to be scanned
    LOOSE = 8               # was in a tree that is dissolved


cdef struct Forest:
    int32_t n               # stones
    Graph graph             # of all stones that the arrays hold; those above n are taken
    Search search           # the first one; the next six arrays are its own
    Vertex* vertex
    int32_t* base
    uint8_t* label
    int32_t* root
    int32_t* queue          # outer stones to scan, a ring
    int32_t* loose          # the stones of dissolved trees
    int32_t head
    int32_t waiting
    int32_t loosened
    int32_t* newest         # of a root: the stone that joined its tree last
    int32_t* older          # the stone that joined the same tree before
    Deadline deadline


cdef int open(Forest* forest, int32_t n) except -1 nogil
cdef void close(Forest* forest) noexcept nogil
cdef int grow_all(Forest* forest) except -1 nogil
cdef int scan_all(Forest* forest) except -1 nogil
cdef void remove(Forest* forest, int32_t stone) noexcept nogil
cdef void put_back(Forest* forest, int32_t stone) noexcept nogil
cdef void shorten(Forest* forest, int32_t n) noexcept nogil
cdef void lengthen(Forest* forest) noexcept nogil
