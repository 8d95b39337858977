"""Mutants of Cython: operators and numbers, without declarations and casts."""

from tools.mutants.cython import Cython

SOURCE = '''\
"""A board of 8 < 9 squares."""
from libc.stdint cimport uint8_t
cdef struct Row:
    uint8_t[8] squares
cdef int bounded(int number, int limit) except -1 nogil:
    cdef int most = limit - 1
    return <int>number if number < most else most  # 1 < 2
'''


def changed_lines() -> list[str]:
    cython = Cython()
    return [
        cython.apply(SOURCE, site, change).splitlines()[site.start[0] - 1].strip()
        for site in cython.sites_in("board.pyx", SOURCE)
        for change in site.changes
    ]


def test_operators_and_numbers_are_changed_alone() -> None:
    changed = changed_lines()
    assert "cdef int most = limit + 1" in changed
    assert "cdef int most = limit - 2" in changed
    assert "return <int>number if number <= most else most  # 1 < 2" in changed
    assert len(changed_lines()) == 4 + 2  # and the numbers of squares
