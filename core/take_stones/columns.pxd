"""Columns: the multiples of a large prime, as copies of a small board. See columns.pyx."""

from core.take_stones.whole cimport Whole

cdef int label_columns(Whole* whole) except -1 nogil
