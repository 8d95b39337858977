"""Signals and a time limit for long computations without the GIL."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from core.clock cimport now

cdef enum:
    POLL_STEPS = 1 << 18        # steps between two looks at signals and the clock


cdef struct Deadline:
    double time                 # on the clock of core/clock, INFINITY for none
    int64_t steps               # since the last look


cdef inline int spend(Deadline* deadline, int64_t steps) except -1 nogil:
    """Count steps, and look at signals and the clock after POLL_STEPS of them.

    Raises the exception of a signal, and TimeoutError.
    """
    deadline.steps += steps
    if deadline.steps >= POLL_STEPS:
        deadline.steps = 0
        with gil:
            PyErr_CheckSignals()
            if now() >= deadline.time:
                raise TimeoutError("there was no time for a solution")
    return 0


cdef inline void charge(Deadline* deadline, int64_t steps) noexcept nogil:
    """Count steps that nothing may interrupt, for the next call of `spend`."""
    deadline.steps += steps
