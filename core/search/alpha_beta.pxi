# Alpha-beta search, exactly as in Figure 5.7 of Russell and Norvig, "Artificial Intelligence: A
# Modern Approach" (3rd edition), as a template: each compiled game includes this file after it has
# defined the names below, so that the search is compiled for the game's own types.
#
#   State       a position as a plain C value, with a field `last`, the move that led to it;
#               or a fused type of several
#   Ply         a struct of a State `node` and two doubles `alpha` and `beta`; or a fused type
#   bint legal(State*)           find the moves of the player to move; whether there is one
#   bint has_move(State*)        whether one is left
#   int64_t next_move(State*)    take out the next one, in ascending order
#   void play(State*, int64_t)   play a move
#   void enter(State*), void undo(State*)    prepare to search below the position, and the reverse
#   double evaluate(State*)      the value for the player to move, once its moves are found
#   double evaluate_leaf(State*) the same at the depth limit, where no moves are looked for before
#   int64_t skip(State*, double alpha, int64_t most)    take out the next moves, `most` at most, whose
#               leaves are worth at most alpha, and return their number; or 0
#   bint out_of_memory(State*)   whether the state could not be completed
#
# and cimported int64_t, free and core.search.task. Its `search`, the Game's, begins a Task,
# makes the root with its legal moves, sets `task.best_move` to the first of them and returns `run`.
#
# The figure has one function for Max and one for Min. Here one loop plays both: values are seen by
# the player to move and change their sign with the player, which visits the same nodes in the same
# order and cuts off at the same places. The figure's v and alpha are one here: a v below alpha
# decides nothing but v itself, and at the root, where v is the answer, alpha is v. The loop keeps
# its own stack of plies, so that a game may be longer than the C stack is deep.

cdef int alpha_beta(Ply* root, Task* task, Stack* stack) except -1 nogil:
    """Search below a root whose legal moves are known; the result is in the task."""
    cdef Ply here = root[0], child
    cdef double value
    cdef int64_t depth = 0, deepest = 0, visited = 1, evaluated = 0, move, skipped
    # Copies of fields that the loop reads all the time: the compiler cannot know that they are constant.
    cdef int64_t depth_limit = task.depth_limit, next_poll = task.next_poll, capacity = 0
    cdef Ply* plies = NULL
    here.alpha = task.alpha
    here.beta = task.beta
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
            # 2. Now and then, count leaves of huge boards without a visit; else visit the next child.
            if visited >= next_poll and depth + 1 == depth_limit:
                skipped = skip(&here.node, here.alpha, task.node_limit - visited)
                if skipped:
                    visited += skipped
                    evaluated += skipped
                    deepest = depth_limit
                    continue
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
            if depth + 1 == depth_limit:
                # 3. A leaf: the depth is reached.
                value = -evaluate_leaf(&child.node)
            elif not legal(&child.node):
                # 4. A leaf: the game is over.
                value = -evaluate(&child.node)
            else:
                # 5. Its own children come first.
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
            evaluated += 1
        # 6. The first child with the best value counts.
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


cdef object run(Ply* root, Task* task, bint is_max):
    """Search below a root and return the SearchResult. Raises MemoryError."""
    cdef Stack stack = Stack(NULL, 0)
    try:
        with nogil:
            alpha_beta(root, task, &stack)
    finally:
        free(stack.plies)
    return result(task, is_max)
