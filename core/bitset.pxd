"""Operations on one 64-bit word seen as a set of the numbers 0 to 63."""

from libc.stdint cimport int64_t, uint64_t


cdef extern from *:
    # The number of the lowest bit; the word must not be zero.
    int lowest "__builtin_ctzll"(uint64_t word) noexcept nogil
    int leading_zeros "__builtin_clzll"(uint64_t word) noexcept nogil
    # 1 if the number of bits is odd, else 0.
    int parity "__builtin_parityll"(uint64_t word) noexcept nogil


cdef inline uint64_t bit(int64_t number) noexcept nogil:
    """The set of `number`, 0 to 63, alone; of larger numbers, of their last six bits."""
    return <uint64_t>1 << (number & 63)


cdef inline uint64_t below(int64_t number) noexcept nogil:
    """The set of the numbers from 0 up to `number`, 0 to 64, without it."""
    return ~<uint64_t>0 >> (64 - number) if number else 0


cdef inline int highest(uint64_t word) noexcept nogil:
    """The number of the highest bit; the word must not be zero."""
    return 63 ^ leading_zeros(word)


cdef inline int count(uint64_t word) noexcept nogil:
    """Return the number of elements of a set."""
    # In sums of two, four and eight bits, and all of these: the compiler may not use the
    # processor's own instruction, as not every processor has it, and calls a slow function.
    word -= (word >> 1) & <uint64_t>0x5555555555555555
    word = (word & <uint64_t>0x3333333333333333) + ((word >> 2) & <uint64_t>0x3333333333333333)
    word = (word + (word >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return (word * <uint64_t>0x0101010101010101) >> 56


cdef inline int pop_lowest(uint64_t* word) noexcept nogil:
    """Take the lowest number out of a set that is not empty and return it."""
    cdef int number = lowest(word[0])
    word[0] &= word[0] - 1
    return number


cdef inline int64_t nth(uint64_t word, int64_t number) noexcept nogil:
    """The element of a set after `number` smaller ones, of which there are as many."""
    while number:
        word &= word - 1
        number -= 1
    return lowest(word)
