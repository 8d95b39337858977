"""A graph that is stored with all its edges. See graph.pyx."""

from libc.stdint cimport int32_t, int64_t

from core.take_stones.deadline cimport Deadline


cdef struct Graph:
    int32_t size            # vertices, from 1 on
    int64_t* start          # of a vertex: the place of its first neighbour in the next array
    int32_t* neighbour      # of all vertices; those of v end where those of v + 1 start


cdef int open_vertices(Graph* graph, int32_t size) except -1 nogil
cdef int open_edges(Graph* graph, int64_t count) except -1 nogil
cdef void close_graph(Graph* graph) noexcept nogil
cdef int store_all(Graph* graph, Deadline* deadline) except -1 nogil


cdef inline int32_t degree_of(const Graph* graph, int32_t vertex) noexcept nogil:
    return <int32_t>(graph.start[vertex + 1] - graph.start[vertex])
