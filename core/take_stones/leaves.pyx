# cython: cdivision=True
"""Leaves: stones with a single neighbour, matched with it and taken out, until none is left.

Let p be a leaf of a graph H, x its neighbour, and H' the graph without both. A maximum matching of
H' and the edge px are a maximum matching of H: x can have one mate only, and p has no better use.

- A stone of H' is in D of H exactly if it is in D of H'. One direction is clear. Conversely, let a
  maximum matching of H miss it. If p is unmatched, give x to p instead of its mate: the stone is
  missed still. Without px this is a maximum matching of H'.
- x is never in D: a matching that misses x misses p too, and lacks their edge.
- p is in D exactly if x has a neighbour in D of H': p is missed if x has another mate, which some
  maximum matching of H' then misses.

So leaves are decided in the reverse order. A stone without neighbours is in D at once.
"""

from libc.stdint cimport int32_t

from core.take_stones.deadline cimport spend
from core.take_stones.factors cimport MOST_FACTORS, factors
from core.take_stones.whole cimport GONE, IN_D, ROOT, Whole

cdef enum:
    FACTORS_STEPS = 16          # about as long as finding the factors of a stone takes


cdef int count_degrees(Whole* whole) except -1 nogil:
    """Count the neighbours of each stone that is in the graph.

    Multiples of such a stone are in the graph, too, as no column has one.
    """
    cdef int32_t stone, multiple, n = whole.n
    cdef int32_t* degree = whole.degree
    for stone in range(whole.deleted + 1, n // 2 + 1):
        spend(&whole.deadline, 1)
        if degree[stone] == GONE:
            continue
        spend(&whole.deadline, n // stone)
        degree[stone] += n // stone - 1
        multiple = 2 * stone
        while multiple <= n:
            degree[multiple] += 1
            multiple += stone
    return 0


cdef int32_t match_leaves(Whole* whole, int32_t* leaves) except -1 nogil:
    """Match leaves and take them out with their mates, until none is left.

    Writes the leaves in this order, and returns their number. There must be room for n.
    """
    cdef int32_t stone, first = 0, end = 0, count = 0, mate
    for stone in range(whole.deleted + 1, whole.n + 1):
        spend(&whole.deadline, 1)
        if whole.degree[stone] == 0:
            isolate(whole, stone)
        elif whole.degree[stone] == 1:
            leaves[end] = stone
            end += 1
    # The places up to `count` have leaves that are matched, those from `first` to `end` wait.
    while first < end:
        stone = leaves[first]
        first += 1
        if whole.degree[stone] == 0:
            isolate(whole, stone)
        elif whole.degree[stone] == 1:      # it may have become a mate meanwhile
            mate = neighbour(whole, stone)
            spend(&whole.deadline, FACTORS_STEPS + whole.n // mate)
            whole.degree[stone] = -mate
            whole.degree[mate] = GONE
            leaves[count] = stone
            count += 1
            end = leave(whole, mate, leaves, end)
    return count


cdef inline void isolate(Whole* whole, int32_t stone) noexcept nogil:
    """Take out a stone without neighbours."""
    whole.degree[stone] = GONE
    whole.place[stone] = IN_D | ROOT


cdef int32_t neighbour(Whole* whole, int32_t stone) noexcept nogil:
    """Return the only neighbour of a leaf."""
    cdef int32_t[MOST_FACTORS] found
    cdef int32_t multiple = 2 * stone
    cdef int i = 0
    while multiple <= whole.n:
        if whole.degree[multiple] >= 0:
            return multiple
        multiple += stone
    factors(whole.smallest, stone, found)
    while whole.degree[found[i]] < 0:
        i += 1
    return found[i]


cdef int32_t leave(Whole* whole, int32_t stone, int32_t* leaves, int32_t end) noexcept nogil:
    """Tell the neighbours of a stone that it is gone, and append new leaves. Returns their end."""
    cdef int32_t[MOST_FACTORS] found
    cdef int32_t multiple = 2 * stone
    cdef int count = factors(whole.smallest, stone, found), i
    while multiple <= whole.n:
        end = lose_neighbour(whole, multiple, leaves, end)
        multiple += stone
    for i in range(count):
        end = lose_neighbour(whole, found[i], leaves, end)
    return end


cdef inline int32_t lose_neighbour(
    Whole* whole, int32_t stone, int32_t* leaves, int32_t end
) noexcept nogil:
    """Let a stone have a neighbour less, and append it if it becomes a leaf. Returns the end."""
    if whole.degree[stone] > 0:
        whole.degree[stone] -= 1
        if whole.degree[stone] == 1:
            leaves[end] = stone
            end += 1
    return end


cdef int decide_leaves(Whole* whole, const int32_t* leaves, int32_t count) except -1 nogil:
    """Say which leaves are in D, after all other stones."""
    cdef int32_t i, mate
    for i in range(count - 1, -1, -1):
        mate = -whole.degree[leaves[i]]
        spend(&whole.deadline, FACTORS_STEPS + whole.n // mate)
        # Of the neighbours of its mate, those that went out earlier are not decided yet.
        if has_neighbour_in_d(whole, mate):
            whole.place[leaves[i]] |= IN_D
    return 0


cdef bint has_neighbour_in_d(Whole* whole, int32_t stone) noexcept nogil:
    """Return whether a neighbour of a stone is in D."""
    cdef int32_t[MOST_FACTORS] found
    cdef int32_t multiple = 2 * stone
    cdef int count, i
    while multiple <= whole.n:
        if whole.place[multiple] & IN_D:
            return True
        multiple += stone
    count = factors(whole.smallest, stone, found)
    for i in range(count):
        if whole.place[found[i]] & IN_D:
            return True
    return False
