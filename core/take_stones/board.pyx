# cython: cdivision=True
"""The board of Take-Stones for any number of stones."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, realloc

from core.bitset cimport below, bit, count
from core.splitmix cimport mixed
from core.take_stones.factors cimport MOST_FACTORS, factors, sieve

import os
from operator import index

from core.game import IllegalMove, Outcome
from core.picture import notebook_svg

cdef tuple LOSSES = (Outcome.no_legal_move(1), Outcome.no_legal_move(2))   # by player

cdef uint64_t ODD = 0x5555555555555555     # the odd stones of a word


cdef enum:
    MOST_SIEVED = 100_000_000   # stones: half a second of work


cdef struct Neighbours:
    # Walks over the factors and multiples of a stone in ascending order.
    int64_t n
    int64_t stone
    int64_t divisor
    int64_t multiple
    bint rising
    const int32_t* listed   # factors that are known, instead of the trial of divisors
    int64_t left            # how many of them


cdef Neighbours neighbours(int64_t n, int64_t stone) noexcept nogil:
    return Neighbours(n, stone, 0, stone, True, NULL, 0)


cdef int64_t next_neighbour(Neighbours* walk) noexcept nogil:
    """The next factor or multiple up to n, or 0 after the last."""
    if walk.left:
        walk.left -= 1
        walk.listed += 1
        return walk.listed[-1]
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


cdef struct Factors:
    int64_t divisors    # of the number, 1 and itself included
    int64_t counted     # of these the multiples of its largest prime factor
    int64_t prime       # the largest prime factor; 1 of 1


cdef Factors factorise(const uint16_t* smallest, int64_t number) noexcept nogil:
    """Count the divisors of a number, with a table of smallest prime factors or without (NULL)."""
    cdef Factors found = Factors(1, 1, 1)
    cdef int64_t prime = 2, power
    while number > 1:
        if smallest is not NULL:
            prime = smallest[number]
        else:
            while prime and number % prime:
                prime = prime + 1 if prime * prime <= number else 0
        if not prime:
            prime = number
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        found = Factors(found.divisors * (power + 1), found.divisors * power, prime)
    return found


cdef double magnitude(int64_t stone, int64_t prime) noexcept nogil:
    """The evaluation after this last move, without its sign; `prime` is its largest prime factor."""
    if stone == 1:
        return 0.5
    return 0.7 if prime == stone else 0.6


cdef void fill_table() noexcept:
    cdef int64_t stone, other, prime
    cdef Neighbours walk
    for stone in range(1, SMALL + 1):
        prime = factorise(NULL, stone).prime
        walk = neighbours(SMALL, stone)
        other = next_neighbour(&walk)
        while other:
            TABLE[stone - 1].neighbours |= bit(other - 1)
            if other % prime == 0:
                TABLE[stone - 1].counted |= bit(other - 1)
            other = next_neighbour(&walk)
        TABLE[stone - 1].values = [-magnitude(stone, prime), magnitude(stone, prime)]


fill_table()


cdef void sort(int32_t* numbers, int64_t count) noexcept nogil:
    """Sort a few numbers."""
    cdef int64_t i, place
    cdef int32_t number
    for i in range(1, count):
        number = numbers[i]
        place = i
        while place and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


cdef int64_t count_rows(Neighbours walk) noexcept nogil:
    """How many words hold a neighbour that the walk has before it."""
    cdef int64_t other = next_neighbour(&walk), word = -1, rows = 0
    while other:
        if (other - 1) >> 6 != word:
            word = (other - 1) >> 6
            rows += 1
        other = next_neighbour(&walk)
    return rows


cdef int64_t memory_limit() except -1:
    """The bytes that the stones of a search may take: half of the machine's memory."""
    # Linux overcommits memory, and kills a process that uses too much of it.
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


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


cdef LargeStone* meet_low(LargeBoard* board, int64_t number) noexcept nogil:
    """As `meet`, for a stone up to 64: each word has a row, though the last may be empty."""
    cdef int64_t words = (board.n + 63) // 64, last = number + 1, word, multiple = 0
    cdef uint64_t multiples = 0
    cdef LargeStone* stone = new_stone(board, words)
    if stone is NULL:
        return board.table[board.n]
    while multiple < 64:
        multiples |= bit(multiple)
        multiple += last
    stone.values = TABLE[number].values
    stone.rows[0] = Row(0, TABLE[number].neighbours, TABLE[number].counted)
    for word in range(1, words):
        stone.rows[word].word = word
        stone.rows[word].neighbours = multiples << (number - 64 * word % last)
    stone.rows[words - 1].neighbours &= below(board.n - 64 * (words - 1))
    for word in range(1, words):
        stone.rows[word].counted = stone.rows[word].neighbours
    board.table[number] = stone
    return stone


cdef bint sieved(LargeBoard* board, int64_t stone) noexcept nogil:
    """Whether smallest prime factors are known: once trial division has cost as much as a sieve."""
    cdef int64_t size = (board.n + 1) * sizeof(uint16_t)
    board.divisions += <int64_t>sqrt(<double>stone)
    if board.smallest is NULL and board.divisions > board.n and board.n <= MOST_SIEVED:
        if size <= board.memory_left:
            board.smallest = <uint16_t*>calloc(1, size)
        if board.smallest is not NULL:
            board.memory_left -= size
            sieve(board.smallest, 0, board.n)
    return board.smallest is not NULL


cdef LargeStone* meet(LargeBoard* board, int64_t number) noexcept nogil:
    """The facts that the search needs about a stone. Without memory: a stone without neighbours.

    The search looks at `out_of_memory` before it uses a result.
    """
    cdef int32_t[MOST_FACTORS] found
    cdef int64_t other, last = number + 1, prime
    cdef Neighbours walk = neighbours(board.n, last)
    if number < SMALL:
        return meet_low(board, number)
    if sieved(board, last):
        walk.rising = False
        walk.listed = &found[0]
        walk.left = factors(board.smallest, last, found)
        sort(found, walk.left)
    prime = factorise(board.smallest, last).prime
    cdef LargeStone* stone = new_stone(board, count_rows(walk))
    if stone is NULL:
        return board.table[board.n]
    stone.values[1] = magnitude(last, prime)
    stone.values[0] = -stone.values[1]
    cdef Row* row = stone.rows - 1
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


cdef double evaluate_by_factors(LargeBoard* board, int64_t number) noexcept nogil:
    """The value of a leaf as of evaluate_large, without the neighbours of its last stone.

    Stone 1 is taken, or is the last stone: other leaves have the value 0. The neighbours that
    remain are counted as all of them less those that are on the path.
    """
    cdef int64_t last = number + 1, place, other
    sieved(board, last)
    cdef Factors found = factorise(board.smallest, last)
    cdef int64_t multiples = board.n // last - 1    # of which all are counted
    cdef int64_t left = found.divisors - 1 + multiples, counted = found.counted - 1 + multiples
    for place in range(min(board.length, board.capacity)):
        other = board.path[place] + 1
        if other % last == 0:
            left -= 1
            counted -= 1
        elif last % other == 0:
            left -= 1
            counted -= other % found.prime == 0
    if not left:
        return -1.0
    return magnitude(last, found.prime) if counted & 1 else -magnitude(last, found.prime)


cdef void append(LargeBoard* board, int64_t stone) noexcept nogil:
    """Append a stone to the path. Without memory it is counted alone, and the search is over."""
    cdef int64_t capacity = 2 * board.capacity if board.capacity else 64
    cdef void* path
    if board.length == board.capacity:
        path = realloc(board.path, capacity * sizeof(int64_t))
        if path is not NULL:
            board.path = <int64_t*>path
            board.capacity = capacity
    board.out_of_memory |= board.length == board.capacity
    if board.length < board.capacity:
        board.path[board.length] = stone
    board.length += 1


cdef bint is_free(LargeBoard* board, int64_t stone) noexcept nogil:
    """Whether a stone remains."""
    return not board.taken[(stone - 1) >> 6] & bit(stone - 1)


cdef bint ends_game(LargeBoard* board, int64_t stone) noexcept nogil:
    """Whether a stone remains, and no neighbour of it."""
    cdef Neighbours walk = neighbours(board.n, stone)
    cdef int64_t other = next_neighbour(&walk)
    while other and not is_free(board, other):
        other = next_neighbour(&walk)
    return is_free(board, stone) and not other


cdef int64_t next_end(LargeBoard* board, int64_t last, int64_t first) noexcept nogil:
    """The least stone from `first` on that follows `last` and ends the game, else a number above n.

    The stone has no neighbours but taken ones. If 1 is the only one, it is a prime above n/2. If it
    is another prime, its double is taken. Otherwise its largest factor is: the stone is that factor
    times a number up to the factor's smallest prime.
    """
    cdef int64_t best = board.n + 1, place, stone, factor, other
    for place in range(min(board.length, board.capacity)):
        stone = board.path[place] + 1
        other = stone // 2 if stone % 2 == 0 else 0
        factor = 1
        while other < best:
            if other >= first and not (other % last and last % other) and ends_game(board, other):
                best = other
            if stone == 1 or (factor > 1 and stone % factor == 0):
                break
            factor += 1
            other = factor * stone
    other = max(first, board.n // 2 + 1)
    while last == 1 and other < best:
        if ends_game(board, other):
            best = other
        other += 1
    return best


cdef double best_leaf(LargeStones* state) noexcept nogil:
    """The most that a leaf can be worth that is no end of the game, for the player to move here."""
    cdef int64_t next = 64 * state.row.word, last = state.last + 1
    if not state.board.taken[0] & 1:
        return 0.0
    return 0.6 if 1 < last < next else 0.7      # multiples of another stone than 1 are composite


cdef int64_t skip_large(LargeStones* state, double alpha, int64_t most) noexcept nogil:
    """Take out the next moves that lead to leaves of at most `alpha`, unless they exceed `most`.

    Returns their number.
    """
    cdef int64_t end = state.board.n + 1, skipped = 0
    cdef LargeStones rest = state[0]
    cdef uint64_t moves
    if alpha < best_leaf(state) or (state.todo & 1 and not state.row.word):
        return 0
    if alpha < 1 and state.board.taken[0] & 1:
        end = next_end(state.board, state.last + 1, 64 * state.row.word + 1)
    while has_large(&rest) and 64 * rest.row.word < end - 1:
        moves = rest.todo
        if (end - 1) >> 6 == rest.row.word:
            moves &= below((end - 1) & 63)
        skipped += count(moves)
        rest.todo ^= moves
        if rest.todo:
            break
    if skipped > most:
        return 0
    state[0] = rest
    return skipped


cdef LargeStone* openings(LargeBoard* board) noexcept nogil:
    """The stones that may be taken first, as the neighbours of no stone, or NULL."""
    cdef int64_t half = (board.n - 1) // 2, words = (half + 63) // 64, word
    cdef LargeStone* stone = new_stone(board, words)
    if stone is not NULL:
        for word in range(words):
            stone.rows[word] = Row(word, ODD, 0)
        stone.rows[words - 1].neighbours &= below(half - 64 * (words - 1))
    return stone


cdef int64_t least_memory(int64_t n, int64_t step, int64_t last) noexcept nogil:
    """The least bytes that the stones `step`, 2 * `step`, ... up to `last` take once they are met."""
    cdef int64_t most = last // step, number = 1, multiples, end, rows, memory = 0
    while number <= most:
        # Numbers with the same quotient at once.
        multiples = n // step // number
        end = min(most, n // step // multiples)
        rows = max(1, min(multiples, n // 64) - 1)
        memory += (end - number + 1) * (<int64_t>sizeof(LargeStone) + rows * <int64_t>sizeof(Row))
        number = end + 1
    return memory


cdef void close_large(LargeBoard* board) noexcept nogil:
    """Free the memory of `Board.open_large` and of the search."""
    cdef LargeStone* stone
    while board.newest is not NULL:
        stone = board.newest
        board.newest = stone.previous
        free(stone)
    free(board.smallest)
    free(board.table)
    free(board.met)
    free(board.path)
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

    def _repr_svg_(self):
        """The picture that a notebook shows."""
        return notebook_svg(self)

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

    cdef int64_t least_memory(self, object depth):
        """The bytes that a search needs at least for the stones that it meets, which it all keeps.

        The first child of the root has the full window, as the root has: all children of both are
        visited, and met unless they are leaves. The first child is stone 1, if that remains.
        """
        cdef int64_t last = self._taken[-1] if self._taken else 0, memory = 0
        if depth == 1:
            return 0
        if not last:
            half = (self._n - 1) // 2
            memory = least_memory(self._n, 1, half) - least_memory(self._n, 2, half)
        if not self._has(1) and depth != 2:
            last = 1
        if last:
            memory = least_memory(self._n, last, self._n)
            for stone in self._taken:
                if stone % last == 0:
                    memory -= least_memory(self._n, stone, stone)
        return memory

    cdef int open_large(self, LargeBoard* board, LargeStones* state) except -1:
        """Make the search's state for any n on an empty LargeBoard.

        `close_large` frees the memory of this and of the search, also after an error.
        """
        # Until the search gets to it, all this takes less memory than the stones themselves:
        # pages from calloc are free before they are touched.
        state.board = board
        board.n = self._n
        board.memory_left = memory_limit()
        board.taken = <uint64_t*>calloc((self._n + 63) // 64, sizeof(uint64_t))
        board.met = <uint64_t*>calloc((self._n + 63) // 64, sizeof(uint64_t))
        board.table = <LargeStone**>calloc(self._n + 1, sizeof(LargeStone*))
        # The stone without neighbours, which stands one past the last.
        cdef LargeStone* first = new_stone(board, 1)
        if board.taken is NULL or board.met is NULL or board.table is NULL or first is NULL:
            raise MemoryError
        board.table[self._n] = first
        for stone in self._taken:
            play_large(state, stone - 1)
            enter_large(state)
            append(board, stone - 1)
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
