"""Command `arena verify`: check of every record against the rules and the clocks."""

from collections import Counter

from arena.cli.configuration import VerifyConfig
from arena.model.visible import visible
from arena.reports.text import counted
from arena.storage.reader import DatabaseReader
from arena.storage.verify import find_differences
from core.registry import UnknownGame


def run(config: VerifyConfig) -> int:
    """Print a line for each record that differs from a replay, and for each game without rules.

    Returns:
        The exit status: 1 if any record differs or could not be replayed, else 0.

    Raises:
        DatabaseError: The database cannot be read.
        OSError: Standard output cannot be written.
    """
    agreeing, lines, unknown = 0, [], Counter[str]()
    with DatabaseReader(config.db) as records:
        for record in records.matches(moves=True):
            try:
                found = find_differences(record)
            except UnknownGame as error:
                unknown[str(error)] += 1
                continue
            if found:
                lines.append(f"match {record.id}: {visible('; '.join(found))}")
            else:
                agreeing += 1
    for reason, matches in unknown.items():
        lines.append(f"{counted(matches, 'match', 'matches')} not checked: {visible(reason)}")
    # Printed at the end: a damaged record is an error, after which nothing is printed.
    print(*lines or [counted(agreeing, "match agrees", "matches agree")], sep="\n", flush=True)
    return 1 if lines else 0
