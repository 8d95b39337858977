"""The board of Isolation."""

from libc.stdint cimport int64_t, uint64_t

from core.bitset cimport below, bit, count, pop_lowest

from core.game import IllegalMove, Outcome
from core.picture import notebook_svg

LEAST_SIZE = 3              # rows, and columns
LARGEST_SIZE = 8

cdef tuple STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))       # along a row, a column and the two diagonals


def name(square):
    """A square as the rules write it, (row column)."""
    return f"({square // 8 + 1} {square % 8 + 1})"


cdef list line_from(int square, int down, int right):
    """The squares from one, without it, to the edge of the board in a direction."""
    cdef int row = square // 8 + down, column = square % 8 + right
    line = []
    while 0 <= row < 8 and 0 <= column < 8:
        line.append(8 * row + column)
        row += down
        column += right
    return line


cdef list way(int square, int target):
    """The squares from one to another in a queen's line, both left out; None if there is none."""
    for down, right in STEPS:
        for sign in 1, -1:
            line = line_from(square, sign * down, sign * right)
            if target in line:
                return line[:line.index(target)]
    return None


cdef int fill_lines() except -1:
    cdef Line* line
    for square in range(64):
        for number, (down, right) in enumerate(STEPS):
            line = &LINES[<int>square].line[<int>number]
            for other in line_from(square, -down, -right):
                line.before |= bit(other)
            for other in line_from(square, down, right):
                line.after |= bit(other)
            line.both = line.before | line.after
    return 0


cdef int fill_distances() noexcept:
    cdef int column, down, columns, other
    for column in range(8):
        for down in range(-7, 8):
            for columns in range(256):
                for other in range(8):
                    if columns >> other & 1:
                        DISTANCES[column][7 + down][columns] += max(abs(down), abs(other - column))
    return 0


fill_lines()
fill_distances()


cdef uint64_t squares_outside(int size) noexcept:
    """The squares outside a board, of the 8 by 8 that there are numbers for."""
    cdef uint64_t inside = 0
    cdef int row
    for row in range(size):
        inside |= below(size) << (8 * row)
    return ~inside


cdef dict read_squares(object rows):
    """The symbols of the squares. Raises ValueError for rows that are not those of a board."""
    # The most exact message comes first: a strange symbol is often why a size is wrong.
    symbols = {}
    for row, text in enumerate(rows):
        for column, symbol in enumerate(text):
            if symbol not in ("-", "*", "x", "o"):
                raise ValueError(
                    f"row {row + 1}, column {column + 1}: {ascii(symbol)} is none of - * x o"
                )
            symbols[8 * row + column] = symbol
    if not LEAST_SIZE <= len(rows) <= LARGEST_SIZE:
        raise ValueError(
            f"the board must have {LEAST_SIZE} to {LARGEST_SIZE} rows, not {len(rows)}"
        )
    for number, text in enumerate(rows, 1):
        if len(text) != len(rows):
            raise ValueError(
                f"row {number} must have {len(rows)} columns, as there are {len(rows)} rows, "
                f"not {len(text)}"
            )
    return symbols


cdef class Board:
    """A game of Isolation, after the moves in `moves`.

    The board has `size` rows and columns, 3 to 8; raises ValueError for another size. A move is the
    square that a piece goes to, 8 (row - 1) + (column - 1) for the square (row column) on boards of
    every size. Raises IllegalMove for the first move of `moves` that breaks a rule. Boards of the
    same size with the same squares filled, the same places of x and o and the same player to move
    are equal.
    """

    def __cinit__(self, moves=(), *, size=LARGEST_SIZE):
        if not LEAST_SIZE <= size <= LARGEST_SIZE:
            raise ValueError(f"size must be from {LEAST_SIZE} to {LARGEST_SIZE}, not {size}")
        self.size = size
        self._outside = squares_outside(size)
        self._moves = []
        self._pieces = [0, 9 * (size - 1)]      # the first and the last square of the diagonal
        self._start = self._pieces
        self._occupied = self._outside | bit(self._pieces[0]) | bit(self._pieces[1])
        for square in moves:
            self.play(square)

    @staticmethod
    def from_rows(rows, player_to_move=1, moves=()):
        """A game that starts at any position, as many rows as columns of the symbols - * x o.

        Raises ValueError if this is no board, and IllegalMove as `Board` does.
        """
        if player_to_move not in (1, 2):
            raise ValueError(f"the player to move must be 1 or 2, not {player_to_move}")
        symbols = read_squares(rows)
        cdef Board board = Board(size=len(rows))
        board._first = player_to_move - 1
        board._occupied = board._outside
        for square, symbol in symbols.items():
            if symbol != "-":
                board._occupied |= bit(square)
        for player, piece in enumerate("xo"):
            squares = [square for square, symbol in symbols.items() if symbol == piece]
            if not squares:
                raise ValueError(f"there is no {piece} on the board")
            if len(squares) > 1:
                row, column = divmod(squares[1], 8)
                raise ValueError(
                    f"row {row + 1}, column {column + 1}: a second {piece}, "
                    f"the first is at {name(squares[0])}"
                )
            board._pieces[<int>player] = squares[0]
        board._start = board._pieces
        for square in moves:
            board.play(square)
        return board

    @property
    def rows(self):
        """The board as `from_rows` reads it, from top to bottom."""
        symbols = ["-*"[self._occupied >> square & 1] for square in range(64)]
        symbols[self._pieces[0]] = "x"
        symbols[self._pieces[1]] = "o"
        return ["".join(symbols[8 * row:8 * row + self.size]) for row in range(self.size)]

    @property
    def moves(self):
        """The moves so far, from first to last."""
        return self._moves.copy()

    @property
    def player_to_move(self):
        """1 (x) or 2 (o)."""
        return 1 + self._mover()

    @property
    def is_over(self):
        """Whether the player to move cannot move, and so has lost."""
        return self.squares().todo == 0

    @property
    def outcome(self):
        """The Outcome once the game is over, else None."""
        if not self.is_over:
            return None
        player = self.player_to_move
        return Outcome.no_legal_move(player)

    def legal_moves(self):
        """The squares that the player to move may go to, ascending."""
        cdef uint64_t todo = self.squares().todo
        moves = []
        while todo:
            moves.append(pop_lowest(&todo))
        return moves

    def play(self, square):
        """Move to a square. Raises IllegalMove, and then nothing has changed."""
        rule = self._broken_rule(square)
        if rule is not None:
            raise IllegalMove(square, len(self._moves) + 1, rule)
        self._put(square)

    def undo(self):
        """Take back the last move and return it. Raises IndexError if there is none."""
        if not self._moves:
            raise IndexError("no move has been made")
        cdef int64_t square = self._moves.pop()
        cdef int mover = self._mover()
        self._occupied ^= bit(square)
        self._pieces[mover] = self._moves[-2] if len(self._moves) > 1 else self._start[mover]
        return square

    def copy(self):
        """A board that goes its own way from here."""
        cdef Board board = Board(size=self.size)
        board._moves = self._moves.copy()
        board._occupied = self._occupied
        board._pieces = self._pieces
        board._start = self._start
        board._first = self._first
        return board

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        cdef Board start = self.copy()
        while start._moves:
            start.undo()
        return Board.from_rows, (start.rows, start.player_to_move, self.moves)

    def __eq__(self, other):
        if not isinstance(other, Board):
            return NotImplemented
        cdef Board board = other
        return (
            self.size == board.size
            and self._occupied == board._occupied
            and self._pieces[0] == board._pieces[0]
            and self._pieces[1] == board._pieces[1]
            and self._mover() == board._mover()
        )

    def __hash__(self):
        return hash((self.size, self._occupied, self._pieces[0], self._pieces[1], self._mover()))

    def __repr__(self):
        _, (rows, player, moves) = self.__reduce__()
        if self._first or rows != Board(size=self.size).rows:
            return f"Board.from_rows({rows}, {player}, moves={moves})"
        return f"Board(moves={moves}, size={self.size})"

    def __str__(self):
        return "\n".join(" ".join(row) for row in self.rows)

    def _repr_svg_(self):
        """The picture that a notebook shows."""
        return notebook_svg(self)

    cdef int _mover(self) noexcept:
        """The player to move, 0 for x and 1 for o."""
        return (self._first + len(self._moves)) % 2

    cdef str _broken_rule(self, object square):
        """The rule that moving to the square would break, in words, or None."""
        if not 0 <= square <= 63:
            return f"square {square} does not exist, the squares are 0 to 63"
        cdef int mover = self._mover()
        cdef int64_t start = self._pieces[mover]
        if self._outside & bit(square):
            return f"square {name(square)} is outside the {self.size} by {self.size} board"
        if self._occupied & bit(square):
            for piece, place in zip("xo", self._pieces):
                if square == place:
                    return f"square {name(square)} is occupied by {piece}"
            return f"square {name(square)} is filled"
        passed = way(start, square)
        if passed is None:
            return f"square {name(square)} is not in a queen's line from {name(start)}"
        for other in passed:
            if self._occupied & bit(other):
                return f"square {name(square)} is behind {name(other)}, which is not empty"
        return None

    cdef int _put(self, int64_t square) except -1:
        """Move to a square, unchecked. The square that is left stays occupied: it is filled."""
        self._pieces[self._mover()] = square
        self._occupied |= bit(square)
        self._moves.append(square)
        return 0

    cdef Squares squares(self) noexcept:
        """The search's state, with all legal moves to do."""
        cdef Squares state
        cdef int mover = self._mover()
        state.occupied = self._occupied
        state.mover = self._pieces[mover]
        state.last = self._pieces[1 - mover]
        state.outside = self._outside
        state.squares = self.size * self.size
        state.others = count(self._occupied ^ self._outside) - 1
        state.own = True
        state.won = False
        state.plain = False
        state.todo = reach(state.mover, state.occupied)
        return state
