"""arena verify: every record of a database against the rules and the clocks."""

import argparse

from arena.storage.reader import Records
from arena.storage.verify import differences


def run(arguments: argparse.Namespace) -> int:
    """Print each match of `db` that differs, a line each with its id. Returns the exit status.

    It is 1 if any differs, 0 if all agree. Raises StoreError and OSError.
    """
    agreeing = differing = 0
    with Records(arguments.db) as records:
        for record in records.matches(moves=True):
            if found := differences(record):
                differing += 1
                print(f"match {record.id}: {'; '.join(found)}")
            else:
                agreeing += 1
    if not differing:
        print("1 match agrees" if agreeing == 1 else f"{agreeing} matches agree")
    print(end="", flush=True)
    return 1 if differing else 0
