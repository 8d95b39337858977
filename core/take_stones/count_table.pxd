"""A table of counted subtrees, of fixed size, which several threads share.

A position has one bucket, with room for two subtrees: the one with the most nodes and the latest
other. Counts are never wrong, but may be missing: a bucket keeps whole positions to compare, not
their hashes, and is locked for each access.
"""

from libc.stdint cimport uint64_t
from posix.mman cimport (
    MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE, PROT_READ, PROT_WRITE, madvise, mmap, munmap,
)

from core.prefetch cimport prefetch
from core.splitmix cimport STEP, mixed
from core.take_stones.huge_pages cimport MADV_HUGEPAGE


cdef extern from *:
    enum: ACQUIRE "__ATOMIC_ACQUIRE"
    enum: RELEASE "__ATOMIC_RELEASE"
    int exchange "__atomic_exchange_n"(int* target, int value, int order) noexcept nogil
    void store "__atomic_store_n"(int* target, int value, int order) noexcept nogil


cdef enum:
    DEPTH_BITS = 16             # of a word, below the number of evaluated nodes
    TAG_BITS = 16               # of a word, below the number of visited nodes
    WON = 1 << 9                # bit of a tag, above the last stone and the window


cdef struct Count:
    # Of a subtree, in nodes and plies, and whether the player to move at its root wins.
    uint64_t visited
    uint64_t evaluated
    uint64_t depth
    bint won


cdef struct Entry:
    uint64_t stones
    uint64_t visited        # and the tag, which is never 0 in an entry that is used
    uint64_t evaluated      # and the depth


cdef struct Bucket:
    int locked
    Entry most
    Entry latest
    uint64_t unused         # to the end of a cache line


cdef struct Table:
    Bucket* buckets
    uint64_t size           # bytes
    int shift               # from a hash to the number of a bucket


cdef inline bint open_table(Table* table, int bits) noexcept nogil:
    """Make an empty table of 2 to the power of `bits` buckets. Returns whether there was memory."""
    table.size = sizeof(Bucket) << bits
    table.shift = 64 - bits
    # Pages are zero, and take memory, when they are first used.
    cdef void* pages = mmap(
        NULL, table.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0
    )
    if pages == MAP_FAILED:
        return False
    madvise(pages, table.size, MADV_HUGEPAGE)
    table.buckets = <Bucket*>pages
    return True


cdef inline void close_table(Table* table) noexcept nogil:
    if table.buckets is not NULL:
        munmap(table.buckets, table.size)


cdef inline Bucket* bucket_of(Table* table, uint64_t stones, uint64_t tag) noexcept nogil:
    return table.buckets + (mixed(stones ^ tag * <uint64_t>STEP) >> table.shift)


cdef inline void lock(Bucket* bucket) noexcept nogil:
    while exchange(&bucket.locked, 1, ACQUIRE):
        pass


cdef inline bint matches(const Entry* entry, uint64_t stones, uint64_t tag) noexcept nogil:
    return entry.stones == stones and entry.visited & (WON - 1) == tag


cdef inline bint find(Bucket* bucket, uint64_t stones, uint64_t tag, Count* count) noexcept nogil:
    """Return whether the bucket has a position, with its count."""
    cdef Entry* entry
    cdef bint found
    lock(bucket)
    entry = &bucket.most
    if not matches(entry, stones, tag):
        entry = &bucket.latest
    found = matches(entry, stones, tag)
    if found:
        count.visited = entry.visited >> TAG_BITS
        count.evaluated = entry.evaluated >> DEPTH_BITS
        count.depth = entry.evaluated & ((1 << DEPTH_BITS) - 1)
        count.won = entry.visited & WON != 0
    store(&bucket.locked, 0, RELEASE)
    return found


cdef inline void keep(Bucket* bucket, uint64_t stones, uint64_t tag, const Count* count) noexcept nogil:
    """Put a position into the bucket, unless its count is too large for an entry."""
    cdef Entry* entry
    if count.visited >> (64 - TAG_BITS):
        return
    lock(bucket)
    entry = &bucket.latest
    if count.visited >= bucket.most.visited >> TAG_BITS:
        bucket.latest = bucket.most
        entry = &bucket.most
    entry.stones = stones
    entry.visited = count.visited << TAG_BITS | tag | (WON if count.won else 0)
    entry.evaluated = count.evaluated << DEPTH_BITS | count.depth
    store(&bucket.locked, 0, RELEASE)
