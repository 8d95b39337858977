# cython: cdivision=True
"""Deletion of the stones 1 to J, which are in A, and the proof that they are.

Gallai's stability lemma: without a stone of A, the sets D and C of a graph are the same, and A only
lacks this stone. So all of these stones may be deleted before the sets are known, if it is proven
afterwards that they are in A.

The proof uses the trees of the graph without them. It gives each deleted stone s a tree of its own
with an outer multiple of s. Each such tree can be matched anew so that this multiple is unmatched,
and then it is matched with s. So there is a matching with a pair more for each deleted stone. No
matching has more pairs, and without one of these stones none has as many: none of them is in D. If
s also has an outer multiple in a tree that is given to no stone, this one is still in D, and so s
is in A.
"""

from libc.stdint cimport int32_t, int64_t

from core.take_stones.deadline cimport spend
from core.take_stones.whole cimport GIVEN, IN_D, RESERVED, ROOT

cdef enum:
    SMALL_BOARD = 8000          # stones


cdef int32_t first_attempt(int32_t n) noexcept nogil:
    """Return how many stones to delete first: the largest J with J * J * (J + 1) at most n.

    For fewer than SMALL_BOARD stones it is 0, as the proof would fail nearly always.
    """
    cdef int64_t root = 0
    if n < SMALL_BOARD:
        return 0
    while (root + 1) * (root + 1) * (root + 2) <= n:
        root += 1
    return <int32_t>root


cdef bint are_in_a(Whole* whole, const Kernel* kernel, const Search* search) except -1 nogil:
    """Return whether the proof succeeds for all deleted stones."""
    cdef int32_t stone
    for stone in range(whole.deleted, 0, -1):
        if not is_in_a(whole, kernel, search, stone):
            return False
    return True


cdef bint is_in_a(
    Whole* whole, const Kernel* kernel, const Search* search, int32_t stone
) except -1 nogil:
    """Give a deleted stone a tree, and reserve another one. Returns whether there were both."""
    cdef bint has_own = False, has_other = False
    cdef int32_t multiple = whole.n - whole.n % stone, root
    while multiple > stone and not (has_own and has_other):
        spend(&whole.deadline, 1)
        root = root_of(whole, kernel, search, multiple)
        multiple -= stone
        if root == 0 or whole.place[root] & GIVEN:
            continue
        if has_own or whole.place[root] & RESERVED:
            whole.place[root] |= RESERVED
            has_other = True
        else:
            whole.place[root] |= GIVEN
            has_own = True
    return has_own and has_other


cdef int32_t root_of(
    Whole* whole, const Kernel* kernel, const Search* search, int32_t stone
) noexcept nogil:
    """Return the root of the tree in which a stone is outer; 0 if there is none, or it is unknown.

    Outside the kernel only the roots themselves are known.
    """
    if not whole.place[stone] & IN_D:
        return 0
    if whole.place[stone] & ROOT:
        return stone
    if whole.degree[stone] > 0:
        return kernel.stone[search.root[whole.degree[stone]]]
    return 0
