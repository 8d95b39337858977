# cython: cdivision=True
"""The Gallai-Edmonds decomposition of all stones from 1 to n, and with it all winning openings.

D is the set of the stones that some maximum matching misses, A the set of their neighbours outside
D, and C the rest. A first move wins exactly if it is in D. docs/explanation/theory.md has the
proof.

The graph becomes smaller before anything is searched.

1. The stones from 1 to about the cube root of n are deleted: they are in A (deletion.pyx).
2. Then the multiples of each large prime are a copy of a small board (columns.pyx).
3. Leaves are matched with their only neighbours, and both leave (leaves.pyx).
4. The kernel, six tenths of the stones, is stored and searched (kernel.pyx, blossom.pyx).
5. Leaves are decided, in the reverse order.
6. It is proven that the deleted stones are in A. If the proof fails, all is repeated with fewer, in
   the end with none.
"""

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free

from core.take_stones.alternating cimport OUTER
from core.take_stones.blossom cimport FROZEN, Search, close_search, match_all, open_search
from core.take_stones.columns cimport label_columns
from core.take_stones.deadline cimport spend
from core.take_stones.deletion cimport are_in_a, first_attempt
from core.take_stones.factors cimport LARGEST, fill_sieve
from core.take_stones.huge_pages cimport allocate
from core.take_stones.kernel cimport Kernel, close_kernel, store_kernel
from core.take_stones.leaves cimport count_degrees, decide_leaves, match_leaves
from core.take_stones.whole cimport GONE, IN_D, ROOT, Whole

import os

cdef enum:
    STONE_BYTES = 100           # of memory for each stone, in all arrays; the edges grow with log n


@cython.final
@cython.auto_pickle(False)
cdef class Decomposition:
    """The Gallai-Edmonds decomposition of the stones from 1 to n.

    Raises:
        MemoryError: If there are too many stones for the machine.
    """

    cdef Whole _whole
    cdef Kernel _kernel
    cdef Search _search
    cdef int32_t* _leaves
    cdef readonly int32_t missed    # stones, by a maximum matching

    def __cinit__(self, n):
        # Linux overcommits memory, and kills a process that uses too much of it.
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
        if n > min(LARGEST, memory // STONE_BYTES):
            raise MemoryError("too many stones for this machine's memory")
        self._whole.n = n
        with nogil:
            self._open()
            self._decompose()
        self._close()

    def __dealloc__(self):
        self._close()
        free(self._whole.smallest)
        free(self._whole.place)

    def winning_openings(self):
        """Return the winning first moves, ascending."""
        cdef int32_t stone
        moves = []
        for stone in range(1, (self._whole.n + 1) // 2, 2):
            spend(&self._whole.deadline, 1)
            if self._whole.place[stone] & IN_D:
                moves.append(stone)
        return moves

    def sets(self):
        """Return the set of each stone from 1 on: D, A or C, as letters."""
        letters = bytearray(self._whole.n)
        cdef char* letter = letters
        with nogil:
            write_sets(&self._whole, letter)
        return bytes(letters)

    cdef int _open(self) except -1 nogil:
        """Make room for the stones. Raises MemoryError."""
        cdef Whole* whole = &self._whole
        cdef int64_t count = whole.n + 1
        whole.deadline.time = INFINITY
        whole.smallest = <uint16_t*>allocate(count * sizeof(uint16_t))
        whole.place = <uint8_t*>allocate(count)
        whole.degree = <int32_t*>allocate(count * sizeof(int32_t))
        self._leaves = <int32_t*>allocate(count * sizeof(int32_t))
        return 0

    cdef void _close(self) noexcept nogil:
        """Free what only the computation needs."""
        close_search(&self._search)
        close_kernel(&self._kernel)
        free(self._leaves)
        free(self._whole.degree)
        self._leaves = self._whole.degree = NULL

    cdef int _decompose(self) except -1 nogil:
        """Decompose the graph, with fewer stones deleted at each attempt until one succeeds."""
        cdef Whole* whole = &self._whole
        fill_sieve(whole.smallest, whole.n, &whole.deadline)
        whole.deleted = first_attempt(whole.n)
        self._decompose_rest()
        while not are_in_a(whole, &self._kernel, &self._search):
            whole.deleted = whole.deleted * 3 // 4
            close_search(&self._search)
            close_kernel(&self._kernel)
            self._decompose_rest()
        self.missed = count_roots(whole) - whole.deleted
        return 0

    cdef int _decompose_rest(self) except -1 nogil:
        """Decompose the graph without the deleted stones."""
        cdef Whole* whole = &self._whole
        cdef int32_t leaves
        begin(whole)
        label_columns(whole)
        count_degrees(whole)
        leaves = match_leaves(whole, self._leaves)
        store_kernel(whole, &self._kernel)
        open_search(&self._search, &self._kernel.graph, &whole.deadline)
        match_all(&self._search)
        label_kernel(whole, &self._kernel, &self._search)
        decide_leaves(whole, self._leaves, leaves)
        return 0


cdef int begin(Whole* whole) except -1 nogil:
    """Let all stones be in the graph that are not deleted."""
    cdef int32_t stone
    for stone in range(whole.n + 1):
        spend(&whole.deadline, 1)
        whole.place[stone] = 0
        whole.degree[stone] = 0 if stone > whole.deleted else GONE
    return 0


cdef int label_kernel(Whole* whole, const Kernel* kernel, const Search* search) except -1 nogil:
    """Label the stones of the kernel as the search has found."""
    cdef int32_t vertex
    for vertex in range(1, kernel.graph.size + 1):
        spend(&whole.deadline, 1)
        if search.label[vertex] == OUTER | FROZEN:
            whole.place[kernel.stone[vertex]] = IN_D if search.vertex[vertex].mate else IN_D | ROOT
    return 0


cdef int32_t count_roots(Whole* whole) except -1 nogil:
    """Return how many stones were unmatched before the deleted ones had mates."""
    cdef int32_t stone, count = 0
    for stone in range(1, whole.n + 1):
        spend(&whole.deadline, 1)
        if whole.place[stone] & ROOT:
            count += 1
    return count


cdef int write_sets(Whole* whole, char* letter) except -1 nogil:
    """Write the sets of the stones from 1 on, as letters."""
    cdef int32_t stone, multiple
    for stone in range(1, whole.n + 1):
        spend(&whole.deadline, 1)
        letter[stone - 1] = c"D" if whole.place[stone] & IN_D else c"C"
    for stone in range(1, whole.n // 2 + 1):
        spend(&whole.deadline, whole.n // stone)
        multiple = 2 * stone
        while multiple <= whole.n:
            if letter[stone - 1] == c"D" and letter[multiple - 1] == c"C":
                letter[multiple - 1] = c"A"
            elif letter[stone - 1] == c"C" and letter[multiple - 1] == c"D":
                letter[stone - 1] = c"A"
            multiple += stone
    return 0
