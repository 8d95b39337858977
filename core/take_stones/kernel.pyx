# cython: cdivision=True
"""The kernel: the stones that no rule has decided, as a stored graph.

Its stones are numbered from 1 in ascending order, so that a search works on dense arrays, and reads
the neighbours of a stone in one piece.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from core.take_stones.deadline cimport spend
from core.take_stones.factors cimport MOST_FACTORS, factors
from core.take_stones.graph cimport close_graph, open_edges, open_vertices
from core.take_stones.huge_pages cimport allocate
from core.take_stones.whole cimport Whole


cdef int store_kernel(Whole* whole, Kernel* kernel) except -1 nogil:
    """Store the graph of the stones that are not gone, and make their degrees their vertices.

    Raises MemoryError.
    """
    cdef int32_t size = count_stones(whole)
    kernel.stone = <int32_t*>allocate((size + <int64_t>1) * sizeof(int32_t))
    open_vertices(&kernel.graph, size)
    number_stones(whole, kernel)
    open_edges(&kernel.graph, kernel.graph.start[size + 1])
    store_edges(whole, kernel)
    return 0


cdef void close_kernel(Kernel* kernel) noexcept nogil:
    close_graph(&kernel.graph)
    free(kernel.stone)
    kernel.stone = NULL


cdef int32_t count_stones(Whole* whole) except -1 nogil:
    """Return how many stones are not gone."""
    cdef int32_t stone, count = 0
    for stone in range(whole.deleted + 1, whole.n + 1):
        spend(&whole.deadline, 1)
        count += whole.degree[stone] >= 0
    return count


cdef int number_stones(Whole* whole, Kernel* kernel) except -1 nogil:
    """Give each stone a vertex, whose place among the edges follows from the degrees."""
    cdef int32_t stone, vertex = 0
    cdef int64_t* start = kernel.graph.start
    start[1] = 0
    for stone in range(whole.deleted + 1, whole.n + 1):
        spend(&whole.deadline, 1)
        if whole.degree[stone] >= 0:
            vertex += 1
            start[vertex + 1] = start[vertex] + whole.degree[stone]
            kernel.stone[vertex] = stone
            whole.degree[stone] = vertex
    return 0


cdef int store_edges(Whole* whole, Kernel* kernel) except -1 nogil:
    """Write the neighbours of each vertex: factors, then multiples in ascending order."""
    cdef int32_t[MOST_FACTORS] found
    cdef int32_t vertex, stone, multiple, n = whole.n
    cdef int count, i
    cdef const int32_t* vertex_of = whole.degree
    cdef int32_t* next = kernel.graph.neighbour
    for vertex in range(1, kernel.graph.size + 1):
        stone = kernel.stone[vertex]
        count = factors(whole.smallest, stone, found)
        spend(&whole.deadline, count + n // stone)
        for i in range(count):
            if vertex_of[found[i]] > 0:
                next[0] = vertex_of[found[i]]
                next += 1
        multiple = 2 * stone
        while multiple <= n:
            if vertex_of[multiple] > 0:
                next[0] = vertex_of[multiple]
                next += 1
            multiple += stone
    return 0
