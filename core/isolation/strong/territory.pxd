"""The evaluation of the strong search: territory by queen's moves.

A free square belongs to the player whose piece comes to it in fewer moves while the other stands
still. The value is that of the player to move, in hundredths of a square.
"""

from libc.stdint cimport uint64_t

from core.bitset cimport count
from core.isolation.board cimport Squares, reach

cdef enum:
    OWNED = 100             # a square that a player reaches first
    SHARED = 30             # one that both reach at once: the player to move comes first
    MOBILE = 40             # one that is a single move away, whoever reaches it first

cdef enum:
    NOT_FIRST = 0xFEFEFEFEFEFEFEFE      # the squares of all columns but the first
    NOT_LAST = 0x7F7F7F7F7F7F7F7F       # and but the last


cdef inline uint64_t slide_up(uint64_t squares, uint64_t free, int step) noexcept nogil:
    """Some squares and the free ones that follow them without a gap, each `step` after another."""
    # The free squares of a run are found in three steps: 1, 2 and 4 squares further.
    squares |= free & (squares << step)
    free &= free << step
    squares |= free & (squares << 2 * step)
    free &= free << 2 * step
    return squares | free & (squares << 4 * step)


cdef inline uint64_t slide_down(uint64_t squares, uint64_t free, int step) noexcept nogil:
    """As `slide_up`, in the opposite direction."""
    squares |= free & (squares >> step)
    free &= free >> step
    squares |= free & (squares >> 2 * step)
    free &= free >> 2 * step
    return squares | free & (squares >> 4 * step)


cdef inline uint64_t extend(uint64_t squares, uint64_t free) noexcept nogil:
    """Some free squares and those to which a queen on one of them can go."""
    # A step along a row leads to no first column to the right, and to no last one to the left.
    cdef uint64_t right = free & <uint64_t>NOT_FIRST, left = free & <uint64_t>NOT_LAST
    return (
        slide_up(squares, free, 8) | slide_down(squares, free, 8)
        | slide_up(squares, right, 1) | slide_down(squares, left, 1)
        | slide_up(squares, right, 9) | slide_down(squares, left, 9)
        | slide_up(squares, left, 7) | slide_down(squares, right, 7)
    )


cdef inline int territory(Squares* node) noexcept nogil:
    """The value of a position for the player to move, whose moves have been found."""
    cdef uint64_t unfilled = ~node.occupied
    cdef uint64_t mine = node.todo, theirs = reach(node.last, node.occupied)
    cdef uint64_t new_mine = mine, new_theirs = theirs, reached = 0
    cdef uint64_t owned = 0, lost = 0, shared = 0
    cdef int value = MOBILE * (count(mine) - count(theirs))
    # A square that nobody comes to after as many moves as to the others is out of reach.
    while new_mine | new_theirs:
        owned |= new_mine & ~new_theirs
        lost |= new_theirs & ~new_mine
        shared |= new_mine & new_theirs
        reached |= new_mine | new_theirs
        if reached == unfilled:
            break
        mine = extend(mine, unfilled)
        theirs = extend(theirs, unfilled)
        new_mine = mine & ~reached
        new_theirs = theirs & ~reached
    return value + OWNED * (count(owned) - count(lost)) + SHARED * count(shared)
