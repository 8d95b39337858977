"""Results of databases as data frames: `Results`. It needs the extra `pandas` or `polars`."""

from arena.integrations.frames.results import Results
from arena.storage.schema import DatabaseError

__all__ = ["DatabaseError", "Results"]
