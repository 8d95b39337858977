"""A random choice that is a function of a seed and a position, without a generator to set up."""

from libc.stdint cimport uint64_t

from core.splitmix cimport chained, scaled, word


cdef uint64_t absorb(uint64_t state, numbers) except? 0:
    """Chain whole numbers, and how many they are, to a state."""
    for number in numbers:
        state = chained(state, word(number))
    return chained(state, len(numbers))


def seeded_choice(seed, moves, legal):
    """Return one of the legal moves, each equally likely over seeds and positions.

    It is drawn by a hash (splitmix64) of the seed, the moves so far and the legal moves, and is the
    same in every process and on every 64-bit machine.

    Args:
        seed: Any integer; only its remainder by 2**64 counts.
        moves: The moves so far.
        legal: The legal moves, at least one.

    Raises:
        IndexError: There is no legal move.
    """
    if not legal:
        raise IndexError("there is no legal move to choose from")
    cdef uint64_t state = chained(0, word(seed))
    state = absorb(absorb(state, moves), legal)
    return legal[scaled(state, len(legal))]
