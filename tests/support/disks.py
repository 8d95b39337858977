"""Disks that are full."""

import os
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Python 3.11 takes compiled modules that a limit has cut off for whole: nothing may write any.
NO_BYTECODE = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    writes_none, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        sys.dont_write_bytecode = writes_none
