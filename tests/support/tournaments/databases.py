"""Databases for tests: store and read records, or change them with SQL."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from arena.model.results import MatchRecord, Pairing, PlayedMove
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter, create_database
from tests.support.tournaments.records import make_pairing

MOVES = (PlayedMove(0, 3, 1.5, 0.0625, 1.4375, 0.25), PlayedMove(1, 6, 0.1, 0.0, 0.1, 0.0))
PLAN = (
    '{"game": "take_stones", "bots": {"anna": "random", "bert": "greedy"},'
    ' "setups": [{"stones": 7}], "time": "5+0.05", "seed": 1}'
)
# They turn a new database into one of an earlier version.
DOWNGRADE_TO_VERSION_4 = (
    "DROP TABLE tags; DROP TABLE infos; DROP TABLE former_plans; DROP TABLE tallies;"
    " DROP TABLE pair_scores; DROP TABLE identities; DROP TABLE half_pairs; PRAGMA user_version = 4"
)
DOWNGRADE_TO_VERSION_3 = f"{DOWNGRADE_TO_VERSION_4}; DROP TABLE logs; PRAGMA user_version = 3"
DOWNGRADE_TO_VERSION_2 = f"{DOWNGRADE_TO_VERSION_3}; DROP TABLE casual; PRAGMA user_version = 2"


def begin_match(writer: DatabaseWriter, pairing: Pairing | None = None) -> int:
    """Store the start of a match; return its id."""
    start = writer.begin_match(pairing or make_pairing(), "5+0.05", 1000.5)
    start.stored.result()
    return start.id


def store_record(writer: DatabaseWriter, record: MatchRecord) -> MatchRecord:
    """Store a match from its start to its end; return the record with the stored id."""
    record = replace(record, id=writer.begin_match(record.pairing, "5+0.05", 1000.5).id)
    writer.finish_match(record).result()
    return record


def stored_records(path: Path) -> list[MatchRecord]:
    """Return all records of a database, with their moves."""
    with DatabaseReader(path) as records:
        return [*records.matches(moves=True)]


def result_numbers(path: Path) -> list[int]:
    """Return the numbers of the rated matches."""
    with DatabaseReader(path) as records:
        return [number for number, _, _ in records.results()]


def stored_plan(path: Path) -> str | None:
    """Return the plan in a database, or None."""
    with DatabaseReader(path) as records:
        return records.plan()


def prepare(path: Path) -> None:
    """Upgrade a database, and abort its interrupted matches, as before a first change."""
    with DatabaseWriter(path) as writer:
        writer.prepare()


def run_script(path: Path, script: str) -> None:
    """Change a database with SQL, without the arena."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


def write_value(path: Path, table: str, column: str, value: object) -> None:
    """Write a value of any type into a column of all rows, also where the schema forbids it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        schema = db.execute("SELECT sql, name FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        replaced = "sql"
        for words in (") STRICT, W", ") W"), (") STRICT", ")"), ("NOT NULL", ""):
            replaced = f"replace({replaced}, '{words[0]}', '{words[1]}')"
        db.execute("PRAGMA writable_schema = ON")
        db.execute(f"UPDATE sqlite_master SET sql = {replaced} WHERE type = 'table'")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        with suppress(sqlite3.IntegrityError):  # such as a key that must be an integer
            db.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
        db.execute("PRAGMA writable_schema = ON")
        db.executemany("UPDATE sqlite_master SET sql = ? WHERE name = ?", schema)


def make_database(path: Path, records: Iterable[MatchRecord], plan: str | None = PLAN) -> Path:
    """Create a database of complete records; return its path."""
    with create_database(path) as database:
        if plan is not None:
            database.save_plan(plan)
        for record in records:
            database.add(record)
    return path


def file_names(folder: Path) -> set[str]:
    """Return the names of the files in a folder, without lock files."""
    return {path.name for path in folder.iterdir() if not path.name.endswith(".lock")}
