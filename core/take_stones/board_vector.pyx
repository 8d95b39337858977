# cython: cdivision=True, boundscheck=False, wraparound=False
"""Many boards at once, for programs that learn: a step makes a move on each of them."""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memmove, memset

from core.splitmix cimport chained, next_word, scaled, word


cdef int64_t MAX_STONES = 100_000    # their factors and multiples are found in milliseconds


cdef struct Row:
    # One of the boards; stones are numbered from 0 here.
    int8_t* remaining       # 1 for each stone that is left
    int8_t* taken_last      # 1 for the stone that was taken last
    int8_t* mask            # 1 for each legal move
    int64_t last            # -1 before the first move
    int64_t legal           # the number of legal moves
    uint64_t counter        # of splitmix64


cdef class BoardVector:
    """Boards with the same number of stones; a game that ends is followed by a new one at once.

    Each game is against a player that makes random moves, or both players are the caller's. Equal
    seeds and actions give equal games. In several threads each call waits for the one before.

    Args:
        observations: Observations of the boards after a step, as `observe` returns them: an array
            of 0 and 1 of the shape (boards, 2, stones). This and the other arrays are written by
            each step.
        masks: 1 for each legal action, which is a stone counted from 0; of the shape (boards,
            stones).
        players: The player that the caller is, 1 or 2; against itself the one to move.
        rewards: 1 for an action that has won, -1 for one that has lost, else 0: of the player that
            took it. An illegal move loses.
        ends: 1 for each board whose game has ended with the step.
        final: The last observations of these games; of other boards any.
        is_answered: Whether a random player answers each action.
        player: The player that the caller is in games against a random player, 1 or 2; 0 to draw it
            for each game.

    Raises:
        ValueError: The arrays are of different sizes, or there are fewer than 3 stones.
        MemoryError: There are too many stones for the machine.
    """

    cdef int8_t[:, :, ::1] _observations, _final
    cdef int8_t[:, ::1] _masks
    cdef int8_t[::1] _players
    cdef double[::1] _rewards
    cdef uint8_t[::1] _ends
    cdef Row* _rows
    cdef int32_t* _neighbours   # of all stones, ascending
    cdef int64_t* _starts       # where those of a stone begin, and at last where all end
    cdef int64_t _count, _n
    cdef bint _is_answered
    cdef int8_t _player
    cdef cython.pymutex _lock       # a step releases the GIL

    def __cinit__(
        self,
        int8_t[:, :, ::1] observations not None,
        int8_t[:, ::1] masks not None,
        int8_t[::1] players not None,
        double[::1] rewards not None,
        uint8_t[::1] ends not None,
        int8_t[:, :, ::1] final not None,
        bint is_answered,
        int8_t player=0,
    ):
        cdef int64_t count = masks.shape[0], n = masks.shape[1], i
        shapes = {(<object>observations).shape, (<object>final).shape, (count, 2, n)}
        lengths = {players.shape[0], rewards.shape[0], ends.shape[0], count}
        if len(shapes) > 1 or len(lengths) > 1:
            raise ValueError("the arrays are of different sizes")
        if not 3 <= n <= MAX_STONES:
            raise ValueError(f"expected 3 to {MAX_STONES} stones, got {n}")
        self._observations, self._masks, self._players = observations, masks, players
        self._rewards, self._ends, self._final = rewards, ends, final
        self._count, self._n = count, n
        self._is_answered, self._player = is_answered, player
        self._rows = <Row*>calloc(count + 1, sizeof(Row))
        self._starts = <int64_t*>calloc(n + 1, sizeof(int64_t))
        if self._rows is NULL or self._starts is NULL:
            raise MemoryError
        self._find_neighbours()
        for i in range(count):
            self._rows[i].remaining = &observations[i, 0, 0]
            self._rows[i].taken_last = &observations[i, 1, 0]
            self._rows[i].mask = &masks[i, 0]
        self.reset(0)

    def __dealloc__(self):
        free(self._rows)
        free(self._starts)
        free(self._neighbours)

    def __reduce__(self):
        raise TypeError("a BoardVector writes to arrays of its caller, and cannot be copied")

    def reset(self, seed):
        """Begin a game on each board; any integer is a seed, of all random choices from here on."""
        cdef uint64_t first = chained(0, word(seed))
        cdef int64_t i
        with self._lock, nogil:
            for i in range(self._count):
                self._rows[i].counter = chained(first, i)
                self._begin(i)

    def step(self, const int64_t[::1] actions not None):
        """Take the action of each board, and the random player's if there is one.

        Raises:
            ValueError: There are too many or too few actions, or one is out of range; nothing has
                changed.
        """
        cdef int64_t i
        if actions.shape[0] != self._count:
            raise ValueError(f"expected {self._count} actions, got {actions.shape[0]}")
        for i in range(self._count):
            if not 0 <= actions[i] < self._n:
                raise ValueError(
                    f"expected actions from 0 to {self._n - 1}, got {actions[i]} for board {i}"
                )
        with self._lock, nogil:
            for i in range(self._count):
                self._rewards[i] = self._act(i, actions[i])
                self._ends[i] = self._rewards[i] != 0
                if self._ends[i]:
                    memcpy(&self._final[i, 0, 0], self._rows[i].remaining, 2 * self._n)
                    self._begin(i)

    cdef int _find_neighbours(self) except -1:
        """Find the factors and multiples of each stone. Raises MemoryError."""
        cdef int64_t stone, other
        for stone in range(1, self._n + 1):
            for other in range(2 * stone, self._n + 1, stone):
                self._starts[stone] += 1
                self._starts[other] += 1
        for stone in range(self._n):
            self._starts[stone + 1] += self._starts[stone]
        self._neighbours = <int32_t*>calloc(self._starts[self._n], sizeof(int32_t))
        if self._neighbours is NULL:
            raise MemoryError
        for stone in range(self._n):    # what is the start of a list becomes its end
            for other in range(2 * stone + 1, self._n, stone + 1):
                self._append(stone, other)
                self._append(other, stone)
        memmove(self._starts + 1, self._starts, self._n * sizeof(int64_t))
        self._starts[0] = 0
        return 0

    cdef void _append(self, int64_t stone, int64_t other) noexcept nogil:
        self._neighbours[self._starts[stone]] = <int32_t>other
        self._starts[stone] += 1

    cdef void _begin(self, int64_t i) noexcept nogil:
        """Begin a game."""
        cdef Row* row = self._rows + i
        cdef int64_t stone
        memset(row.remaining, 1, self._n)
        memset(row.taken_last, 0, self._n)
        memset(row.mask, 0, self._n)
        row.last = -1
        for stone in range(0, (self._n - 1) // 2, 2):
            row.mask[stone] = 1
        self._players[i] = 1
        if self._is_answered:
            self._players[i] = self._player or 1 + <int8_t>scaled(next_word(&row.counter), 2)
        if self._players[i] == 2:
            self._take(row, self._random_move(row))

    cdef double _act(self, int64_t i, int64_t action) noexcept nogil:
        """Take an action and the answer to it; return the reward, which is not 0 at the end."""
        cdef Row* row = self._rows + i
        if not row.mask[action]:
            return -1
        self._take(row, action)
        if not row.legal:
            return 1
        if not self._is_answered:
            self._players[i] = 3 - self._players[i]
            return 0
        self._take(row, self._random_move(row))
        return 0 if row.legal else -1

    cdef void _take(self, Row* row, int64_t stone) noexcept nogil:
        """Take a stone and find the legal moves after it."""
        cdef int64_t place, other
        row.remaining[stone] = 0
        if row.last >= 0:
            row.taken_last[row.last] = 0
        row.taken_last[stone] = 1
        row.last = stone
        memset(row.mask, 0, self._n)
        row.legal = 0
        for place in range(self._starts[stone], self._starts[stone + 1]):
            other = self._neighbours[place]
            row.mask[other] = row.remaining[other]
            row.legal += row.remaining[other]

    cdef int64_t _random_move(self, Row* row) noexcept nogil:
        """A legal move, of which there is one; each with the same probability."""
        cdef uint64_t drawn = next_word(&row.counter)
        cdef int64_t place, number
        if row.last < 0:
            return 2 * scaled(drawn, ((self._n - 1) // 2 + 1) // 2)
        number = scaled(drawn, row.legal)
        place = self._starts[row.last]
        while number or not row.mask[self._neighbours[place]]:
            number -= row.mask[self._neighbours[place]]
            place += 1
        return self._neighbours[place]
