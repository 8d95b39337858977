# cython: cdivision=True
"""A maximum matching of a stored graph, from nothing, by one alternating tree after the other.

This is Edmonds' algorithm ("Paths, trees, and flowers", 1965). A tree grows from an unmatched
vertex. If it finds another one, the matching gains a pair along the path between them, and the tree
is forgotten. If it finds none, it is frozen: no later tree can use its vertices. In the end the
outer vertices of the frozen trees are those that some maximum matching misses, the set D of the
Gallai-Edmonds decomposition, and the inner ones are A.

Two habits decide the speed.

- *No greedy matching comes first.* The vertices come in the order of their degree, the fewest
  neighbours first. One with a free neighbour is matched with it; from any other a tree grows at
  once, while all vertices of a higher degree are still free. So it ends soon. After a greedy
  matching few vertices are free, and a tree floods the graph to find one.
- *Look-ahead.* A vertex that becomes outer looks for a free neighbour before anything else grows. A
  vertex that is not free never becomes free again. So each vertex looks at its neighbours from the
  last to the first, and never at one twice.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from core.take_stones.alternating cimport (
    INNER, OUTER, OUTSIDE, TAKEN, Vertex, base_of, common_base, flip,
)
from core.take_stones.deadline cimport spend
from core.take_stones.graph cimport degree_of
from core.take_stones.huge_pages cimport allocate

cdef enum:
    MOST_DEGREE = 4095          # vertices with more neighbours come in no order


cdef int open_search(Search* search, const Graph* graph, Deadline* deadline) except -1 nogil:
    """Make a search, in which no vertex is taken. Raises MemoryError."""
    cdef int64_t count = graph.size + <int64_t>1
    search.graph = graph
    search.deadline = deadline
    search.visit = 0
    search.vertex = <Vertex*>allocate(count * sizeof(Vertex))
    search.base = <int32_t*>allocate(count * sizeof(int32_t))
    search.label = <uint8_t*>allocate(count)
    search.root = <int32_t*>allocate(count * sizeof(int32_t))
    search.left = <int32_t*>allocate(count * sizeof(int32_t))
    search.queue = <int32_t*>allocate(count * sizeof(int32_t))
    memset(search.label, OUTSIDE, count)
    return 0


cdef void close_search(Search* search) noexcept nogil:
    free(search.vertex)
    free(search.base)
    free(search.label)
    free(search.root)
    free(search.left)
    free(search.queue)
    search.vertex = NULL
    search.label = NULL
    search.base = search.root = search.left = search.queue = NULL


cdef int match_all(Search* search) except -1 nogil:
    """Find a maximum matching, and freeze the tree of each vertex that it misses.

    Vertices that are labelled TAKEN are no part of the graph. Raises MemoryError.
    """
    cdef int32_t* order = <int32_t*>allocate((search.graph.size + <int64_t>1) * sizeof(int32_t))
    try:
        begin(search)
        sort_by_degree(search, order)
        match_in_order(search, order)
    finally:
        free(order)
    return 0


cdef int begin(Search* search) except -1 nogil:
    """Let all vertices of the graph be free."""
    cdef int32_t vertex
    for vertex in range(1, search.graph.size + 1):
        spend(search.deadline, 1)
        search.vertex[vertex] = Vertex(0, 0, 0)
        search.base[vertex] = vertex
        search.left[vertex] = degree_of(search.graph, vertex)
        if search.label[vertex] != TAKEN:
            search.label[vertex] = FREE
    return 0


cdef int sort_by_degree(Search* search, int32_t* order) except -1 nogil:
    """Write all vertices, those with the fewest neighbours first."""
    cdef int32_t[MOST_DEGREE + 2] starts
    cdef int32_t vertex, degree
    for degree in range(MOST_DEGREE + 2):
        starts[degree] = 0
    for vertex in range(1, search.graph.size + 1):
        spend(search.deadline, 1)
        starts[min(search.left[vertex], MOST_DEGREE) + 1] += 1
    for degree in range(MOST_DEGREE + 1):
        starts[degree + 1] += starts[degree]
    for vertex in range(1, search.graph.size + 1):
        spend(search.deadline, 1)
        degree = min(search.left[vertex], MOST_DEGREE)
        order[starts[degree]] = vertex
        starts[degree] += 1
    return 0


cdef int match_in_order(Search* search, const int32_t* order) except -1 nogil:
    """Match each vertex that is free when its turn comes, or freeze its tree."""
    cdef int32_t i, root
    for i in range(search.graph.size):
        spend(search.deadline, 1)
        root = order[i]
        if search.label[root] != FREE:
            continue
        search.label[root] = OUTSIDE
        if look_ahead(search, root):
            continue
        if grow_tree(search, root):
            forget_tree(search)
        else:
            freeze_tree(search, root)
    return 0


cdef inline bint look_ahead(Search* search, int32_t outer) noexcept nogil:
    """Match an outer vertex with a free neighbour. Returns whether there was one."""
    cdef const int32_t* neighbour = search.graph.neighbour + search.graph.start[outer]
    cdef const uint8_t* label = search.label
    cdef int32_t left = search.left[outer]
    while left and label[neighbour[left - 1]] != FREE:
        left -= 1
    search.left[outer] = left
    if left == 0:
        return False
    search.label[neighbour[left - 1]] = OUTSIDE
    search.vertex[neighbour[left - 1]].mate = outer
    flip(search.vertex, outer, neighbour[left - 1])
    return True


cdef bint grow_tree(Search* search, int32_t root) except -1 nogil:
    """Grow a tree from a vertex without free neighbours. Returns whether it met a free vertex."""
    cdef int32_t next = 0, outer
    search.queued = 0
    add_outer(search, root)
    while next < search.queued:
        outer = search.queue[next]
        next += 1
        spend(search.deadline, degree_of(search.graph, outer))
        if scan(search, outer):
            return True
    return False


cdef inline bint scan(Search* search, int32_t outer) noexcept nogil:
    """Look from an outer vertex at its neighbours. Returns whether the tree met a free vertex."""
    cdef const int32_t* neighbour = search.graph.neighbour + search.graph.start[outer]
    cdef const uint8_t* label = search.label
    cdef const int32_t* base = search.base
    cdef int32_t i, other
    for i in range(degree_of(search.graph, outer)):
        other = neighbour[i]
        if label[other] == OUTSIDE:
            if add_pair(search, outer, other):
                return True
        # Those with the same base are in one odd cycle already.
        elif label[other] == OUTER and base[other] != base[outer]:
            if close_cycle(search, outer, other):
                return True
    return False


cdef inline void add_outer(Search* search, int32_t vertex) noexcept nogil:
    """Put a vertex into the tree."""
    search.label[vertex] = OUTER
    search.base[vertex] = vertex
    search.queue[search.queued] = vertex
    search.queued += 1


cdef inline bint add_pair(Search* search, int32_t outer, int32_t other) noexcept nogil:
    """Put a matched vertex below an outer one, and its mate below it.

    Returns whether the mate had a free neighbour, and is matched with it.
    """
    cdef Vertex* inner = &search.vertex[other]
    search.label[other] = INNER
    inner.parent = outer
    search.base[other] = other
    add_outer(search, inner.mate)
    return look_ahead(search, inner.mate)


cdef bint close_cycle(Search* search, int32_t one, int32_t two) noexcept nogil:
    """Join two outer vertices of the tree, if their edge closes an odd cycle.

    Returns whether a vertex that became outer had a free neighbour, and is matched with it.
    """
    cdef int32_t i = search.queued, base
    if base_of(search.base, one) == base_of(search.base, two):
        return False
    search.visit += 1
    base = common_base(search.vertex, search.base, one, two, search.visit)
    shrink(search, one, two, base)
    shrink(search, two, one, base)
    while i < search.queued:
        if look_ahead(search, search.queue[i]):
            return True
        i += 1
    return False


cdef void shrink(Search* search, int32_t outer, int32_t other, int32_t base) noexcept nogil:
    """Join the way from an outer vertex up to a base with the odd cycle that `other` closes."""
    cdef Vertex* vertex = search.vertex
    while base_of(search.base, outer) != base:
        vertex[outer].parent = other
        other = vertex[outer].mate
        if search.label[other] == INNER:
            search.label[other] = OUTER
            search.queue[search.queued] = other
            search.queued += 1
        if search.base[outer] == outer:
            search.base[outer] = base
        if search.base[other] == other:
            search.base[other] = base
        outer = vertex[other].parent


cdef int forget_tree(Search* search) except -1 nogil:
    """Let the vertices of a tree that has found its pair be in no tree."""
    cdef int32_t i, outer
    for i in range(search.queued):
        spend(search.deadline, 1)
        outer = search.queue[i]
        search.label[outer] = OUTSIDE
        # An inner vertex has an outer one of its tree as its mate, before the flip and after it.
        search.label[search.vertex[outer].mate] = OUTSIDE
    return 0


cdef int freeze_tree(Search* search, int32_t root) except -1 nogil:
    """Let a tree that has found no free vertex be as it is for ever."""
    cdef int32_t i, outer, mate
    for i in range(search.queued):
        spend(search.deadline, 1)
        outer = search.queue[i]
        mate = search.vertex[outer].mate
        search.label[outer] = OUTER | FROZEN
        search.root[outer] = root
        if search.label[mate] == INNER:
            search.label[mate] = INNER | FROZEN
            search.root[mate] = root
    return 0
