# cython: cdivision=True
"""The large piece: an odd cycle of a third of all stones, which a new stone need not search anew.

Without the stones of A, one piece of the graph is large. While it has an odd number of stones, it is
one odd cycle in a tree. A stone that is added to it makes the number even: the tree dissolves, and
the piece is outside. The next one makes it odd again, and a tree that grows into it would look at
all its edges, only to find the same odd cycle.

So the piece is kept when its tree dissolves, with the parents of its stones: from each of them a way
led to the base of the cycle, by its mate, the parent of this one and so on. Since then only a few
stones, which are *touched*, have had another mate. A tree that comes to the piece grows in a small
part of it first. Say that the touched stones, the base among them, have all come into one odd cycle
Z of this tree. Then the whole piece is in it: the old way from any other stone of the piece has its
old pairs up to where it meets Z, and meets it by an edge outside the matching, as the pairs of Z are
in Z. From there it goes on within Z. So the tree takes the rest of the piece with the old parents.

- The part that is open at first are the touched stones, and the old ways from the place where the
  tree comes in. It is extended by *ears*: an edge from a stone that is not in Z yet to another one,
  and the old way of this one down to an outer stone of the tree.
- What was in no tree lately may now be next to an outer stone: it is *late*, and looks for a place.
- If the condition is never met, the tree has searched the piece as any other, and nothing is kept.

The stones that the tree takes are not scanned again, and yet none of their neighbours is missed: see
docs/explanation/theory.md. This needs that all stones of a piece have been scanned when it is kept.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from core.take_stones.alternating cimport INNER, LABEL, OUTER, OUTSIDE, Vertex, base_of
from core.take_stones.deadline cimport charge
from core.take_stones.forest cimport (
    KEPT, LATE, OPEN, QUEUED, SPINE, TOUCHED, Forest, List, Piece, enqueue, is_outer, join,
    let_loose,
)
from core.take_stones.huge_pages cimport allocate

cdef enum:
    ATTEMPTS = 20           # neighbours that are tried for an ear
    ENTRIES = 8             # neighbours whose ways are opened without a choice
    PART = 8                # the least share of a large piece, and of a part that is not small


cdef int open_piece(Forest* forest) except -1 nogil:
    """Let pieces be kept. Raises MemoryError."""
    cdef int64_t count = forest.graph.size + <int64_t>1, size = count * sizeof(int32_t)
    cdef Piece* piece = &forest.piece
    piece.parent = <int32_t*>allocate(size)
    piece.kept.stones = <int32_t*>allocate(size)
    piece.opened.stones = <int32_t*>allocate(size)
    piece.touched.stones = <int32_t*>allocate(size)
    piece.late.stones = <int32_t*>allocate(size)
    piece.mark = <uint8_t*>allocate(count)
    memset(piece.mark, 0, count)
    return 0


cdef void close_piece(Forest* forest) noexcept nogil:
    free(forest.piece.parent)
    free(forest.piece.kept.stones)
    free(forest.piece.opened.stones)
    free(forest.piece.touched.stones)
    free(forest.piece.late.stones)
    free(forest.piece.mark)


cdef inline void add(Piece* piece, List* stones, int32_t stone, int mark) noexcept nogil:
    """Append a stone to a list, once."""
    if not piece.mark[stone] & mark:
        piece.mark[stone] |= mark
        stones.stones[stones.count] = stone
        stones.count += 1


cdef void clear(Piece* piece, List* stones, int mark) noexcept nogil:
    cdef int32_t i
    for i in range(stones.count):
        piece.mark[stones.stones[i]] &= ~mark
    stones.count = 0


# Keeping a piece


cdef void keep(Forest* forest, int32_t root, int32_t scanned) noexcept nogil:
    """Keep the largest odd cycle of a tree that will dissolve, if it is large, and none is kept.

    A cycle with a stone that has still to be scanned, or is being `scanned`, is not kept.
    """
    cdef Piece* piece = &forest.piece
    cdef int32_t least = forest.n // PART + 1, base, stone
    if piece.base:
        return
    base = frequent_base(forest, root, least)
    if base == 0:
        return
    charge(&forest.deadline, forest.n)
    piece.base = base
    add(piece, &piece.touched, base, TOUCHED)
    # In the order of the numbers: the list of the tree has them anywhere in the memory.
    for stone in range(1, forest.n + 1):
        if is_outer(forest, stone) and forest.root[stone] == root:
            if base_of(forest.base, stone) == base:
                if stone == scanned or forest.label[stone] & QUEUED:
                    drop(forest)
                    return
                piece.parent[stone] = forest.vertex[stone].parent
                add(piece, &piece.kept, stone, KEPT)
    if piece.kept.count < least:
        drop(forest)


cdef int32_t frequent_base(Forest* forest, int32_t root, int32_t count) noexcept nogil:
    """Return the base that most of the outer stones of a tree have, among those that joined last.

    If the tree has fewer than `count` stones, or no base prevails, it may be 0, or any of them.
    """
    cdef int32_t stone = forest.newest[root], base = 0, votes = 0
    charge(&forest.deadline, count)
    while count:
        if stone == 0:
            return 0
        if is_outer(forest, stone):
            if votes == 0:
                base = base_of(forest.base, stone)
            votes += 1 if base_of(forest.base, stone) == base else -1
        stone = forest.older[stone]
        count -= 1
    return base


cdef inline bint is_in_cycle(
    const Forest* forest, int32_t stone, int32_t root, int32_t base
) noexcept nogil:
    """Return whether a stone is in an odd cycle of a tree, if the way to its base is short."""
    return (
        is_outer(forest, stone) and forest.root[stone] == root and forest.base[stone] == base
    )


cdef void touch_way(Forest* forest, int32_t outer) noexcept nogil:
    """Touch all stones on the way from an outer stone to its root."""
    cdef Piece* piece = &forest.piece
    cdef int32_t mate
    while True:
        add(piece, &piece.touched, outer, TOUCHED)
        mate = forest.vertex[outer].mate
        if mate == 0:
            return
        add(piece, &piece.touched, mate, TOUCHED)
        outer = forest.vertex[mate].parent


cdef void be_late(Forest* forest, int32_t stone) noexcept nogil:
    """Remember a stone that may be next to the piece."""
    add(&forest.piece, &forest.piece.late, stone, LATE)


cdef void drop(Forest* forest) noexcept nogil:
    """Keep no piece any more."""
    cdef Piece* piece = &forest.piece
    if piece.is_narrow:
        widen(forest)
    clear(piece, &piece.kept, KEPT)
    clear(piece, &piece.touched, TOUCHED)
    clear(piece, &piece.late, LATE)
    piece.base = piece.guest = 0


# A tree that grows into the piece


cdef void enter(Forest* forest, int32_t outer, int32_t stone) noexcept nogil:
    """Prepare for a tree that grows from an outer stone to another one, into the piece."""
    cdef Piece* piece = &forest.piece
    cdef int32_t i, touched
    if piece.guest:
        if piece.guest != forest.root[outer]:
            drop(forest)
        return
    piece.guest = forest.root[outer]
    piece.is_narrow = True
    for i in range(piece.touched.count):
        touched = piece.touched.stones[i]
        if piece.mark[touched] & KEPT:
            open_one(forest, touched)
            open_one(forest, forest.vertex[touched].mate)
    open_way(forest, stone if piece.mark[stone] & KEPT else forest.vertex[stone].mate)
    open_neighbours(forest, outer)


cdef inline void open_one(Forest* forest, int32_t stone) noexcept nogil:
    if forest.piece.mark[stone] & KEPT:
        add(&forest.piece, &forest.piece.opened, stone, OPEN)


cdef inline bint is_closed(const Forest* forest, int32_t stone) noexcept nogil:
    """Return whether a stone is kept, and not open."""
    return forest.piece.mark[stone] & (KEPT | OPEN) == KEPT


cdef void open_way(Forest* forest, int32_t stone) noexcept nogil:
    """Open the old way from a stone as far as it is closed."""
    cdef int32_t mate
    while is_closed(forest, stone):
        charge(&forest.deadline, 1)
        mate = forest.vertex[stone].mate
        open_one(forest, stone)
        open_one(forest, mate)
        stone = forest.piece.parent[mate] if forest.piece.mark[mate] & KEPT else 0


cdef void open_neighbours(Forest* forest, int32_t stone) noexcept nogil:
    """Open the old ways of some neighbours of a stone, the last ones."""
    cdef int64_t edge = forest.graph.start[stone + 1]
    cdef int32_t count = 0, other
    while edge > forest.graph.start[stone] and count < ENTRIES:
        charge(&forest.deadline, 1)
        edge -= 1
        other = forest.graph.neighbour[edge]
        if other <= forest.n and forest.piece.mark[other] & KEPT:
            open_way(forest, other)
            count += 1


cdef void widen(Forest* forest) noexcept nogil:
    """Let the tree in the piece grow everywhere."""
    leave_narrow(forest)
    scan_again(forest)


cdef inline void leave_narrow(Forest* forest) noexcept nogil:
    clear(&forest.piece, &forest.piece.opened, OPEN)
    forest.piece.is_narrow = False


cdef void scan_again(Forest* forest) noexcept nogil:
    """Let all outer stones of the tree in the piece be scanned."""
    cdef int32_t stone = forest.newest[forest.piece.guest]
    while stone:
        charge(&forest.deadline, 1)
        if is_outer(forest, stone):
            enqueue(forest, stone)
        stone = forest.older[stone]


cdef void leave(Forest* forest) noexcept nogil:
    """Forget the tree in the piece, which has dissolved."""
    leave_narrow(forest)
    forest.piece.guest = 0


cdef void extend(Forest* forest) noexcept nogil:
    """Open more of the piece, as the tree cannot grow in the open part."""
    cdef Piece* piece = &forest.piece
    cdef int32_t base = base_of(forest.base, piece.base), i, stone, opened
    cdef bint has_ear = False
    for i in range(piece.touched.count):
        stone = piece.touched.stones[i]
        if piece.mark[stone] & KEPT and (i == 0 or not is_merged(forest, stone, base)):
            has_ear |= add_ear(forest, stone)
            has_ear |= add_ear(forest, forest.vertex[stone].mate)
    if has_ear:
        return
    opened = piece.opened.count
    for i in range(opened):
        if not is_merged(forest, piece.opened.stones[i], base):
            open_neighbours(forest, piece.opened.stones[i])
    if piece.opened.count == opened or piece.opened.count > piece.kept.count // PART:
        widen(forest)
    else:
        scan_again(forest)


cdef bint add_ear(Forest* forest, int32_t stone) noexcept nogil:
    """Open an ear at a stone that is outer, or in no tree yet. Returns whether there is one."""
    cdef int64_t edge = forest.graph.start[stone + 1]
    cdef int32_t attempts = 0, other, end
    if forest.label[stone] & LABEL == INNER:
        return False
    while edge > forest.graph.start[stone] and attempts < ATTEMPTS:
        charge(&forest.deadline, 1)
        edge -= 1
        other = forest.graph.neighbour[edge]
        if other > forest.n or not is_closed(forest, other):
            continue
        attempts += 1
        end = end_of_way(forest, other)
        if not is_guest(forest, end):
            continue
        if is_guest(forest, stone):
            if base_of(forest.base, stone) == base_of(forest.base, end):
                continue
            enqueue(forest, stone)
        open_way(forest, other)
        enqueue(forest, end)
        return True
    return False


cdef int32_t end_of_way(Forest* forest, int32_t stone) noexcept nogil:
    """Return the open stone at which the old way of a closed one ends, 0 if there is none."""
    cdef int32_t mate
    while is_closed(forest, stone):
        charge(&forest.deadline, 1)
        mate = forest.vertex[stone].mate
        if not is_closed(forest, mate):
            return 0
        stone = forest.piece.parent[mate]
    return stone


cdef inline bint is_guest(const Forest* forest, int32_t stone) noexcept nogil:
    """Return whether a stone is an outer one of the tree in the piece."""
    return is_outer(forest, stone) and forest.root[stone] == forest.piece.guest


cdef inline bint is_merged(Forest* forest, int32_t stone, int32_t base) noexcept nogil:
    """Return whether a stone is in the odd cycle of the tree in the piece with this base."""
    return is_guest(forest, stone) and base_of(forest.base, stone) == base


# The whole piece in one odd cycle


cdef bint is_whole(Forest* forest) noexcept nogil:
    """Return whether the tree in the piece can take the rest of it."""
    cdef Piece* piece = &forest.piece
    cdef Vertex* vertex = forest.vertex
    cdef int32_t base = base_of(forest.base, piece.base), i, stone, mate
    for i in range(piece.touched.count):
        stone = piece.touched.stones[i]
        if piece.mark[stone] & KEPT and not is_merged(forest, stone, base):
            return False
    # The way from the root to the cycle must not change.
    stone = base
    while vertex[stone].mate:
        mate = vertex[stone].mate
        stone = vertex[mate].parent
        if (piece.mark[mate] | piece.mark[stone]) & KEPT or forest.base[stone] != stone:
            return False
    return True


cdef void absorb(Forest* forest) noexcept nogil:
    """Let the tree in the piece take the rest of it."""
    cdef Piece* piece = &forest.piece
    cdef int32_t base = base_of(forest.base, piece.base), root = piece.guest, i, stone
    charge(&forest.deadline, piece.kept.count + <int64_t>piece.late.count)
    leave_narrow(forest)
    mark_spine(forest, base)
    thin_out(forest, base)
    for i in range(piece.kept.count):
        stone = piece.kept.stones[i]
        if not is_in_cycle(forest, stone, root, base):
            forest.label[stone] = OUTER | forest.label[stone] & ~LABEL
            forest.vertex[stone].parent = piece.parent[stone]
            forest.base[stone] = piece.base
            join(forest, stone, root)
    for i in range(piece.late.count):
        if forest.label[piece.late.stones[i]] & LABEL == OUTSIDE:
            let_loose(forest, piece.late.stones[i])
    drop(forest)


cdef void mark_spine(Forest* forest, int32_t base) noexcept nogil:
    """Mark the way from the odd cycle to the root."""
    cdef int32_t stone = base, mate
    while forest.vertex[stone].mate:
        mate = forest.vertex[stone].mate
        stone = forest.vertex[mate].parent
        forest.piece.mark[mate] |= SPINE
        forest.piece.mark[stone] |= SPINE


cdef void thin_out(Forest* forest, int32_t base) noexcept nogil:
    """Leave only the odd cycle in the tree, and the way to it.

    Kept stones leave the tree without a change: they will be back.
    """
    cdef int32_t root = forest.piece.guest, first = forest.newest[root], stone = first, older
    while stone:
        charge(&forest.deadline, 2)     # as it comes by again below
        if is_outer(forest, stone):
            forest.base[stone] = base_of(forest.base, stone)
        stone = forest.older[stone]
    forest.newest[root] = 0
    stone = first
    while stone:
        older = forest.older[stone]
        if is_in_cycle(forest, stone, root, base):
            join(forest, stone, root)
        elif forest.piece.mark[stone] & SPINE:
            join(forest, stone, root)
            if is_outer(forest, stone):
                enqueue(forest, stone)
        elif not forest.piece.mark[stone] & KEPT:
            forest.label[stone] &= ~LABEL
            let_loose(forest, stone)
        forest.piece.mark[stone] &= ~SPINE
        stone = older
