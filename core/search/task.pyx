"""The limits, progress and result of a compiled search."""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport INT64_MAX, int64_t
from libc.stdlib cimport realloc

from core.clock cimport now

from core.search.result import Progress, SearchResult

cdef enum:
    POLL_NODES = 1024               # the most nodes between two polls


cdef double POLL_SECONDS = 0.01     # about the longest time between two polls of slow nodes
cdef double SIGNAL_SECONDS = 0.05   # between two checks of signals and progress reports


cdef void begin(Task* task, object limits, object report, int64_t first_move) except *:
    """Set up a task from its Limits; `first_move` is the game's name for move 0."""
    task.depth_limit = min(limits.depth, INT64_MAX)
    task.node_limit = INT64_MAX if limits.nodes is None else min(limits.nodes, INT64_MAX)
    task.started = now()
    task.deadline = task.started + (INFINITY if limits.seconds is None else limits.seconds)
    task.next_signals = task.started + SIGNAL_SECONDS
    task.polled = task.started
    task.interval = task.next_poll = 1
    task.best = task.alpha = -INFINITY
    task.beta = INFINITY
    task.stop = FINISHED
    task.first_move = first_move
    task.report = <void*>report


cdef void narrow(Task* task, object window) except *:
    """Search in a Window alone, as a subtree of a larger tree."""
    task.alpha = window.alpha
    task.beta = window.beta


cdef int poll(Task* task) except -1 nogil:
    """Return 1 to stop the search here, else 0. Raises the exception of a signal or the report."""
    if task.visited >= task.node_limit:
        task.stop = NODES
        return 1
    cdef double time = now()
    if time >= task.deadline:
        task.stop = SECONDS
        return 1
    # On a huge board one node can take a millisecond.
    if time - task.polled > POLL_SECONDS:
        task.interval = max(1, task.interval // 2)
    else:
        task.interval = min(2 * task.interval, <int64_t>POLL_NODES)
    task.polled = time
    if time >= task.next_signals:
        with gil:
            PyErr_CheckSignals()
            if <object>task.report is not None:
                (<object>task.report)(
                    Progress(task.first_move + task.root_move, task.visited, time - task.started)
                )
        task.next_signals = now() + SIGNAL_SECONDS
    task.next_poll = min(task.visited + task.interval, task.node_limit)
    return 0


cdef bint grow(Stack* stack, size_t ply_size) noexcept nogil:
    """Double the room for plies. Returns whether there was memory for them."""
    cdef int64_t capacity = 2 * stack.capacity if stack.capacity else 64
    cdef void* plies = realloc(stack.plies, capacity * ply_size)
    if plies is NULL:
        return False
    stack.plies = plies
    stack.capacity = capacity
    return True


cdef object result(Task* task, bint is_max):
    """Return the SearchResult of a task that has run. Raises MemoryError."""
    if task.stop == OUT_OF_MEMORY:
        raise MemoryError("the search needs more memory than there is")
    return SearchResult(
        move=task.first_move + task.best_move,
        # Adding zero takes the sign from a zero.
        value=(task.best if is_max else -task.best) + 0.0,
        nodes_visited=task.visited,
        nodes_evaluated=task.evaluated,
        max_depth=task.deepest,
        stopped=(None, "nodes", "seconds")[<int>task.stop],
    )
