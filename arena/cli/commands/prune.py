"""Command `arena prune`: old matches removed from a database."""

from arena.cli.configuration import PruneConfig
from arena.cli.output import notify
from arena.reports.text import counted
from arena.storage.reader import DatabaseReader
from arena.storage.rewriting import remove_matches


def run(config: PruneConfig) -> int:
    """Remove the matches that ended before a time, and return the exit status.

    Raises:
        DatabaseError: The database cannot be changed.
        OSError: Standard output cannot be written.
    """
    count = remove_matches(config.db, config.before)
    with DatabaseReader(config.db) as records:
        if records.plan() is not None:
            text = "stay: the tournament would play them again"
            notify(f"the results in {config.db} {text}")
    print(f"{counted(count, 'match', 'matches')} removed from {config.db}", flush=True)
    return 0
