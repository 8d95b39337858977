# cython: cdivision=True
"""Maximum matching in the graph of the remaining stones, joined if one divides the other.

A forest of alternating trees grows from all unmatched stones of a matching (Edmonds, "Paths, trees,
and flowers", 1965). Where two trees meet, the matching gains a pair along the path between their
roots; where a tree meets itself after an even number of steps on both sides, it closes an odd
cycle, of which all stones count as outer. When nothing is left to scan, the matching is a maximum
and the outer stones are those that some maximum matching misses: the set D of the Gallai-Edmonds
decomposition. The inner ones are A, and C is outside.

The forest is never grown anew. When two trees meet, or a stone of a tree is taken, these trees alone
are dissolved, and their stones look for a place in the trees around. The graph is never stored:
multiples are arithmetic, and factors follow from the smallest prime factors.
"""

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free

from core.take_stones.deadline cimport spend
from core.take_stones.factors cimport MOST_FACTORS, count_factors, factors, fill_sieve


cdef void close(Forest* forest) noexcept nogil:
    free(forest.smallest)
    free(forest.label)
    free(forest.mate)
    free(forest.parent)
    free(forest.base)
    free(forest.root)
    free(forest.newest)
    free(forest.older)
    free(forest.mark)
    free(forest.queue)
    free(forest.loose)
    free(forest.order)


cdef int32_t* numbers(int32_t n) noexcept nogil:
    return <int32_t*>calloc(n + 1, sizeof(int32_t))


cdef bint open(Forest* forest, int32_t n) noexcept nogil:
    """Make a forest without trees. Returns whether there was memory for it."""
    forest.n = forest.room = n
    forest.deadline.time = INFINITY
    forest.smallest = <uint16_t*>calloc(n + 1, sizeof(uint16_t))
    forest.label = <uint8_t*>calloc(n + 1, sizeof(uint8_t))
    forest.mate = numbers(n)
    forest.parent = numbers(n)
    forest.base = numbers(n)
    forest.root = numbers(n)
    forest.newest = numbers(n)
    forest.older = numbers(n)
    forest.mark = numbers(n)
    forest.queue = numbers(n)
    forest.loose = numbers(n)
    forest.order = numbers(n)
    return (
        forest.smallest and forest.label and forest.mate and forest.parent and forest.base
        and forest.root and forest.newest and forest.older and forest.mark and forest.queue
        and forest.loose and forest.order
    )


cdef int match_greedily(Forest* forest) except -1 nogil:
    """Match each stone, from the middle down, with its largest multiple that is unmatched."""
    cdef int32_t stone, multiple
    cdef int32_t* mate = forest.mate
    for stone in range(forest.n // 2, 0, -1):
        spend(&forest.deadline, 1)
        if mate[stone] or forest.label[stone] == TAKEN:
            continue
        spend(&forest.deadline, forest.n // stone)
        multiple = forest.n - forest.n % stone
        while multiple > stone:
            if not mate[multiple] and forest.label[multiple] != TAKEN:
                mate[stone] = multiple
                mate[multiple] = stone
                break
            multiple -= stone
    return 0


cdef inline void put_in(Forest* forest, int32_t stone, int32_t root, int label) noexcept nogil:
    """Make a stone part of a tree."""
    forest.label[stone] = label | forest.label[stone] & ~LABEL
    forest.root[stone] = root
    forest.base[stone] = stone
    forest.older[stone] = forest.newest[root]
    forest.newest[root] = stone
    if label == OUTER:
        enqueue(forest, stone)


cdef inline void enqueue(Forest* forest, int32_t stone) noexcept nogil:
    """Let an outer stone be scanned, once."""
    cdef int32_t place
    if not forest.label[stone] & QUEUED:
        forest.label[stone] |= QUEUED
        place = forest.head + forest.waiting
        forest.queue[place - forest.room if place >= forest.room else place] = stone
        forest.waiting += 1


cdef inline void plant(Forest* forest, int32_t stone) noexcept nogil:
    """Begin a tree at an unmatched stone."""
    forest.newest[stone] = 0
    put_in(forest, stone, stone, OUTER)


cdef inline void grow(Forest* forest, int32_t outer, int32_t stone) noexcept nogil:
    """Put a stone that is in no tree below an outer one, and its mate below it."""
    cdef int32_t root = forest.root[outer]
    forest.parent[stone] = outer
    put_in(forest, stone, root, INNER)
    put_in(forest, forest.mate[stone], root, OUTER)


cdef inline int32_t base_of(Forest* forest, int32_t stone) noexcept nogil:
    """The stone at which the odd cycles begin that a stone is in; itself, if it is in none."""
    cdef int32_t* base = forest.base
    while base[stone] != stone:
        base[stone] = base[base[stone]]     # shortens the way for the next time
        stone = base[stone]
    return stone


cdef int32_t common_ancestor(Forest* forest, int32_t one, int32_t two) noexcept nogil:
    """The base of two outer stones of a tree at which their ways to the root meet."""
    forest.search += 1
    while True:
        if one:
            one = base_of(forest, one)
            if forest.mark[one] == forest.search:
                return one
            forest.mark[one] = forest.search
            one = forest.parent[forest.mate[one]] if forest.mate[one] else 0
        one, two = two, one


cdef void shrink(Forest* forest, int32_t stone, int32_t other, int32_t base) noexcept nogil:
    """Join the way from a stone up to a base with the odd cycle that the edge to `other` closes."""
    while base_of(forest, stone) != base:
        forest.parent[stone] = other
        other = forest.mate[stone]
        if forest.label[other] & LABEL == INNER:
            forest.label[other] = OUTER | forest.label[other] & ~LABEL
            enqueue(forest, other)
        if base_of(forest, stone) == stone:
            forest.base[stone] = base
        if base_of(forest, other) == other:
            forest.base[other] = base
        stone = forest.parent[other]


cdef void flip(Forest* forest, int32_t stone, int32_t other) noexcept nogil:
    """Match an outer stone with another, and all on its way to the root anew."""
    cdef int32_t* mate = forest.mate
    cdef int32_t left = mate[stone]
    mate[stone] = other
    while left:
        other = left
        stone = forest.parent[other]
        left = mate[stone]
        mate[other] = stone
        mate[stone] = other


cdef inline void let_loose(Forest* forest, int32_t stone) noexcept nogil:
    """Remember a stone outside all trees, for which there may be a place."""
    if not forest.label[stone] & LOOSE:
        forest.label[stone] |= LOOSE
        forest.loose[forest.loosened] = stone
        forest.loosened += 1


cdef void dissolve(Forest* forest, int32_t root) noexcept nogil:
    """Let the stones of a tree loose."""
    cdef int32_t stone = forest.newest[root]
    while stone:
        forest.label[stone] &= ~LABEL
        let_loose(forest, stone)
        stone = forest.older[stone]


cdef int32_t outer_neighbour(Forest* forest, int32_t stone) noexcept nogil:
    """An outer neighbour of a stone, or 0."""
    cdef int32_t[MOST_FACTORS] found
    cdef int count, i
    cdef int32_t other
    cdef uint8_t* label = forest.label
    count = factors(forest.smallest, stone, found)
    for i in range(count):
        if label[found[i]] & LABEL == OUTER:
            return found[i]
    other = 2 * stone
    while other <= forest.n:
        if label[other] & LABEL == OUTER:
            return other
        other += stone
    return 0


cdef void settle_one(Forest* forest) noexcept nogil:
    """Find a place below an outer stone for the loose stone that was nearest to its old root."""
    cdef int32_t stone, outer
    forest.loosened -= 1
    stone = forest.loose[forest.loosened]
    forest.label[stone] &= ~LOOSE
    if forest.label[stone] & LABEL == OUTSIDE:
        outer = outer_neighbour(forest, stone)
        if outer:
            grow(forest, outer, stone)


cdef inline bint meet(Forest* forest, int32_t stone, int32_t other) noexcept nogil:
    """Look from an outer stone at a neighbour. Returns whether the trees of both are gone."""
    cdef int label = forest.label[other] & LABEL
    cdef int32_t base
    if label == OUTSIDE:
        if not forest.mate[other]:
            flip(forest, stone, other)
            forest.mate[other] = stone
            dissolve(forest, forest.root[stone])
            return True
        grow(forest, stone, other)
    elif label == OUTER:
        if forest.root[stone] != forest.root[other]:
            flip(forest, stone, other)
            flip(forest, other, stone)
            dissolve(forest, forest.root[stone])
            dissolve(forest, forest.root[other])
            return True
        if base_of(forest, stone) != base_of(forest, other):
            base = common_ancestor(forest, stone, other)
            shrink(forest, stone, other, base)
            shrink(forest, other, stone, base)
    return False


cdef void scan(Forest* forest, int32_t stone) noexcept nogil:
    """Look from an outer stone at all its neighbours."""
    cdef int32_t[MOST_FACTORS] found
    cdef int count, i
    cdef int32_t other = 2 * stone
    while other <= forest.n:
        if meet(forest, stone, other):
            return
        other += stone
    count = factors(forest.smallest, stone, found)
    for i in range(count):
        if meet(forest, stone, found[i]):
            return


cdef int scan_next(Forest* forest) except -1 nogil:
    """Scan the stone that has waited longest.

    Raises the exception of a signal, and TimeoutError, before anything has changed.
    """
    cdef int32_t stone = forest.queue[forest.head]
    spend(&forest.deadline, SCAN_STEPS + forest.n // stone)
    forest.head = forest.head + 1 if forest.head + 1 < forest.room else 0
    forest.waiting -= 1
    forest.label[stone] &= ~QUEUED
    if forest.label[stone] & LABEL == OUTER:
        scan(forest, stone)
    return 0


cdef int scan_all(Forest* forest) except -1 nogil:
    """Scan until nothing waits: then the matching is a maximum, and the outer stones are D."""
    while forest.waiting or forest.loosened:
        if forest.waiting:
            scan_next(forest)
        else:
            # Last, as most loose stones are found by outer ones that are scanned meanwhile.
            settle_one(forest)
    return 0


cdef int neighbours(Forest* forest, int32_t stone) noexcept nogil:
    """How many factors and multiples a stone has, but at most MOST_FACTORS."""
    return min(count_factors(forest.smallest, stone) + forest.n // stone - 1, MOST_FACTORS)


cdef int64_t sort_unmatched(Forest* forest) except -1 nogil:
    """Put the unmatched stones in order, the fewest neighbours first. Returns their number."""
    cdef int32_t[MOST_FACTORS + 2] starts
    cdef int32_t stone
    cdef int64_t count = 0
    cdef int i
    for i in range(MOST_FACTORS + 2):
        starts[i] = 0
    for stone in range(1, forest.n + 1):
        spend(&forest.deadline, 1)
        if not forest.mate[stone] and forest.label[stone] != TAKEN:
            starts[neighbours(forest, stone) + 1] += 1
            count += 1
    for i in range(MOST_FACTORS + 1):
        starts[i + 1] += starts[i]
    for stone in range(1, forest.n + 1):
        spend(&forest.deadline, 1)
        if not forest.mate[stone] and forest.label[stone] != TAKEN:
            i = neighbours(forest, stone)
            forest.order[starts[i]] = stone
            starts[i] += 1
    return count


cdef int grow_all(Forest* forest) except -1 nogil:
    """Find a maximum matching and its forest for the stones that are not labelled TAKEN."""
    cdef int64_t i, count
    cdef int32_t stone
    fill_sieve(forest.smallest, forest.room, &forest.deadline)
    match_greedily(forest)
    # One tree at a time, from a stone with few neighbours first: these find their short ways
    # before others have used them up, which takes a tenth of the scans of the opposite order.
    count = sort_unmatched(forest)
    for i in range(count):
        stone = forest.order[i]
        if forest.mate[stone]:
            continue
        plant(forest, stone)
        while forest.waiting:
            scan_next(forest)
        # A tree that met an unmatched stone is dissolved. Earlier trees met none: they have no
        # stone outside next to an outer one, so that there is no place for a loose stone.
        while forest.loosened:
            forest.loosened -= 1
            forest.label[forest.loose[forest.loosened]] &= ~LOOSE
    return 0


cdef void remove(Forest* forest, int32_t stone) noexcept nogil:
    """Take a stone out of the graph."""
    cdef int label = forest.label[stone] & LABEL
    cdef int32_t root = forest.root[stone], mate
    if label == OUTER:
        # Some matching that is as large misses it: no mate is left to look for another.
        flip(forest, stone, 0)
        dissolve(forest, root)
    else:
        if label == INNER:
            dissolve(forest, root)
            plant(forest, root)
        mate = forest.mate[stone]
        forest.mate[stone] = forest.mate[mate] = 0
        plant(forest, mate)
    forest.label[stone] |= TAKEN


cdef void put_back(Forest* forest, int32_t stone) noexcept nogil:
    """Return a stone to the graph, as a root."""
    forest.label[stone] &= ~LABEL
    plant(forest, stone)


cdef void shorten(Forest* forest, int32_t n) noexcept nogil:
    """Leave `n` stones on a forest that has not grown yet."""
    forest.n = n


cdef void lengthen(Forest* forest) noexcept nogil:
    """Add the next stone, as a root."""
    forest.n += 1
    plant(forest, forest.n)
