"""The forest of a maximum matching, and the steps that both ways of keeping it share.

See matching.pyx and piece.pyx.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t

from core.take_stones.alternating cimport LABEL, OUTER, Vertex
from core.take_stones.blossom cimport Search
from core.take_stones.deadline cimport Deadline
from core.take_stones.graph cimport Graph

cdef enum:
    # More bits of a label.
    QUEUED = 4              # waits to be scanned
    LOOSE = 8               # was in a tree that is dissolved


cdef enum Mark:
    # What the kept piece says of a stone.
    KEPT = 1                # is in the piece
    OPEN = 2                # may be searched, in the first part of the search
    TOUCHED = 4             # had another mate since the piece was kept
    LATE = 8                # may be next to the piece, and was in no tree lately
    SPINE = 16              # between the root and the piece


cdef struct List:
    int32_t* stones
    int32_t count


cdef struct Piece:
    uint8_t* mark           # NULL: no piece is ever kept
    int32_t* parent         # of a stone that is kept, when it was in a tree
    List kept
    List opened
    List touched            # the first one is the base
    List late
    int32_t base            # of the odd cycle that the piece is; 0 if none is kept
    int32_t guest           # the root of the tree that has grown into the piece, 0 if none has
    bint is_narrow          # whether this tree grows into open stones of the piece only


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
    Piece piece
    Deadline deadline


cdef inline bint is_outer(const Forest* forest, int32_t stone) noexcept nogil:
    return forest.label[stone] & LABEL == OUTER


cdef inline void join(Forest* forest, int32_t stone, int32_t root) noexcept nogil:
    """Append a stone to the list of its tree."""
    forest.root[stone] = root
    forest.older[stone] = forest.newest[root]
    forest.newest[root] = stone


cdef inline void enqueue(Forest* forest, int32_t stone) noexcept nogil:
    """Let an outer stone be scanned, once."""
    cdef int32_t place
    if not forest.label[stone] & QUEUED:
        forest.label[stone] |= QUEUED
        place = forest.head + forest.waiting
        forest.queue[place - forest.graph.size if place >= forest.graph.size else place] = stone
        forest.waiting += 1


cdef inline void let_loose(Forest* forest, int32_t stone) noexcept nogil:
    """Remember a stone outside all trees, for which there may be a place."""
    if not forest.label[stone] & LOOSE:
        forest.label[stone] |= LOOSE
        forest.loose[forest.loosened] = stone
        forest.loosened += 1
