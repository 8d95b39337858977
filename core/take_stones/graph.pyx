# cython: cdivision=True
"""A graph that is stored with all its edges, and that of all stones."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from core.take_stones.deadline cimport spend
from core.take_stones.huge_pages cimport allocate

cdef enum:
    PIECE = 1 << 16         # multiples of a stone between two looks at the clock
    EDGE_STEPS = 8          # of storing an edge, in two places far from each other


cdef int open_vertices(Graph* graph, int32_t size) except -1 nogil:
    """Make room for vertices. Raises MemoryError."""
    graph.size = size
    graph.start = <int64_t*>allocate((size + <int64_t>3) * sizeof(int64_t))
    return 0


cdef int open_edges(Graph* graph, int64_t count) except -1 nogil:
    """Make room for edges, twice each. Raises MemoryError."""
    graph.neighbour = <int32_t*>allocate((count + 1) * sizeof(int32_t))
    return 0


cdef void close_graph(Graph* graph) noexcept nogil:
    free(graph.start)
    free(graph.neighbour)
    graph.start = NULL
    graph.neighbour = NULL


cdef int store_all(Graph* graph, Deadline* deadline) except -1 nogil:
    """Store the graph of all stones, joined if one divides the other: neighbours ascend.

    Raises MemoryError.
    """
    cdef int32_t n = graph.size, stone, multiple, last
    cdef int64_t* end = graph.start + 1     # of a stone's neighbours, as far as they are stored
    for stone in range(n + 2):
        spend(deadline, 1)
        end[stone] = 0
    for stone in range(1, n + 1):
        end[stone + 1] += n // stone - 1
        multiple = 2 * stone
        while multiple <= n:
            last = end_of_piece(stone, multiple, n)
            spend(deadline, 1 + (last - multiple) // stone)
            while multiple <= last:
                end[multiple + 1] += 1
                multiple += stone
    for stone in range(1, n + 1):
        spend(deadline, 1)
        end[stone + 1] += end[stone]
    open_edges(graph, end[n + 1])
    for stone in range(1, n + 1):
        multiple = 2 * stone
        while multiple <= n:
            last = end_of_piece(stone, multiple, n)
            spend(deadline, EDGE_STEPS * (1 + (last - multiple) // stone))
            while multiple <= last:
                graph.neighbour[end[stone]] = multiple
                graph.neighbour[end[multiple]] = stone
                end[stone] += 1
                end[multiple] += 1
                multiple += stone
    graph.start[1] = 0
    return 0


cdef inline int32_t end_of_piece(int32_t stone, int32_t multiple, int32_t n) noexcept nogil:
    """Return the last number of a piece of the multiples: all those of 1 take long."""
    return <int32_t>min(n, multiple + PIECE * <int64_t>stone)
