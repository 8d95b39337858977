"""Maximum matching in the graph of the remaining stones, joined if one divides the other.

A forest of alternating trees grows from all unmatched stones of a matching (Edmonds, "Paths, trees,
and flowers", 1965). Where two trees meet, the matching gains a pair along the path between their
roots; where a tree meets itself after an even number of steps on both sides, it closes an odd
cycle, of which all stones count as outer. When nothing is left to scan, the matching is a maximum
and the outer stones are those that some maximum matching misses: the set D of the Gallai-Edmonds
decomposition. The inner ones are A, and C is outside.

The first forest is that of the search in blossom.pyx. It is never grown anew. When two trees meet,
or a stone of a tree is taken, these trees alone are dissolved, and their stones look for a place in
the trees around.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free

from core.take_stones.alternating cimport (
    INNER, LABEL, OUTER, OUTSIDE, TAKEN, Vertex, base_of, common_base, flip,
)
from core.take_stones.blossom cimport close_search, match_all, open_search
from core.take_stones.deadline cimport charge, spend
from core.take_stones.forest cimport (
    KEPT, LOOSE, OPEN, QUEUED, Forest, enqueue, is_outer, join, let_loose,
)
from core.take_stones.graph cimport close_graph, degree_of, open_vertices, store_all
from core.take_stones.huge_pages cimport allocate
from core.take_stones.piece cimport (
    absorb, be_late, close_piece, drop, enter, extend, is_whole, keep, leave, touch_way,
)

cdef enum:
    SCAN_STEPS = 16         # of a scan without neighbours, about


cdef int open(Forest* forest, int32_t n) except -1 nogil:
    """Make a forest without trees. Raises MemoryError."""
    forest.n = n
    open_vertices(&forest.graph, n)
    open_search(&forest.search, &forest.graph, &forest.deadline)
    forest.newest = <int32_t*>allocate((n + <int64_t>1) * sizeof(int32_t))
    forest.older = <int32_t*>allocate((n + <int64_t>1) * sizeof(int32_t))
    forest.vertex = forest.search.vertex
    forest.base = forest.search.base
    forest.label = forest.search.label
    forest.root = forest.search.root
    forest.queue = forest.search.queue
    forest.loose = forest.search.left
    return 0


cdef void close(Forest* forest) noexcept nogil:
    close_graph(&forest.graph)
    close_search(&forest.search)
    close_piece(forest)
    free(forest.newest)
    free(forest.older)


cdef inline void put_in(Forest* forest, int32_t stone, int32_t root, int label) noexcept nogil:
    """Make a stone part of a tree."""
    forest.label[stone] = label | forest.label[stone] & ~LABEL
    forest.base[stone] = stone
    join(forest, stone, root)
    if label == OUTER:
        enqueue(forest, stone)


cdef inline void plant(Forest* forest, int32_t stone) noexcept nogil:
    """Begin a tree at an unmatched stone."""
    forest.newest[stone] = 0
    put_in(forest, stone, stone, OUTER)


cdef inline void grow(Forest* forest, int32_t outer, int32_t stone) noexcept nogil:
    """Put a stone that is in no tree below an outer one, and its mate below it."""
    cdef int32_t root = forest.root[outer], mate = forest.vertex[stone].mate
    if forest.piece.base and (forest.piece.mark[stone] | forest.piece.mark[mate]) & KEPT:
        enter(forest, outer, stone)
    forest.vertex[stone].parent = outer
    put_in(forest, stone, root, INNER)
    put_in(forest, mate, root, OUTER)


cdef void shrink(Forest* forest, int32_t stone, int32_t other, int32_t base) noexcept nogil:
    """Join the way from a stone up to a base with the odd cycle that the edge to `other` closes."""
    cdef Vertex* vertex = forest.vertex
    while base_of(forest.base, stone) != base:
        vertex[stone].parent = other
        other = vertex[stone].mate
        if forest.label[other] & LABEL == INNER:
            forest.label[other] = OUTER | forest.label[other] & ~LABEL
            enqueue(forest, other)
        if forest.base[stone] == stone:
            forest.base[stone] = base
        if forest.base[other] == other:
            forest.base[other] = base
        stone = vertex[other].parent


cdef void dissolve(Forest* forest, int32_t root) noexcept nogil:
    """Put the stones of a tree outside, and let those loose that an outer stone may be next to.

    An outer stone that was scanned has no outer neighbour in another tree: they would have met.
    """
    cdef int32_t stone = forest.newest[root]
    cdef uint8_t label
    while stone:
        charge(&forest.deadline, 1)
        label = forest.label[stone]
        forest.label[stone] = label & ~LABEL
        if label & LABEL == INNER or label & QUEUED:
            let_loose(forest, stone)
        if forest.piece.base:
            if forest.piece.mark[stone] & KEPT:
                forest.vertex[stone].parent = forest.piece.parent[stone]
                forest.base[stone] = forest.piece.base
            elif root == forest.piece.guest:
                be_late(forest, stone)
        stone = forest.older[stone]
    if root == forest.piece.guest:
        leave(forest)


cdef int32_t outer_neighbour(Forest* forest, int32_t stone) noexcept nogil:
    """An outer neighbour of a stone, or 0."""
    cdef int64_t edge
    cdef int32_t other
    for edge in range(forest.graph.start[stone], forest.graph.start[stone + 1]):
        other = forest.graph.neighbour[edge]
        if other > forest.n:
            break
        if forest.label[other] & LABEL == OUTER:
            return other
    return 0


cdef int settle_one(Forest* forest) except -1 nogil:
    """Find a place below an outer stone for the stone that was let loose last.

    Raises the exception of a signal, and TimeoutError, before anything has changed.
    """
    cdef int32_t stone = forest.loose[forest.loosened - 1], outer
    spend(&forest.deadline, SCAN_STEPS + degree_of(&forest.graph, stone))
    forest.loosened -= 1
    forest.label[stone] &= ~LOOSE
    if forest.label[stone] & LABEL == OUTSIDE:
        outer = outer_neighbour(forest, stone)
        if outer:
            grow(forest, outer, stone)
        elif forest.piece.base:
            be_late(forest, stone)
    return 0


cdef bint meet(Forest* forest, int32_t stone, int32_t other) noexcept nogil:
    """Join an outer stone, which is being scanned, and another one.

    Returns whether they were of two trees, which are gone.
    """
    cdef int32_t base
    if forest.root[stone] != forest.root[other]:
        if forest.piece.mark:
            keep(forest, forest.root[stone], stone)
            keep(forest, forest.root[other], stone)
        if forest.piece.base:
            touch_way(forest, stone)
            touch_way(forest, other)
        flip(forest.vertex, stone, other)
        flip(forest.vertex, other, stone)
        dissolve(forest, forest.root[stone])
        dissolve(forest, forest.root[other])
        return True
    if base_of(forest.base, stone) != base_of(forest.base, other):
        forest.search.visit += 1
        base = common_base(forest.vertex, forest.base, stone, other, forest.search.visit)
        shrink(forest, stone, other, base)
        shrink(forest, other, stone, base)
    return False


cdef inline bint is_out_of_bounds(
    const Forest* forest, int32_t stone, int32_t other
) noexcept nogil:
    """Return whether the tree of a stone may not grow to another one yet."""
    return (
        forest.piece.is_narrow
        and forest.piece.mark[other] & (KEPT | OPEN) == KEPT
        and forest.root[stone] == forest.piece.guest
    )


cdef void scan(Forest* forest, int32_t stone) noexcept nogil:
    """Look from an outer stone at all its neighbours."""
    cdef const int32_t* neighbour = forest.graph.neighbour + forest.graph.start[stone]
    cdef const int32_t* base = forest.base
    cdef const uint8_t* label = forest.label
    cdef int32_t i, other
    for i in range(degree_of(&forest.graph, stone)):
        other = neighbour[i]
        if other > forest.n:
            return
        if label[other] & LABEL == OUTSIDE:
            if not is_out_of_bounds(forest, stone, other):
                grow(forest, stone, other)
        # Those with the same base are in one odd cycle already.
        elif label[other] & LABEL == OUTER and base[other] != base[stone]:
            if meet(forest, stone, other):
                let_loose(forest, stone)    # not all of its neighbours were looked at
                return


cdef int scan_next(Forest* forest) except -1 nogil:
    """Scan the stone that has waited longest.

    Raises the exception of a signal, and TimeoutError, before anything has changed.
    """
    cdef int32_t stone = forest.queue[forest.head]
    spend(&forest.deadline, SCAN_STEPS + degree_of(&forest.graph, stone))
    forest.head = forest.head + 1 if forest.head + 1 < forest.graph.size else 0
    forest.waiting -= 1
    forest.label[stone] &= ~QUEUED
    if is_outer(forest, stone):
        scan(forest, stone)
        if forest.piece.guest and is_whole(forest):
            absorb(forest)
    return 0


cdef int scan_all(Forest* forest) except -1 nogil:
    """Scan until nothing waits: then the matching is a maximum, and the outer stones are D."""
    while forest.waiting or forest.loosened or forest.piece.is_narrow:
        if forest.waiting:
            scan_next(forest)
        elif forest.loosened:
            # Late, as most loose stones are found by outer ones that are scanned meanwhile.
            settle_one(forest)
        else:
            spend(&forest.deadline, SCAN_STEPS)
            extend(forest)
    if forest.piece.guest:
        drop(forest)
    return 0


cdef int grow_all(Forest* forest) except -1 nogil:
    """Find a maximum matching and its forest for the stones that are not labelled TAKEN."""
    cdef int32_t stone
    store_all(&forest.graph, &forest.deadline)
    match_all(&forest.search)
    for stone in range(forest.graph.size, 0, -1):
        spend(&forest.deadline, 1)
        forest.newest[stone] = 0
        forest.label[stone] &= LABEL
    for stone in range(forest.graph.size, 0, -1):
        spend(&forest.deadline, 1)
        if forest.label[stone] == OUTER or forest.label[stone] == INNER:
            join(forest, stone, forest.root[stone])
    return 0


cdef void remove(Forest* forest, int32_t stone) noexcept nogil:
    """Take a stone out of the graph."""
    cdef int label = forest.label[stone] & LABEL
    cdef int32_t root = forest.root[stone], mate
    if label == OUTER:
        # Some matching that is as large misses it: no mate is left to look for another.
        flip(forest.vertex, stone, 0)
        dissolve(forest, root)
    else:
        if label == INNER:
            dissolve(forest, root)
            plant(forest, root)
        mate = forest.vertex[stone].mate
        forest.vertex[stone].mate = forest.vertex[mate].mate = 0
        plant(forest, mate)
    forest.label[stone] |= TAKEN


cdef void put_back(Forest* forest, int32_t stone) noexcept nogil:
    """Return a stone to the graph, as a root."""
    forest.label[stone] &= ~LABEL
    plant(forest, stone)


cdef void shorten(Forest* forest, int32_t n) noexcept nogil:
    """Leave `n` stones on a forest that has not grown yet."""
    cdef int32_t stone
    for stone in range(n + 1, forest.n + 1):
        forest.label[stone] = TAKEN
    forest.n = n


cdef void lengthen(Forest* forest) noexcept nogil:
    """Add the next stone, as a root."""
    forest.n += 1
    put_back(forest, forest.n)
