"""The hint to a processor that memory will soon be read."""

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil
