"""A maximum matching of the remaining stones, and the forest that shows which ones it may miss.

See matching.pyx. `open` and `grow_all` make the forest of a position; `remove` and `put_back` change
the position, and `scan_all` then makes forest and matching whole again.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from core.take_stones.deadline cimport Deadline

cdef enum Label:
    # The place of a stone in the forest.
    OUTSIDE             # in no tree
    OUTER               # an even number of steps from a root, also by way of an odd cycle
    INNER               # an odd number of steps only
    TAKEN
    LABEL = 3           # the bits of a label
    QUEUED = 4          # one more bit: waits to be scanned
    LOOSE = 8           # one more bit: was in a tree that is dissolved


cdef enum:
    LARGEST = 0x3FFFFFFF        # stones: twice a stone is a number of 32 bits
    SCAN_STEPS = 16             # of a scan without multiples, about
    STONE_BYTES = 51            # of memory for each stone, in all arrays of a Forest


cdef struct Forest:
    int32_t n               # stones
    int32_t room            # stones that the arrays hold
    uint16_t* smallest      # the smallest prime factor of a number, 0 for a prime
    uint8_t* label
    int32_t* mate           # 0: unmatched
    int32_t* parent         # of an inner stone; in odd cycles, the way round that ends even
    int32_t* base           # of the odd cycles that a stone is in, by way of others
    int32_t* root
    int32_t* newest         # of a root: the stone that joined its tree last
    int32_t* older          # the stone that joined the same tree before
    int32_t* mark           # the last search for a common ancestor that came by
    int32_t search
    int32_t* queue          # outer stones to scan, a ring
    int32_t head
    int32_t waiting
    int32_t* loose          # the stones of dissolved trees
    int32_t loosened
    int32_t* order          # of the first searches
    Deadline deadline


cdef bint open(Forest* forest, int32_t n) noexcept nogil
cdef void close(Forest* forest) noexcept nogil
cdef int grow_all(Forest* forest) except -1 nogil
cdef int scan_all(Forest* forest) except -1 nogil
cdef void remove(Forest* forest, int32_t stone) noexcept nogil
cdef void put_back(Forest* forest, int32_t stone) noexcept nogil
cdef void shorten(Forest* forest, int32_t n) noexcept nogil
cdef void lengthen(Forest* forest) noexcept nogil

