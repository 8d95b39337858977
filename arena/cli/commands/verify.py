"""Command `arena verify`: check of every record against the rules and the clocks."""

from arena.cli.configuration import VerifyConfig
from arena.model.visible import visible
from arena.reports.text import counted
from arena.storage.reader import DatabaseReader
from arena.storage.verify import find_differences


def run(config: VerifyConfig) -> int:
    """Print a line for each record that differs from a replay of its moves.

    Returns:
        The exit status: 1 if any record differs, else 0.

    Raises:
        DatabaseError: The database cannot be read.
        OSError: Standard output cannot be written.
    """
    agreeing = differing = 0
    with DatabaseReader(config.db) as records:
        for record in records.matches(moves=True):
            if found := find_differences(record):
                differing += 1
                print(f"match {record.id}: {visible('; '.join(found))}")
            else:
                agreeing += 1
    if not differing:
        print(counted(agreeing, "match agrees", "matches agree"))
    print(end="", flush=True)
    return 1 if differing else 0
