# cython: cdivision=True
"""Factors of numbers, from a table of their smallest prime factors, which has 0 for a prime."""

from libc.stdint cimport int32_t, int64_t, uint16_t

from core.take_stones.deadline cimport Deadline, spend

cdef enum:
    LARGEST = 0x3FFFFFFF        # number of stones: twice a stone is a number of 32 bits
    MOST_FACTORS = 1344         # of 735,134,400; no number up to LARGEST has more
    SIEVE_BLOCK = 1 << 18       # numbers sieved at once; more than the square root of LARGEST


cdef inline void sieve(uint16_t* smallest, int64_t first, int64_t last) noexcept nogil:
    """Find the smallest prime factors of the numbers from `first` to `last`, in a table of zeros.

    Those of the numbers up to the square root of `last` must be known, or among these.
    """
    cdef int64_t prime = 2, multiple
    while prime * prime <= last:
        if not smallest[prime]:
            multiple = max(prime * prime, (first + prime - 1) // prime * prime)
            while multiple <= last:
                if not smallest[multiple]:
                    smallest[multiple] = <uint16_t>prime
                multiple += prime
        prime += 1


cdef inline int fill_sieve(
    uint16_t* smallest, int32_t largest, Deadline* deadline
) except -1 nogil:
    """Find the smallest prime factors of all numbers up to the largest one."""
    cdef int64_t first = 0, last, number
    while first <= largest:
        spend(deadline, SIEVE_BLOCK)
        last = min(first + SIEVE_BLOCK - 1, largest)
        for number in range(first, last + 1):
            smallest[number] = 0
        sieve(smallest, first, last)
        first += SIEVE_BLOCK
    return 0


cdef inline int factors(const uint16_t* smallest, int32_t number, int32_t* found) noexcept nogil:
    """Write the factors of a number, without itself, in no order. Returns how many there are."""
    cdef int32_t rest = number, prime, power
    cdef int count = 1, before, i
    found[0] = 1
    while rest > 1:
        prime = smallest[rest]
        if not prime:
            prime = rest
        before = count
        power = 1
        while rest % prime == 0:
            rest //= prime
            power *= prime
            for i in range(before):
                found[count] = found[i] * power
                count += 1
    return count - 1        # the last is the number itself
