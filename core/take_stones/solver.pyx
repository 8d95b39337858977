"""Perfect play: the winner of a position of Take-Stones and the winning moves, in polynomial time.

The game is undirected vertex geography (Fraenkel, Scheinerman and Ullman, 1993) on the graph in
which stones are joined if one divides the other: the player to move after the stone v was taken has
lost exactly if some maximum matching of the graph of v and the remaining stones misses v. So the
winning moves are the legal moves that some maximum matching of the remaining stones misses.
docs/explanation/theory.md has the proof.
"""

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from core.clock cimport now
from core.take_stones.alternating cimport INNER, LABEL, OUTER, OUTSIDE, TAKEN
from core.take_stones.board cimport Board
from core.take_stones.deadline cimport spend
from core.take_stones.factors cimport LARGEST
from core.take_stones.forest cimport Forest
from core.take_stones.matching cimport (
    close, grow_all, lengthen, open, put_back, remove, scan_all, shorten,
)
from core.take_stones.piece cimport open_piece

import os
from typing import NamedTuple

from core.take_stones.decomposition import Decomposition


class Solution(NamedTuple):
    """The winner of a position under perfect play, and the matching behind it.

    `winning_moves` are ascending, and empty if the player to move has lost. Of a maximum matching
    of the remaining stones, `matched` pairs and `unmatched` stones are counted; `outer`, `inner`
    and `others` are the sizes of the sets D, A and C of the Gallai-Edmonds decomposition: stones
    that some maximum matching misses, their neighbours, and the rest.
    """

    winner: int
    winning_moves: list[int]
    matched: int
    unmatched: int
    outer: int
    inner: int
    others: int


cdef enum:
    # Memory for each stone in all arrays, and more for each bit of the number of stones: a stone
    # has about as many neighbours as twice its natural logarithm.
    STONE_BYTES = 49
    PIECE_BYTES = 21            # for each stone, to keep the large piece
    BIT_BYTES = 6
    STONE_STEPS = 32            # of an entry of a dictionary, about


cdef int make(Forest* forest, object n, int stone_bytes) except -1:
    """Make a forest without trees. Raises MemoryError."""
    # Linux overcommits memory, and kills a process that uses too much of it.
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    if n > LARGEST or n * (stone_bytes + BIT_BYTES * n.bit_length()) > memory:
        raise MemoryError("too many stones for this machine's memory")
    forest.deadline.time = INFINITY
    open(forest, n)
    return 0


cdef list openings(Forest* forest):
    """The outer stones that may be taken first."""
    cdef int32_t stone = 1
    moves = []
    while 2 * stone < forest.n:
        spend(&forest.deadline, 1)
        if forest.label[stone] & LABEL == OUTER:
            moves.append(stone)
        stone += 2
    return moves


cdef list outer_neighbours(Forest* forest, int32_t last):
    """The outer stones that may be taken next."""
    cdef const int32_t* neighbour = forest.graph.neighbour
    cdef int64_t edge
    return [
        neighbour[edge]
        for edge in range(forest.graph.start[last], forest.graph.start[last + 1])
        if forest.label[neighbour[edge]] & LABEL == OUTER
    ]


cdef class Solver:
    """Follows a game of Take-Stones from a position on, and knows all winning moves at each.

    Several threads may use it: each call waits for the one before. Raises ValueError if `seconds`
    is negative, MemoryError if there are too many stones for the machine, and TimeoutError if the
    first position cannot be solved in about `seconds` seconds.
    """

    cdef Forest _forest
    cdef Board _board
    cdef cython.pymutex _lock       # a scan of the forest releases the GIL

    def __cinit__(self, Board board not None, seconds=None):
        cdef Forest* forest = &self._forest
        if seconds is not None and not seconds >= 0:
            raise ValueError(f"seconds must be 0 or more, not {seconds}")
        make(forest, board.n, STONE_BYTES)
        if seconds is not None:
            forest.deadline.time = now() + seconds
        self._board = board.copy()
        for stone in self._board.taken:
            forest.label[<int32_t>stone] = TAKEN
        with nogil:
            grow_all(forest)
        forest.deadline.time = INFINITY

    def __dealloc__(self):
        close(&self._forest)

    def __reduce__(self):
        return Solver, (self.board,)

    @property
    def board(self):
        """A copy of the position."""
        with self._lock:
            return self._board.copy()

    def take(self, stone):
        """Take a stone. Raises IllegalMove, and then nothing has changed."""
        with self._lock:
            self._board.take(stone)
            remove(&self._forest, stone)

    def play(self, move):
        """Take a stone, by the name that all games have for it. Raises IllegalMove."""
        self.take(move)

    def undo(self):
        """Put the last stone back and return it. Raises IndexError if none is taken."""
        with self._lock:
            stone = self._board.undo()
            put_back(&self._forest, stone)
            return stone

    def winning_moves(self):
        """The stones with which the player to move wins under perfect play, ascending."""
        with self._lock:
            return self._winning_moves()

    def solution(self):
        """The Solution of the position."""
        with self._lock:
            return self._solution()

    def kinds(self):
        """Return the kind of each remaining stone in the decomposition: outer, inner or other."""
        with self._lock:
            return self._kinds()

    def mates(self):
        """Return the mate of each stone that a maximum matching of the remaining stones matches."""
        with self._lock:
            return self._mates()

    cdef list _winning_moves(self):
        self._scan()
        if self._board.last is None:
            return openings(&self._forest)
        return outer_neighbours(&self._forest, self._board.last)

    cdef object _solution(self):
        moves = self._winning_moves()
        cdef Forest* forest = &self._forest
        cdef int64_t[4] sizes = [0, 0, 0, 0]
        cdef int64_t unmatched = 0
        cdef int32_t stone
        for stone in range(1, forest.n + 1):
            spend(&forest.deadline, 1)
            sizes[forest.label[stone]] += 1
            unmatched += forest.label[stone] == OUTER and not forest.vertex[stone].mate
        player = self._board.player_to_move
        return Solution(
            winner=player if moves else 3 - player,
            winning_moves=moves,
            matched=(forest.n - sizes[<int>TAKEN] - unmatched) // 2,
            unmatched=unmatched,
            outer=sizes[<int>OUTER],
            inner=sizes[<int>INNER],
            others=sizes[<int>OUTSIDE],
        )

    cdef dict _kinds(self):
        self._scan()
        cdef Forest* forest = &self._forest
        cdef int32_t stone
        names = {OUTER: "outer", INNER: "inner", OUTSIDE: "other"}
        kinds = {}
        for stone in range(1, forest.n + 1):
            spend(&forest.deadline, STONE_STEPS)
            if forest.label[stone] != TAKEN:
                kinds[stone] = names[forest.label[stone]]
        return kinds

    cdef dict _mates(self):
        self._scan()
        cdef Forest* forest = &self._forest
        cdef int32_t stone
        mates = {}
        for stone in range(1, forest.n + 1):
            spend(&forest.deadline, STONE_STEPS)
            if forest.vertex[stone].mate:
                mates[stone] = forest.vertex[stone].mate
        return mates

    cdef int _scan(self) except -1:
        with nogil:
            scan_all(&self._forest)
        return 0


@cython.auto_pickle(False)
cdef class WinningOpenings:
    """For each number of stones from `first` to `last` the winning first moves, one after the other.

    An iterator of pairs, (number of stones, ascending moves); without moves player 1 loses. Each
    comes from the one before by adding a stone. Raises ValueError if the range is empty, and
    MemoryError.
    """

    cdef Forest _forest
    cdef bint _is_given     # whether the answer for the present number has been returned
    cdef cython.pymutex _lock

    def __cinit__(self, first, last):
        if not 1 <= first <= last:
            raise ValueError(f"the range must be from 1 or more upwards, not {first} to {last}")
        make(&self._forest, last, STONE_BYTES + PIECE_BYTES)
        open_piece(&self._forest)
        shorten(&self._forest, first)
        with nogil:
            grow_all(&self._forest)

    def __dealloc__(self):
        close(&self._forest)

    def __iter__(self):
        return self

    def __next__(self):
        cdef Forest* forest = &self._forest
        with self._lock:
            if self._is_given:
                if forest.n == forest.graph.size:
                    raise StopIteration
                lengthen(forest)
                self._is_given = False
            with nogil:
                scan_all(forest)    # which a signal can end
            found = openings(forest)
            self._is_given = True
            return forest.n, found


def solve(Board board not None):
    """The Solution of a position. Raises MemoryError."""
    if board.last is not None:
        return Solver(board).solution()
    decomposition = Decomposition(board.n)
    moves, sets = decomposition.winning_openings(), decomposition.sets()
    return Solution(
        winner=1 if moves else 2,
        winning_moves=moves,
        matched=(board.n - decomposition.missed) // 2,
        unmatched=decomposition.missed,
        outer=sets.count(b"D"),
        inner=sets.count(b"A"),
        others=sets.count(b"C"),
    )


def winning_moves(Board board not None):
    """All moves that win a position under perfect play, ascending. Raises MemoryError."""
    if board.last is not None:
        return Solver(board).winning_moves()
    return Decomposition(board.n).winning_openings()
