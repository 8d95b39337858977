"""Memory in huge pages, where the system has them: access in no order then seldom waits for it."""

from libc.stdint cimport int64_t
from posix.mman cimport madvise
from posix.stdlib cimport posix_memalign

cdef extern from *:
    """
    #include <sys/mman.h>
    #ifndef MADV_HUGEPAGE       /* Linux's alone */
    #define MADV_HUGEPAGE MADV_NORMAL
    #endif
    """
    enum: MADV_HUGEPAGE

cdef enum:
    HUGE_PAGE = 1 << 21         # bytes


cdef inline void* allocate(int64_t size) except NULL nogil:
    """Return memory of `size` bytes, which need not be zero, for free(). Raises MemoryError."""
    cdef void* memory = NULL
    cdef int64_t alignment = HUGE_PAGE if size >= HUGE_PAGE else sizeof(void*)
    if posix_memalign(&memory, alignment, size):
        with gil:
            raise MemoryError("too many stones for this machine's memory")
    if size >= HUGE_PAGE:
        madvise(memory, size, MADV_HUGEPAGE)
    return memory
