"""The transposition table of the strong search: what is known about positions visited before.

Each move fills a square, so that positions of different plies are never equal: a value holds
wherever its position is met again, those of wins and losses too.
"""

from libc.stdint cimport int8_t, int16_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from posix.stdlib cimport posix_memalign

from core.isolation.board cimport Squares, play_squares
from core.prefetch cimport prefetch
from core.splitmix cimport chained


cdef enum:
    CACHE_LINE = 64         # bytes; no pair of entries crosses its end
    CACHED_PAIRS = 1 << 15  # of a table that stays in the processor's cache: 1 MiB


cdef enum Bound:
    AT_LEAST
    AT_MOST
    EXACT


cdef struct Entry:
    uint64_t key
    int16_t value
    int8_t depth            # in plies; 0 in an unused entry
    int8_t move             # the best one, -1 if there is none
    int8_t bound


cdef struct Table:
    Entry* entries
    uint64_t mask           # number of pairs of entries, a power of two, less one
    uint64_t used           # number of entries that hold something


cdef inline uint64_t key_of(Squares* node) noexcept nogil:
    """A key for the position: its squares, its pieces, and who is to move."""
    return chained(chained(0, node.occupied), node.mover << 6 | node.last)


cdef inline bint create(Table* table, uint64_t pairs) noexcept nogil:
    """Create an empty table of a power of two pairs of entries; return whether there is memory."""
    cdef size_t size = 2 * pairs * sizeof(Entry)
    if posix_memalign(<void**>&table.entries, CACHE_LINE, size):
        table.entries = NULL
        return False
    memset(table.entries, 0, size)
    table.mask = pairs - 1
    table.used = 0
    return True


cdef inline void fetch(const Table* table, uint64_t key) noexcept nogil:
    """Let the entries of a position come to the processor, which does not wait for them."""
    prefetch(&table.entries[2 * (key & table.mask)])


cdef inline void fetch_child(const Table* table, const Squares* node, int move) noexcept nogil:
    """Let the entries of a child come early, while the child before it is searched."""
    cdef Squares child
    if table.mask >= CACHED_PAIRS:
        child = node[0]
        play_squares(&child, move)
        fetch(table, key_of(&child))


cdef inline Entry* find(Table* table, uint64_t key) noexcept nogil:
    """The entry of a position, NULL if there is none."""
    cdef Entry* pair = &table.entries[2 * (key & table.mask)]
    if pair[0].key == key:
        return &pair[0]
    return &pair[1] if pair[1].key == key else NULL


cdef inline void store(
    Table* table, uint64_t key, int value, int depth, int move, Bound bound
) noexcept nogil:
    """Store the result of a search; the first entry of a pair keeps the deeper one."""
    cdef Entry* entry = &table.entries[2 * (key & table.mask)]
    if entry.key != key and entry.depth > depth:
        entry += 1
    table.used += entry.depth == 0
    entry.key = key
    entry.value = value
    entry.depth = depth
    entry.move = move
    entry.bound = bound


cdef inline void grow(Table* table, uint64_t most) noexcept nogil:
    """Double a table that is half full, to `most` pairs at most, if there is memory for it."""
    cdef Table larger
    cdef Entry* entry
    cdef uint64_t number
    if table.used <= table.mask or table.mask + 1 >= most:
        return
    if not create(&larger, 2 * (table.mask + 1)):
        return
    for number in range(2 * (table.mask + 1)):
        entry = &table.entries[number]
        if entry.depth:
            store(&larger, entry.key, entry.value, entry.depth, entry.move, <Bound>entry.bound)
    free(table.entries)
    table[0] = larger
