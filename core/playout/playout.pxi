# Playouts of games in which a player who cannot move loses, as a template: each compiled game
# includes this file after it has defined the names below.
#
#   State       a position as a plain C value that knows its legal moves; or a fused type of several
#   bint legal(State*)                find the moves of the player to move; whether there is one
#   bint has_move(State*)             whether one is left
#   int64_t next_move(State*)         take out the next one, in ascending order
#   int64_t count_moves(State*)       how many are left
#   int64_t nth_move(State*, int64_t) the one after this many others
#   void play(State*, int64_t)        play a move; `legal` may follow at once
#   void enter(State*)                prepare to play on from a state that moves were found for
#   void reset(State*)                prepare the root for the next game
#   bint out_of_memory(State*)        whether a state could not be completed
#
# and cimported int64_t, PyErr_CheckSignals, next_word and scaled of core.splitmix, and Tally of
# core.playout.tally.

cdef int64_t greedy_move(State* state) noexcept nogil:
    """The smallest of the moves that leave the opponent the fewest."""
    cdef State child
    cdef int64_t move, replies, best = 0, fewest = -1
    while has_move(state):
        move = next_move(state)
        child = state[0]
        play(&child, move)
        replies = count_moves(&child) if legal(&child) else 0
        if fewest < 0 or replies < fewest:
            best = move
            fewest = replies
    return best


cdef void play_game(State* state, Tally* tally) noexcept nogil:
    """Play a game to its end and count it."""
    cdef int64_t move
    cdef int player = tally.first
    while has_move(state):
        if tally.is_greedy[player]:
            move = greedy_move(state)
        else:
            move = nth_move(state, scaled(next_word(&tally.counter), count_moves(state)))
        play(state, move)
        enter(state)
        legal(state)
        tally.plies += 1
        player ^= 1
    tally.wins += player
    tally.left -= 1


cdef int play_games(State* root, Tally* tally, int64_t signals) except -1:
    """Play all games, and let Ctrl-C interrupt them every `signals` plies. Raises MemoryError."""
    cdef State state
    cdef int64_t stop
    while tally.left:
        with nogil:
            stop = tally.plies + signals
            while True:
                state = root[0]
                play_game(&state, tally)
                reset(root)
                if out_of_memory(root) or not tally.left or tally.plies >= stop:
                    break
        if out_of_memory(root):
            raise MemoryError
        PyErr_CheckSignals()
    return 0
