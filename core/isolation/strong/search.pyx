# cython: cdivision=True
"""The strong search of Isolation.

Principal variation search, one ply deeper and deeper, with a transposition table, aspiration windows
and late move reductions. A limit ends it at any node; the result is then the best move so far.
"""

from libc.math cimport INFINITY, log
from libc.stdint cimport uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from core.bitset cimport lowest
from core.isolation.board cimport Board, Squares, play_squares, reach
from core.isolation.ending cimport decided, is_crowded
from core.isolation.strong.ordering cimport (
    MOST_MOVES, MOST_PLIES, Experience, Moves, list_moves, pick, reward
)
from core.isolation.strong.territory cimport OWNED, territory
from core.isolation.strong.transposition cimport (
    AT_LEAST, AT_MOST, EXACT, Entry, Table, create, fetch, fetch_child, find, grow, key_of, store
)
from core.search.task cimport Task, begin, poll

from core.search.result import StrongResult

cdef enum:
    WIN = 20000             # less the squares that are occupied in the end: the sooner the better
    PROVEN = WIN - 64       # the least value of a win
    LIMITLESS = 127         # the depth of a value that no deeper search can change
    FEWEST_PAIRS = 1 << 13  # of entries in the table, which grows: a small one is faster
    MOST_PAIRS = 1 << 22    # 128 MiB
    WINDOW = 60             # below and above the value that is expected
    WIDENING = 4            # times as wide is a window after a value outside
    ASPIRATION_DEPTH = 4    # from this depth on values are stable enough to be expected
    REDUCED_DEPTH = 3       # the least depth at which later moves are reduced
    FULL_MOVES = 3          # moves that are never reduced

cdef double WON = 1000      # a win, in the result
cdef double REDUCTION = 1.3

# By how many plies a move is reduced, by depth and by its number in the order.
cdef int REDUCTIONS[MOST_PLIES][MOST_MOVES]


cdef int fill_reductions() noexcept:
    cdef int depth, number
    for depth in range(REDUCED_DEPTH, MOST_PLIES):
        for number in range(FULL_MOVES, MOST_MOVES):
            REDUCTIONS[depth][number] = min(
                <int>(0.5 + log(depth) * log(number) / REDUCTION), depth - 2
            )
    return 0


fill_reductions()


cdef struct Search:
    Task task
    Table table
    Experience experience
    int variation[MOST_PLIES + 1][MOST_PLIES]   # the best moves from each ply on, up to its length
    int length[MOST_PLIES + 1]
    int answer[MOST_PLIES]                      # the variation of the root, once it is kept
    int answered


cdef inline void extend_variation(Search* search, int ply, int move) noexcept nogil:
    """Begin the variation from a ply on with a move, before that of the next ply."""
    cdef int other
    search.variation[ply][ply] = move
    for other in range(ply + 1, search.length[ply + 1]):
        search.variation[ply][other] = search.variation[ply + 1][other]
    search.length[ply] = search.length[ply + 1]


cdef inline void keep(Search* search, int move, int value) noexcept nogil:
    """Keep the best move of the root so far, with its variation."""
    search.task.best_move = move
    search.task.best = value
    search.answer = search.variation[0]
    search.answered = search.length[0]


cdef inline bint settles(const Entry* entry, int alpha, int beta, int depth) noexcept nogil:
    """Return whether an entry has the value of a node, as far as its window tells values apart."""
    if entry.depth == LIMITLESS:
        return True
    # The window of the principal variation is searched, so that the variation is known in full.
    if entry.depth < depth or beta - alpha > 1:
        return False
    return entry.value >= beta if entry.bound == AT_LEAST else (
        entry.value <= alpha if entry.bound == AT_MOST else True
    )


cdef int visit(
    Search* search, Squares* node, int alpha, int beta, int depth, int ply
) except? -WIN nogil:
    """The value of a node for its player to move, exact between alpha and beta; 0 once stopped."""
    # 1. A limit.
    if search.task.visited >= search.task.next_poll and poll(&search.task):
        return 0
    search.task.visited += 1
    search.length[ply] = ply
    cdef uint64_t key = 0
    if depth > 0:
        key = key_of(node)
        fetch(&search.table, key)
    # 2. The game is over.
    node.todo = reach(node.mover, node.occupied)
    if not node.todo:
        return node.others - WIN
    # 3. The position was met before.
    cdef const Entry* entry = find(&search.table, key) if depth > 0 else NULL
    if entry is not NULL and settles(entry, alpha, beta, depth):
        return entry.value
    # 4. The pieces are apart, and their moves are counted. The root needs a move.
    cdef int value
    node.won = False
    if ply and is_crowded(node) and decided(node):
        value = WIN - node.others if node.won else node.others - WIN
        if depth > 0:
            store(&search.table, key, value, LIMITLESS, -1, EXACT)
        return value
    # 5. A leaf, or an inner node.
    if depth <= 0:
        return territory(node)
    return visit_children(search, node, alpha, beta, depth, ply, key, -1 if entry is NULL else entry.move)


cdef int visit_children(
    Search* search, Squares* node, int alpha, int beta, int depth, int ply, uint64_t key, int best_move
) except? -WIN nogil:
    """The value of an inner node, which goes into the table."""
    cdef Moves moves
    cdef Squares child
    cdef int number, move, next_move, value, reduction, best = -WIN, least = alpha
    # Where the depth suffices for the end of all games nothing is reduced: the value is proven.
    cdef int left = node.squares - node.others
    cdef bint is_variation = beta - alpha > 1
    list_moves(&search.experience, node, best_move, &moves)
    next_move = pick(&moves, 0)
    for number in range(moves.count):
        move = next_move
        if number + 1 < moves.count:
            next_move = pick(&moves, number + 1)
            if depth > 1:
                fetch_child(&search.table, node, next_move)
        if not ply:
            search.task.root_move = move
        child = node[0]
        play_squares(&child, move)
        reduction = REDUCTIONS[depth][number] if depth < left else 0
        value = visit_child(search, &child, alpha, beta, depth - 1, reduction, ply + 1, not number)
        if search.task.stop:
            return 0
        if value <= best:
            continue
        best = value
        if value <= alpha:
            continue
        alpha = value
        best_move = move
        if is_variation:
            extend_variation(search, ply, move)
        if not ply:
            keep(search, move, value)
        if alpha >= beta:
            reward(&search.experience, node, depth, &moves, number)
            break
    store(
        &search.table, key, best, depth, best_move,
        AT_LEAST if best >= beta else EXACT if best > least else AT_MOST
    )
    return best


cdef inline int visit_child(
    Search* search, Squares* child, int alpha, int beta, int depth, int reduction, int ply, bint is_first
) except? -WIN nogil:
    """The value of a child for the player to move at its parent."""
    # The first child is expected to be the best. Of the others it is shown that they are no better,
    # at first to a reduced depth, and only a child that may be better is searched in full.
    cdef int value
    if not is_first:
        value = -visit(search, child, -alpha - 1, -alpha, depth - reduction, ply)
        if reduction and value > alpha:
            value = -visit(search, child, -alpha - 1, -alpha, depth, ply)
        if not alpha < value < beta:
            return value
    return -visit(search, child, -beta, -alpha, depth, ply)


cdef int search_depth(Search* search, Squares* root, int expected, int depth) except? -WIN nogil:
    """The value of the root to a depth, which is expected to be about that to the last depth."""
    cdef int value, width = WINDOW if depth >= ASPIRATION_DEPTH else 2 * WIN
    cdef int low = max(-WIN, expected - width), high = min(WIN, expected + width)
    while True:
        value = visit(search, root, low, high, depth, 0)
        if search.task.stop or low < value < high:
            return value
        width *= WIDENING
        if value <= low:
            low = max(-WIN, value - width)
        else:
            high = min(WIN, value + width)


cdef int deepen(Search* search, Squares* root) except -1 nogil:
    """Search to depth 1, 2, 3 ... until a limit, a proven value or the end of all games."""
    cdef Task* task = &search.task
    cdef int depth = 0, value = 0, most = root.squares - root.others
    cdef double deadline = task.deadline
    if task.depth_limit:
        most = min(most, task.depth_limit)
    task.deadline = INFINITY        # the first depth is always finished
    while depth < most and abs(value) < PROVEN:
        depth += 1
        grow(&search.table, MOST_PAIRS)
        value = search_depth(search, root, value, depth)
        if task.stop:
            break
        task.deepest = depth
        task.deadline = deadline
    return 0


cdef object result(Search* search, Board board):
    """The StrongResult of a search that has run."""
    cdef double value = search.task.best
    if PROVEN <= abs(value) <= WIN:
        value = WON if value > 0 else -WON
    else:
        value /= OWNED      # infinity remains
    variation = [search.answer[number] for number in range(search.answered)]
    return StrongResult(
        move=search.task.best_move,
        value=(value if board.player_to_move == 1 else -value) + 0.0,
        depth=search.task.deepest,
        nodes_visited=search.task.visited,
        variation=variation or [search.task.best_move],
        stopped=(None, "nodes", "seconds")[<int>search.task.stop],
    )


def strong_search(Board board not None, limits, report):
    """Search a board, as `strong_search` of core.game.Game."""
    cdef Search search
    cdef Squares root = board.squares()
    memset(&search, 0, sizeof(search))
    begin(&search.task, limits, report, 0)
    search.task.best_move = lowest(root.todo)
    if not create(&search.table, FEWEST_PAIRS):
        raise MemoryError("the search needs more memory than there is")
    try:
        with nogil:
            deepen(&search, &root)
    finally:
        free(search.table.entries)
    return result(&search, board)
