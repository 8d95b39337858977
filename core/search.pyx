# cython: cdivision=True
"""Alpha-beta search, exactly as in Figure 5.7 of Russell and Norvig, "Artificial Intelligence: A
Modern Approach" (3rd edition), for every game.

The figure has one function for Max and one for Min. Here one loop plays both: values are seen by
the player to move and change their sign with the player, which visits the same nodes in the same
order and cuts off at the same places. So it does although the figure's v and alpha are one here: a
v below alpha never decides anything but v itself, and at the root, where v is the answer, alpha is
v. The loop keeps its own stack of plies, so that a game may be longer than the C stack is deep.

The source is written once and compiled once for each shape of position; a shape brings a few
inline functions (see core/take_stones/board.pxd) and the search knows nothing else of the rules.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport INT64_MAX, int64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from core.bitset cimport lowest
from core.isolation.board cimport (
    Board as IsolationBoard, Squares, has_squares, next_squares, play_squares,
)
from core.isolation.ending cimport legal_squares
from core.isolation.evaluator cimport evaluate_squares
from core.monotonic cimport now
from core.take_stones.board cimport (
    SMALL, Board as StonesBoard, LargeBoard, LargeStones, SmallStones, close_large, enter_large,
    has_large, has_small, legal_large, legal_small, next_large, next_small, play_large, play_small,
    undo_large,
)
from core.take_stones.evaluator cimport evaluate_large, evaluate_small

from typing import NamedTuple


class SearchResult(NamedTuple):
    """What a search found.

    `value` is the value for Max (player 1) of the move; `stopped` is None for a finished search,
    else the limit that ended it, "nodes" or "seconds". A search that was stopped tells the best of
    the moves that it had finished; when it had finished none, the first legal move with the value
    that Figure 5.7 starts from, minus infinity for Max and infinity for Min.
    """

    move: int
    value: float
    nodes_visited: int
    nodes_evaluated: int
    max_depth: int
    stopped: str | None

    @property
    def branching_factor(self) -> float:
        """The average number of successors that were visited of a node that was not evaluated."""
        return (self.nodes_visited - 1) / (self.nodes_visited - self.nodes_evaluated)


class Progress(NamedTuple):
    """Where a search is: the root move at work, the nodes visited, the seconds since its start."""

    move: int
    nodes_visited: int
    seconds: float


cdef enum:
    POLL_NODES = 1024               # at most so many nodes between two looks at the clock


cdef double POLL_SECONDS = 0.01     # about so many seconds at most, where a node takes long
cdef double SIGNAL_SECONDS = 0.05   # between two looks at signals and the report


cdef enum Stop:
    FINISHED
    NODES
    SECONDS
    OUT_OF_MEMORY


cdef struct Task:
    # What to search for, and what was found. Values are those of the player to move at the root.
    int64_t depth_limit
    int64_t node_limit
    double deadline
    double started
    double polled           # when the clock was last looked at
    double next_signals
    int64_t interval        # nodes to the next look
    int64_t next_poll
    int64_t visited
    int64_t evaluated
    int64_t deepest
    int64_t root_move       # the root move at work
    int64_t best_move       # of the root moves that are finished
    double best
    Stop stop
    int64_t first_move      # what the game calls the search's move 0
    void* report            # a callable or None, borrowed


# A position and its bounds, for each shape: what waits while a deeper ply is at work.

cdef struct SmallPly:
    SmallStones node
    double alpha
    double beta


cdef struct LargePly:
    LargeStones node
    double alpha
    double beta


cdef struct SquaresPly:
    Squares node
    double alpha
    double beta


ctypedef fused State:
    SmallStones
    LargeStones
    Squares


ctypedef fused Ply:
    SmallPly
    LargePly
    SquaresPly


cdef struct Stack:
    void* plies             # of one shape
    int64_t capacity


# What the search knows of a game, one branch for each shape; all but one vanish on compilation.

cdef inline bint legal(State* state) noexcept nogil:
    if State is SmallStones:
        return legal_small(state)
    elif State is LargeStones:
        return legal_large(state)
    else:
        return legal_squares(state)


cdef inline bint has_move(State* state) noexcept nogil:
    if State is SmallStones:
        return has_small(state)
    elif State is LargeStones:
        return has_large(state)
    else:
        return has_squares(state)


cdef inline int64_t next_move(State* state) noexcept nogil:
    if State is SmallStones:
        return next_small(state)
    elif State is LargeStones:
        return next_large(state)
    else:
        return next_squares(state)


cdef inline void play(State* state, int64_t move) noexcept nogil:
    if State is SmallStones:
        play_small(state, move)
    elif State is LargeStones:
        play_large(state, move)
    else:
        play_squares(state, move)


cdef inline void enter(State* state) noexcept nogil:
    if State is LargeStones:
        enter_large(state)


cdef inline void undo(State* state) noexcept nogil:
    if State is LargeStones:
        undo_large(state)


cdef inline double evaluate(State* state) noexcept nogil:
    if State is SmallStones:
        return evaluate_small(state)
    elif State is LargeStones:
        return evaluate_large(state)
    else:
        return evaluate_squares(state)


cdef inline bint out_of_memory(State* state) noexcept nogil:
    if State is LargeStones:
        return state.board.out_of_memory
    else:
        return False


cdef int poll(Task* task) except -1 nogil:
    """1 to stop here, else 0. Raises what a signal or the report raises."""
    if task.visited >= task.node_limit:
        task.stop = NODES
        return 1
    cdef double time = now()
    if time >= task.deadline:
        task.stop = SECONDS
        return 1
    # With billions of stones one node can take a millisecond.
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
    """Make room for more plies. Returns whether there was memory for them."""
    cdef int64_t capacity = 2 * stack.capacity if stack.capacity else 64
    cdef void* plies = realloc(stack.plies, capacity * ply_size)
    if plies is NULL:
        return False
    stack.plies = plies
    stack.capacity = capacity
    return True


cdef int alpha_beta(Ply* root, Task* task, Stack* stack) except -1 nogil:
    """Search below a root whose legal moves are known; the task tells what was found."""
    cdef Ply here = root[0], child
    cdef double value
    cdef int64_t depth = 0, deepest = 0, visited = 1, evaluated = 0, move
    # Copies of what the loop reads all the time, as the compiler cannot know that nothing changes it.
    cdef int64_t depth_limit = task.depth_limit, next_poll = task.next_poll, capacity = 0
    cdef Ply* plies = NULL
    here.alpha = -INFINITY
    here.beta = INFINITY
    while True:
        if here.alpha >= here.beta or not has_move(&here.node):
            # 1. The node is finished, by a cutoff or after its last child: its value goes up.
            if depth == 0:
                break
            value = -here.alpha
            move = here.node.last
            undo(&here.node)
            depth -= 1
            here = plies[depth]
        else:
            # 2. Visit the next child.
            move = next_move(&here.node)
            if depth == 0:
                task.root_move = move
            visited += 1
            if visited > next_poll:
                task.visited = visited - 1
                if out_of_memory(&here.node) or poll(task):
                    visited -= 1
                    break
                next_poll = task.next_poll
            child = here
            play(&child.node, move)
            if depth == deepest:
                deepest += 1
            if legal(&child.node) and depth + 1 != depth_limit:
                # 3. Its own children come first.
                if depth == capacity:
                    if not grow(stack, sizeof(Ply)):
                        task.stop = OUT_OF_MEMORY
                        break
                    plies = <Ply*>stack.plies
                    capacity = stack.capacity
                enter(&child.node)
                plies[depth] = here
                child.alpha = -here.beta
                child.beta = -here.alpha
                here = child
                depth += 1
                continue
            # 4. A leaf: the game is over there, or the depth is reached.
            evaluated += 1
            value = -evaluate(&child.node)
        # 5. The first child with the best value counts.
        if value > here.alpha:
            here.alpha = value
            if depth == 0:
                task.best_move = move
                task.best = value
    task.visited = visited
    task.evaluated = evaluated
    task.deepest = deepest
    if out_of_memory(&here.node):
        task.stop = OUT_OF_MEMORY
    return 0


cdef int search_stones(StonesBoard board, Task* task) except -1:
    """Run the task on the shape of board that fits the number of stones."""
    cdef SmallPly small
    cdef LargePly large
    cdef LargeStones copy
    cdef LargeBoard shared
    cdef Stack stack = Stack(NULL, 0)
    task.first_move = 1
    memset(&shared, 0, sizeof(shared))
    try:
        if board._n <= SMALL:
            small.node = board.small()
            task.best_move = lowest(small.node.todo)
            with nogil:
                alpha_beta(&small, task, &stack)
        else:
            board.open_large(&shared, &large.node)
            copy = large.node
            task.best_move = next_large(&copy)
            with nogil:
                alpha_beta(&large, task, &stack)
    finally:
        close_large(&shared)
        free(stack.plies)
    return 0


cdef int search_squares(IsolationBoard board, Task* task) except -1:
    """Run the task on a board of Isolation."""
    cdef SquaresPly root
    cdef Stack stack = Stack(NULL, 0)
    task.first_move = 0
    root.node = board.squares()
    task.best_move = lowest(root.node.todo)
    try:
        with nogil:
            alpha_beta(&root, task, &stack)
    finally:
        free(stack.plies)
    return 0


cdef check_limits(depth, nodes, seconds):
    if depth < 0:
        raise ValueError(f"depth must be 0 or more plies, not {depth}")
    if nodes is not None and nodes < 1:
        raise ValueError(f"nodes must be at least 1, not {nodes}")
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds must be 0 or more, not {seconds}")


def search(board, depth=0, *, nodes=None, seconds=None, report=None):
    """Search a position to a depth in plies, 0 for the end of the game.

    `nodes` limits the nodes visited and `seconds` the time. `report` is called with a Progress
    about twenty times a second; what it raises ends the search, as does Ctrl-C in the main
    thread. Other threads run meanwhile. Returns a SearchResult. Raises ValueError if the game is
    over or a limit makes no sense, and MemoryError.
    """
    if board.is_over:
        raise ValueError(f"the game is over: player {board.player_to_move} cannot move and loses")
    check_limits(depth, nodes, seconds)
    cdef bint is_max = board.player_to_move == 1
    cdef Task task
    task.depth_limit = min(depth, INT64_MAX)
    task.node_limit = INT64_MAX if nodes is None else min(nodes, INT64_MAX)
    task.started = now()
    task.deadline = task.started + (INFINITY if seconds is None else seconds)
    task.next_signals = task.started + SIGNAL_SECONDS
    task.polled = task.started
    task.interval = task.next_poll = 1
    task.best = -INFINITY
    task.stop = FINISHED
    task.report = <void*>report
    if isinstance(board, IsolationBoard):
        search_squares(board, &task)
    else:
        search_stones(board, &task)
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


def deepen(board, depth=0, *, seconds, report=None):
    """Search to depth 1, 2, 3 ... up to `depth`, 0 for the end of the game, within some seconds.

    Returns the SearchResult of the deepest search that was finished, with `stopped` set if it was
    not deep enough. There is always one: the search to depth 1 takes the time it takes.
    """
    check_limits(depth, None, seconds)
    cdef double deadline = now() + seconds
    result = search(board, 1, report=report)
    reached = 1
    # A search that met its depth limit nowhere has seen the whole tree: deeper is the same.
    while reached != depth and result.max_depth == reached:
        reached += 1
        deeper = search(board, reached, seconds=max(0.0, deadline - now()), report=report)
        if deeper.stopped:
            return result._replace(stopped=deeper.stopped)
        result = deeper
    return result
