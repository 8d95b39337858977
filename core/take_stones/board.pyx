# cython: cdivision=True
"""The board of Take-Stones for any number of stones."""

from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free

from core.bitset cimport below, bit
from core.splitmix cimport mixed

import os
from operator import index

from core.game import IllegalMove, Outcome

cdef tuple LOSSES = (Outcome.no_legal_move(1), Outcome.no_legal_move(2))   # by player

cdef uint64_t ODD = 0x5555555555555555     # the odd stones of a word


cdef struct Neighbours:
    # Walks over the factors and multiples of a stone in ascending order.
    int64_t n
    int64_t stone
    int64_t divisor
    int64_t multiple
    bint rising


cdef Neighbours neighbours(int64_t n, int64_t stone) noexcept nogil:
    return Neighbours(n, stone, 0, stone, True)


cdef int64_t next_neighbour(Neighbours* walk) noexcept nogil:
    """The next factor or multiple up to n, or 0 after the last."""
    # 1. Factors up to the square root.
    while walk.rising:
        walk.divisor += 1
        if walk.divisor * walk.divisor > walk.stone:
            walk.rising = False
        elif walk.stone % walk.divisor == 0 and walk.divisor < walk.stone:
            return walk.divisor
    # 2. The factors that pair with them, from the square root on.
    while walk.divisor > 2:
        walk.divisor -= 1
        if walk.stone % walk.divisor == 0 and walk.divisor * walk.divisor < walk.stone:
            return walk.stone // walk.divisor
    # 3. Multiples.
    walk.multiple += walk.stone
    return walk.multiple if walk.multiple <= walk.n else 0


cdef int64_t largest_prime_factor(int64_t number) noexcept nogil:
    """The largest prime that divides a number; 1 for 1."""
    cdef int64_t largest = 1, divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            number //= divisor
            largest = divisor
        else:
            divisor += 1
    return number if number > 1 else largest


cdef double magnitude(int64_t stone) noexcept nogil:
    """The evaluation after this last move, without its sign."""
    if stone == 1:
        return 0.5
    return 0.7 if largest_prime_factor(stone) == stone else 0.6


cdef void fill_table() noexcept:
    cdef int64_t stone, other, prime
    cdef Neighbours walk
    for stone in range(1, SMALL + 1):
        prime = largest_prime_factor(stone)
        walk = neighbours(SMALL, stone)
        other = next_neighbour(&walk)
        while other:
            TABLE[stone - 1].neighbours |= bit(other - 1)
            if other % prime == 0:
                TABLE[stone - 1].counted |= bit(other - 1)
            other = next_neighbour(&walk)
        TABLE[stone - 1].values = [-magnitude(stone), magnitude(stone)]


fill_table()


cdef int64_t count_rows(int64_t n, int64_t stone) noexcept nogil:
    """How many words hold a neighbour of the stone."""
    cdef Neighbours walk = neighbours(n, stone)
    cdef int64_t other = next_neighbour(&walk), word = -1, rows = 0
    while other:
        if (other - 1) >> 6 != word:
            word = (other - 1) >> 6
            rows += 1
        other = next_neighbour(&walk)
    return rows


cdef LargeStone* new_stone(LargeBoard* board, int64_t rows) noexcept nogil:
    """Return a stone with `rows` empty rows, or NULL."""
    cdef int64_t size = sizeof(LargeStone) + rows * sizeof(Row)
    cdef LargeStone* stone = NULL
    if size <= board.memory_left:
        stone = <LargeStone*>calloc(1, size)
    if stone is NULL:
        board.out_of_memory = True
        return NULL
    board.memory_left -= size
    stone.previous = board.newest
    board.newest = stone
    stone.end = stone.rows + rows
    return stone


cdef LargeStone* meet(LargeBoard* board, int64_t number) noexcept nogil:
    """The facts that the search needs about a stone. Without memory: a stone without neighbours.

    The search looks at `out_of_memory` before it uses a result.
    """
    cdef int64_t other, last = number + 1, prime = largest_prime_factor(last)
    cdef LargeStone* stone = new_stone(board, count_rows(board.n, last))
    if stone is NULL:
        return board.table[board.n]
    stone.values = [-magnitude(last), magnitude(last)]
    cdef Row* row = stone.rows - 1
    cdef Neighbours walk = neighbours(board.n, last)
    other = next_neighbour(&walk)
    while other:
        if row < stone.rows or row.word != (other - 1) >> 6:
            row += 1
            row.word = (other - 1) >> 6
        row.neighbours |= bit(other - 1)
        if other % prime == 0:
            row.counted |= bit(other - 1)
        other = next_neighbour(&walk)
    board.table[number] = stone
    return stone


cdef LargeStone* openings(LargeBoard* board) noexcept nogil:
    """The stones that may be taken first, as the neighbours of no stone, or NULL."""
    cdef int64_t half = (board.n - 1) // 2, words = (half + 63) // 64, word
    cdef LargeStone* stone = new_stone(board, words)
    if stone is not NULL:
        for word in range(words):
            stone.rows[word] = Row(word, ODD, 0)
        stone.rows[words - 1].neighbours &= below(half - 64 * (words - 1))
    return stone


cdef void close_large(LargeBoard* board) noexcept nogil:
    """Free the memory of `Board.open_large` and of the search."""
    cdef LargeStone* stone
    while board.newest is not NULL:
        stone = board.newest
        board.newest = stone.previous
        free(stone)
    free(board.table)
    free(board.taken)


cdef class Board:
    """A game of Take-Stones with the stones 1 to n, after the moves in `taken`.

    Raises ValueError if n < 1, IllegalMove for the first stone of `taken` that breaks a rule, and
    MemoryError if n is too large for the machine. With `any_first` the first stone of `taken` may
    be any: the assignment's own third test case begins with 4 of 10. Boards with the same stones
    taken and the same last stone are equal, in any order of taking.
    """

    def __cinit__(self, n, taken=(), any_first=False):
        n = index(n)
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        self.n = n
        self._taken = []
        if n < 1 << 62:     # so that twice a stone fits into 64 bits
            self._n = n
            self._words = <uint64_t*>calloc((self._n + 63) // 64, sizeof(uint64_t))
        if self._words is NULL:
            raise MemoryError("too many stones for this machine's memory")
        for stone in taken:
            self._take(stone, any_first)

    def __dealloc__(self):
        free(self._words)

    @property
    def taken(self):
        """The stones taken, from first to last."""
        return self._taken.copy()

    @property
    def moves(self):
        """The stones taken, by the name that all games have for their moves."""
        return self._taken.copy()

    @property
    def last(self):
        """The stone taken last, or None."""
        return self._taken[-1] if self._taken else None

    @property
    def player_to_move(self):
        """1 (Max) or 2 (Min)."""
        return 1 + len(self._taken) % 2

    @property
    def is_over(self):
        """Whether the player to move cannot take a stone, and so has lost."""
        return not self._has_move()

    @property
    def winner(self):
        """1 or 2 once the game is over, else None."""
        return 3 - self.player_to_move if self.is_over else None

    @property
    def outcome(self):
        """The Outcome once the game is over, else None."""
        return None if self._has_move() else LOSSES[len(self._taken) % 2]

    def legal_moves(self):
        """The stones that the player to move may take, ascending."""
        if not self._taken:
            # The assignment: the first stone is odd and strictly below n/2.
            return list(range(1, (self.n + 1) // 2, 2))
        moves = []
        cdef Neighbours walk = neighbours(self._n, self._taken[-1])
        cdef int64_t stone = next_neighbour(&walk)
        while stone:
            if not self._has(stone):
                moves.append(stone)
            stone = next_neighbour(&walk)
        return moves

    def take(self, stone):
        """Take a stone. Raises IllegalMove, and then nothing has changed."""
        self._take(stone, False)

    def play(self, move):
        """Take a stone, by the name that all games have for it. Raises IllegalMove."""
        self._take(move, False)

    def undo(self):
        """Put the last stone back and return it. Raises IndexError if none is taken."""
        if not self._taken:
            raise IndexError("no stone has been taken")
        stone = self._taken.pop()
        cdef int64_t index = stone - 1
        self._words[index >> 6] ^= bit(index)
        self._key ^= mixed(stone)
        return stone

    def copy(self):
        """A board that goes its own way from here."""
        cdef Board board = Board(self.n)
        for stone in self._taken:
            board._put(stone)
        return board

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return Board, (self.n, self._taken.copy(), True)

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        cdef Board board = other
        return (
            self._n == board._n
            and self._key == board._key
            and self.last == board.last
            and set(self._taken) == set(board._taken)
        )

    def __hash__(self):
        return hash((self._n, self._key, self.last))

    def __repr__(self):
        return f"Board({self.n}, taken={self._taken})"

    def __str__(self):
        last = self.last or "none"
        return f"Remaining: {' '.join(self._remaining()) or 'none'}\nLast taken: {last}"

    def _remaining(self):
        """The stones that are left, as ranges: a board may have more stones than fit on paper."""
        first = 1
        for taken in (*sorted(self._taken), self.n + 1):
            if first < taken - 1:
                yield f"{first}-{taken - 1}"
            elif first == taken - 1:
                yield str(first)
            first = taken + 1

    cdef bint _has_move(self):
        """Whether any stone may be taken: stops at the first, however many there are."""
        if not self._taken:
            return self.n > 2
        cdef Neighbours walk = neighbours(self._n, self._taken[-1])
        cdef int64_t stone = next_neighbour(&walk)
        while stone and self._has(stone):
            stone = next_neighbour(&walk)
        return stone != 0

    cdef bint _has(self, int64_t stone) noexcept:
        """Whether the stone has been taken."""
        return (self._words[(stone - 1) >> 6] & bit(stone - 1)) != 0

    cdef int _take(self, object stone, bint any_first) except -1:
        stone = index(stone)
        rule = self._broken_rule(stone, any_first)
        if rule is not None:
            raise IllegalMove(stone, len(self._taken) + 1, rule)
        self._put(stone)
        return 0

    cdef str _broken_rule(self, object stone, bint any_first):
        """The rule that taking the stone would break, in words, or None."""
        if not 1 <= stone <= self.n:
            return f"stone {stone} does not exist, the stones are 1 to {self.n}"
        if self._has(stone):
            return f"stone {stone} has already been taken"
        if not self._taken:
            if not any_first and (stone % 2 == 0 or 2 * stone >= self.n):
                half = f"{self.n // 2}.5" if self.n % 2 else self.n // 2
                return f"stone {stone} cannot be the first, which must be odd and below n/2 = {half}"
        elif stone % self._taken[-1] and self._taken[-1] % stone:
            last = self._taken[-1]
            return f"stone {stone} is neither a factor nor a multiple of the last stone, {last}"
        return None

    cdef void _put(self, int64_t stone) noexcept:
        """Take a stone, unchecked."""
        self._words[(stone - 1) >> 6] |= bit(stone - 1)
        self._key ^= mixed(stone)
        self._taken.append(stone)

    cdef SmallStones small(self) noexcept:
        """The search's state for n up to 64."""
        cdef uint64_t remaining = ~self._words[0] & below(self._n)
        cdef SmallStones state = SmallStones(remaining, ODD & below((self._n - 1) // 2), -1)
        if self._taken:
            state.last = self._taken[-1] - 1
            legal_small(&state)
        return state

    cdef int open_large(self, LargeBoard* board, LargeStones* state) except -1:
        """Make the search's state for any n on an empty LargeBoard.

        `close_large` frees the memory of this and of the search, also after an error.
        """
        # Until the search gets to it, all this takes less memory than the stones themselves:
        # pages from calloc are free before they are touched.
        state.board = board
        board.n = self._n
        # Linux overcommits memory, and kills a process that uses too much of it.
        board.memory_left = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        board.taken = <uint64_t*>calloc((self._n + 63) // 64, sizeof(uint64_t))
        board.table = <LargeStone**>calloc(self._n + 1, sizeof(LargeStone*))
        # The stone without neighbours, which stands one past the last.
        cdef LargeStone* first = new_stone(board, 1)
        if board.taken is NULL or board.table is NULL or first is NULL:
            raise MemoryError
        board.table[self._n] = first
        for stone in self._taken:
            play_large(state, stone - 1)
            enter_large(state)
        if self._taken:
            legal_large(state)
        else:
            state.last = -1
            first = openings(board)
            if first is not NULL:
                state.row = first.rows
                state.end = first.end
                state.todo = first.rows[0].neighbours
        if board.out_of_memory:
            raise MemoryError
        return 0
