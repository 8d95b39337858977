"""Random numbers by splitmix64: a counter, and a finaliser that mixes it."""

from libc.stdint cimport uint64_t

cdef extern from *:
    ctypedef unsigned long long uint128 "unsigned __int128"


cdef enum:
    STEP = 0x9E3779B97F4A7C15   # 2**64 divided by the golden ratio, odd


cdef inline uint64_t word(object number) except? 0:
    """The remainder of a whole number by 2**64."""
    return number & 0xFFFFFFFFFFFFFFFF


cdef inline uint64_t mixed(uint64_t number) noexcept nogil:
    """A well mixed word for each number (the finaliser of splitmix64)."""
    number = (number ^ (number >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    number = (number ^ (number >> 27)) * <uint64_t>0x94D049BB133111EB
    return number ^ (number >> 31)


cdef inline uint64_t chained(uint64_t state, uint64_t word) noexcept nogil:
    """A state that depends on all words so far and on their order."""
    return mixed((state + <uint64_t>STEP) ^ word)


cdef inline uint64_t next_word(uint64_t* counter) noexcept nogil:
    """The next random word."""
    counter[0] += <uint64_t>STEP
    return mixed(counter[0])


cdef inline uint64_t scaled(uint64_t word, uint64_t count) noexcept nogil:
    """A number below `count` for a random word; one is likelier than another by 2**-64 at most."""
    return <uint64_t>((<uint128>word * count) >> 64)
