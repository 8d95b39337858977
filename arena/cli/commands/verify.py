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
    agreeing, lines = 0, []
    with DatabaseReader(config.db) as records:
        for record in records.matches(moves=True):
            if found := find_differences(record):
                lines.append(f"match {record.id}: {visible('; '.join(found))}")
            else:
                agreeing += 1
    # Printed at the end: a damaged record is an error, after which nothing is printed.
    print(*lines or [counted(agreeing, "match agrees", "matches agree")], sep="\n", flush=True)
    return 1 if lines else 0
