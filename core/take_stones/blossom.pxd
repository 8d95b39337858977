"""A maximum matching of a stored graph, from nothing. See blossom.pyx."""

from libc.stdint cimport int32_t, uint8_t

from core.take_stones.alternating cimport Vertex
from core.take_stones.deadline cimport Deadline
from core.take_stones.graph cimport Graph

cdef enum:
    # More bits of a label, while the search goes on.
    FREE = 4                # unmatched, and not searched from yet
    FROZEN = 8              # in a tree that cannot grow any more


cdef struct Search:
    const Graph* graph
    Vertex* vertex
    int32_t* base           # of the odd cycles that a vertex is in, by way of others
    uint8_t* label
    int32_t* root           # of the tree of a vertex
    int32_t* left           # neighbours that may be free: the first ones, up to this number
    int32_t* queue          # outer vertices of the tree that grows
    int32_t queued
    int32_t visit
    Deadline* deadline


cdef int open_search(Search* search, const Graph* graph, Deadline* deadline) except -1 nogil
cdef int match_all(Search* search) except -1 nogil
cdef void close_search(Search* search) noexcept nogil
