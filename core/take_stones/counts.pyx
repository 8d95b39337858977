# cython: cdivision=True
"""The counts of a full-depth alpha-beta search of up to 64 stones, without visiting all its nodes.

To the end of the game every value is -1 or 1, so that there are six windows, and a child's window
follows from its parent's and from whether an earlier child won. A subtree is counted once for each
window, last stone and set of stones that it can reach; a table keeps the counts.

Of one window, (-1, 1), which has most nodes, more is known. There the search of a position stops at
the first child that wins. A stone with a single neighbour, a pendant, wins at once whenever it is
taken after that neighbour, and stays as it is until then: so no larger stone is ever visited after
the neighbour, and stones that were only to be reached that way make no difference.

Several threads count the same tree, each from another child on, and share the table. For this the
children that a node visits must be known beforehand: in the first plies the solver names the moves
that win. docs/explanation/theory.md has the reasons.
"""

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t

from cpython.exc cimport PyErr_CheckSignals

from core.bitset cimport bit, count as count_bits, lowest, pop_lowest
from core.clock cimport now
from core.prefetch cimport prefetch
from core.take_stones.board cimport SMALL, TABLE, Board, SmallStones
from core.take_stones.count_table cimport (
    ACQUIRE, RELEASE, Bucket, Count, Table, bucket_of, close_table, find, keep, open_table, store,
)

import os

from core.search.result import Limits, Progress, SearchResult
from core.search.threads import MOST_THREADS, check_threads
from core.take_stones.solver import winning_moves

cdef extern from *:
    int load "__atomic_load_n"(int* target, int order) noexcept nogil


DEFAULT_MEMORY = 1 << 30    # bytes

cdef enum:
    LEAST_BITS = 10         # of the number of a bucket
    # Positions of a thread between two looks at the clock: few, as the first use of a huge page of
    # the table takes milliseconds.
    POLL_POSITIONS = 16
    SPLIT_PLIES = 4         # in which threads begin with different children


cdef double SIGNAL_SECONDS = 0.05

LEAST_MEMORY = sizeof(Bucket) << LEAST_BITS


cdef enum Window:
    # Its ends, alpha before beta: open is infinite, lost -1, won 1.
    OPEN_OPEN = 1
    LOST_OPEN
    WON_OPEN
    OPEN_WON
    LOST_WON
    OPEN_LOST


# The windows of the first child and of those after it, if none of them won before.
cdef int[7] OF_FIRST = [0, OPEN_OPEN, OPEN_WON, OPEN_LOST, LOST_OPEN, LOST_WON, WON_OPEN]
cdef int[7] OF_NEXT = [0, OPEN_WON, OPEN_WON, OPEN_LOST, LOST_WON, LOST_WON, 0]


cdef struct Position:
    uint64_t stones         # that the search below can reach; none if the game is over
    uint64_t pendants       # stones with one neighbour, where the window is (-1, 1)
    int last
    int window
    int forced              # plies before it in which there was a single move


cdef struct Shared:
    # Of all threads.
    Table table
    int threads
    int stop                # read and written atomically


cdef struct Work:
    # Of one thread.
    Shared* shared
    int number
    uint64_t entered        # positions
    double started
    double deadline
    double next_signals
    void* board             # the Board at the root, borrowed
    void* report            # a callable or None, borrowed
    int[SPLIT_PLIES] path   # the stones taken since
    int best                # of the children of the root


cdef inline bint stops_at_win(int window) noexcept nogil:
    return window == OPEN_WON or window == LOST_WON


cdef inline bint is_single(uint64_t stones) noexcept nogil:
    return stones and not stones & (stones - 1)


cdef inline uint64_t up_to(uint64_t stones, uint64_t ends) noexcept nogil:
    """The stones up to the first that is one of `ends` too; all, if none is."""
    ends &= stones
    return stones & (((ends & -ends) << 1) - 1)


cdef uint64_t pendants_of(uint64_t stones) noexcept nogil:
    cdef uint64_t rest = stones, pendants = 0
    cdef int stone
    while rest:
        stone = pop_lowest(&rest)
        if is_single(TABLE[stone].neighbours & stones):
            pendants |= bit(stone)
    return pendants


cdef inline uint64_t reachable(uint64_t starts, uint64_t stones, uint64_t ends) noexcept nogil:
    """The stones that play reaches from `starts`, after no stone past its first neighbour in `ends`."""
    cdef uint64_t reached = starts, waiting = starts, found
    cdef int stone
    while waiting and reached != stones:
        # Two at a time, as the processor works on both at once.
        stone = pop_lowest(&waiting)
        found = up_to(TABLE[stone].neighbours & stones, ends)
        if waiting:
            stone = pop_lowest(&waiting)
        found = (found | up_to(TABLE[stone].neighbours & stones, ends)) & ~reached
        reached |= found
        waiting |= found
    return reached


cdef inline void reduce(Position* position, uint64_t stones, uint64_t pendants) noexcept nogil:
    """Leave only the stones that matter in the window (-1, 1).

    `pendants` are those among `stones` before the last stone was taken.
    """
    cdef uint64_t starts = TABLE[position.last].neighbours & stones, rest = starts
    cdef uint64_t isolated = 0, neighbours, changed = 0
    cdef int stone
    # 1. The last stone's neighbours have lost one.
    while rest:
        stone = pop_lowest(&rest)
        neighbours = TABLE[stone].neighbours & stones
        if not neighbours:
            isolated |= bit(stone)
        elif is_single(neighbours):
            pendants |= bit(stone)
    pendants &= stones & ~isolated
    # 2. An isolated stone wins. Others are out of reach.
    starts = up_to(starts, isolated)
    stones &= ~isolated | starts
    # 3. A pendant that can be taken now need not stay.
    position.stones = reachable(starts, stones, pendants & ~starts)
    # 4. The neighbours of unreachable stones may be pendants now, or isolated.
    rest = stones & ~position.stones
    while rest:
        changed |= TABLE[pop_lowest(&rest)].neighbours
    changed &= position.stones
    pendants &= position.stones & ~changed
    while changed:
        stone = pop_lowest(&changed)
        if is_single(TABLE[stone].neighbours & position.stones):
            pendants |= bit(stone)
    position.pendants = pendants


cdef inline void play(const Position* parent, Position* child) noexcept nogil:
    """Complete a child of which the last stone and the window are known."""
    cdef uint64_t stones = parent.stones & ~bit(child.last)
    cdef uint64_t starts = TABLE[child.last].neighbours & stones
    child.forced = 0
    if not starts:
        child.stones = 0
    elif child.window == LOST_WON:
        reduce(child, stones, parent.pendants if parent.window == LOST_WON else pendants_of(stones))
    elif child.window == OPEN_LOST:
        child.stones = stones   # has a single child, in which the others vanish
    else:
        child.stones = reachable(starts, stones, 0)


cdef inline void play_on(Position* position) noexcept nogil:
    """Play on in the window (-1, 1) as long as there is a single move that does not end the game."""
    cdef uint64_t moves = TABLE[position.last].neighbours & position.stones
    while is_single(moves) and position.stones != moves:
        position.last = lowest(moves)
        position.forced += 1
        reduce(position, position.stones & ~moves, position.pendants)
        moves = TABLE[position.last].neighbours & position.stones


cdef inline bint is_looked_up(const Position* position) noexcept nogil:
    """Whether the table has a place for it: not if it is over, has a single stone, or a single child."""
    return position.stones & (position.stones - 1) and position.window != OPEN_LOST


cdef inline uint64_t tag_of(const Position* position) noexcept nogil:
    return position.window << 6 | position.last


cdef inline void prepare(
    Shared* shared, const Position* position, uint64_t* moves, int window, int ply, Position* child
) noexcept nogil:
    """Take the lowest of the moves, and fetch the place of the child in the table."""
    child.last = pop_lowest(moves)
    child.window = window
    play(position, child)
    if ply >= SPLIT_PLIES and window == LOST_WON:
        play_on(child)
    if is_looked_up(child):
        prefetch(bucket_of(&shared.table, child.stones, tag_of(child)))


cdef int settle(Work* work, int window, Position* children, int number, int ply) except -1 nogil:
    """Give the children the windows that the solver's winning moves imply. Returns their number."""
    cdef int i = 0, j
    with gil:
        board = (<Board>work.board).copy()
        for j in range(ply):
            board.take(work.path[j] + 1)
        winning = winning_moves(board)
        while i < number and children[i].last + 1 not in winning:
            i += 1
    if stops_at_win(window):
        return min(i + 1, number)
    for j in range(i + 1, number):
        children[j].window = OPEN_LOST
    return number


cdef int poll(Work* work) except -1 nogil:
    """Return 1 if another thread is done. Raises the exception of a signal or the report, TimeoutError."""
    cdef double time
    if work.number:
        return load(&work.shared.stop, ACQUIRE)
    time = now()
    if time >= work.next_signals:
        work.next_signals = time + SIGNAL_SECONDS
        with gil:
            PyErr_CheckSignals()
            if time >= work.deadline:
                raise TimeoutError("the count did not finish in time")
            if <object>work.report is not None:
                (<object>work.report)(Progress(work.path[0] + 1, work.entered, time - work.started))
    return 0


cdef int count_children(
    Work* work, const Position* position, uint64_t moves, int ply, Count* count
) except -1 nogil:
    """Count the subtree of a position with legal moves. Returns 1 if it was stopped, else 0."""
    cdef Position[SMALL] children
    cdef Position* child
    cdef Count below
    cdef int number = 1 if position.window == OPEN_LOST else count_bits(moves), i, start = 0
    cdef int window = OF_FIRST[position.window]
    cdef bint is_settled = ply < SPLIT_PLIES and work.shared.threads > 1
    prepare(work.shared, position, &moves, window, ply, &children[0])
    window = OF_NEXT[position.window]
    if is_settled:
        for i in range(1, number):
            prepare(work.shared, position, &moves, window, ply, &children[i])
        if position.window != WON_OPEN and position.window != OPEN_LOST:
            number = settle(work, position.window, children, number, ply)
        start = work.number * number // work.shared.threads
    count[0] = Count(1, 0, 0, False)
    for i in range(start, start + number):
        child = &children[i if i < number else i - number]
        if ply < SPLIT_PLIES:
            work.path[ply] = child.last
        if count.won and not is_settled:
            if stops_at_win(position.window):
                break
            child.window = OPEN_LOST
        if not is_settled and i + 1 < number:
            # One ahead, so that its place in the table arrives in time.
            prepare(work.shared, position, &moves, window, ply, child + 1)
        if count_position(work, child, ply + 1, &below):
            return 1
        count.visited += below.visited + child.forced
        count.evaluated += below.evaluated
        count.depth = max(count.depth, below.depth + child.forced + 1)
        if below.won == child.forced & 1 and child.window != OPEN_LOST:
            count.won = True
            window = OPEN_LOST
            if not ply:
                work.best = child.last
    return 0


cdef int count_position(Work* work, const Position* position, int ply, Count* count) except -1 nogil:
    """Count the subtree of a position. Returns 1 if it was stopped, else 0."""
    cdef uint64_t moves
    cdef Bucket* bucket
    if not position.stones:
        count[0] = Count(1, 1, 0, False)
        return 0
    if is_single(position.stones):
        count[0] = Count(2, 1, 1, True)
        return 0
    work.entered += 1
    if (ply <= SPLIT_PLIES or work.entered % POLL_POSITIONS == 0) and poll(work):
        return 1
    moves = TABLE[position.last].neighbours & position.stones
    if position.window == OPEN_LOST:
        return count_children(work, position, moves, ply, count)
    bucket = bucket_of(&work.shared.table, position.stones, tag_of(position))
    if find(bucket, position.stones, tag_of(position), count):
        return 0
    if count_children(work, position, moves, ply, count):
        return 1
    keep(bucket, position.stones, tag_of(position), count)
    return 0


@cython.auto_pickle(False)
cdef class Counter:
    """A count that threads work on."""

    cdef Shared _shared
    cdef Position _root
    cdef uint64_t _moves
    cdef Board _board
    cdef double _deadline
    cdef object _report

    def __cinit__(self, Board board, seconds, memory, threads, report):
        cdef SmallStones state = board.small()
        self._root = Position(state.remaining, 0, <int>state.last, OPEN_OPEN, 0)
        self._moves = state.todo
        self._board = board
        self._deadline = now() + (INFINITY if seconds is None else seconds)
        self._report = report
        self._shared.threads = threads
        # Counts of fewer stones fill a smaller table.
        bits = min((memory // sizeof(Bucket)).bit_length() - 1, count_bits(state.remaining) // 2 - 2)
        bits = max(bits, LEAST_BITS)
        while not open_table(&self._shared.table, bits):
            bits -= 1       # slower, but the same counts
            if bits < LEAST_BITS:
                raise MemoryError("there is no memory for the table of counts")

    def __dealloc__(self):
        close_table(&self._shared.table)

    def stop(self):
        """Let the threads end soon."""
        store(&self._shared.stop, 1, RELEASE)

    def work(self, number):
        """Count as one of the threads. Returns the SearchResult, or None if it was stopped."""
        cdef Work work
        cdef Count count
        cdef int stopped
        work.shared = &self._shared
        work.number = number
        work.entered = 0
        work.started = now()
        work.next_signals = work.started
        work.deadline = self._deadline
        work.board = <void*>self._board
        work.report = <void*>self._report
        work.best = lowest(self._moves)
        with nogil:
            stopped = count_children(&work, &self._root, self._moves, 0, &count)
        if stopped:
            return None
        value = 1.0 if count.won else -1.0
        return SearchResult(
            move=work.best + 1,
            value=value if self._board.player_to_move == 1 else -value,
            nodes_visited=count.visited,
            nodes_evaluated=count.evaluated,
            max_depth=count.depth,
            stopped=None,
        )


def processors():
    """Return the number of processors that this process may use, up to that of threads."""
    number = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(number, MOST_THREADS)


def check(memory=DEFAULT_MEMORY, threads=1):
    """Raise ValueError if a limit of `count` is out of range."""
    if memory < LEAST_MEMORY:
        raise ValueError(f"memory must be at least {LEAST_MEMORY} bytes, not {memory}")
    check_threads(threads)


def count(Board board not None, *, seconds=None, memory=DEFAULT_MEMORY, threads=None, report=None):
    """Return what `search` to the end of the game finds and counts, without visiting all nodes.

    Args:
        board: The position, of at most 64 stones.
        seconds: The longest time.
        memory: The most bytes that the table of counts may take; a power of two is used.
        threads: The number of threads, by default one for each processor that may be used.
        report: Called with a Progress about twenty times a second, which counts the positions that
            were looked up; an exception ends the count.

    Returns:
        The SearchResult.

    Raises:
        ValueError: If the game is over, has more than 64 stones, or a limit is out of range.
        TimeoutError: If the time does not suffice.
        MemoryError: If there is no memory for the table.
    """
    Limits(seconds=seconds).check()
    if outcome := board.outcome:
        raise ValueError(f"the game is over: {outcome.reason}")
    if board.n > SMALL:
        raise ValueError(f"at most {SMALL} stones can be counted, not {board.n}")
    if threads is None:
        threads = processors()
    check(memory, threads)
    from concurrent.futures import ThreadPoolExecutor   # slow to import

    counter = Counter(board, seconds, memory, threads, report)
    with ThreadPoolExecutor(threads) as pool:
        for number in range(1, threads):
            pool.submit(counter.work, number)
        try:
            found = counter.work(0)
        finally:
            counter.stop()
    return found
