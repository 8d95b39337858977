"""Memory of this process."""

import resource
import sys


def peak_memory() -> int:
    """Return the peak resident memory of this process, in KiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak
