"""Alternating trees, and the odd cycles in them.

A tree begins at an unmatched vertex, its root. From there every second edge is one of the matching.
An outer vertex is an even number of steps from the root, an inner one an odd number only. An edge
between two outer vertices of a tree closes an odd cycle. All its vertices become outer, as one of
the two ways round is even, and they have one base, where the cycle begins.
"""

from libc.stdint cimport int32_t

cdef enum Label:
    # The place of a vertex in the trees.
    OUTSIDE             # in no tree, and matched
    OUTER
    INNER
    TAKEN               # no part of the graph
    LABEL = 3           # the bits of the above


cdef struct Vertex:
    int32_t mate        # 0: unmatched
    int32_t parent      # of an inner vertex; in odd cycles, the way round that ends even
    int32_t visit       # the last search for a common base that came by


cdef inline int32_t base_of(int32_t* base, int32_t vertex) noexcept nogil:
    """Return the vertex at which the odd cycles of a vertex begin; itself, if it is in none.

    An odd cycle that was found later has the base of a base.
    """
    while base[vertex] != vertex:
        base[vertex] = base[base[vertex]]       # shortens the way for the next time
        vertex = base[vertex]
    return vertex


cdef inline int32_t common_base(
    Vertex* vertices, int32_t* base, int32_t one, int32_t two, int32_t visit
) noexcept nogil:
    """Return the base at which the ways of two outer vertices of a tree to the root meet.

    `visit` is a new number for each call.
    """
    while True:
        if one:
            one = base_of(base, one)
            if vertices[one].visit == visit:
                return one
            vertices[one].visit = visit
            one = vertices[vertices[one].mate].parent if vertices[one].mate else 0
        one, two = two, one


cdef inline void flip(Vertex* vertices, int32_t outer, int32_t other) noexcept nogil:
    """Match an outer vertex with another, and all on its way to the root anew."""
    cdef int32_t left = vertices[outer].mate
    vertices[outer].mate = other
    while left:
        other = left
        outer = vertices[other].parent
        left = vertices[outer].mate
        vertices[other].mate = outer
        vertices[outer].mate = other
