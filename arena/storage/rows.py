"""Rows of a database as values of checked types, and the turns of matches that are made of them.

A file that the arena has not written can hold any value in any column.
"""

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, starmap
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from arena.model.info import Info
from arena.model.results import Fault, MatchRecord, PlayedMove
from arena.model.time_control import parse_controls
from arena.storage.record import ordered_tags
from arena.storage.schema import MAX_REASON, DatabaseError

T = TypeVar("T")

Ply = Annotated[int, Meta(ge=0, le=2**31 - 1)]
LARGEST = sys.float_info.max

Winner = Literal[1, 2] | None
HalfPoints = Literal[-1, 0, 1, 2]
Count = Annotated[int, Meta(ge=0, le=2**31)]
Integer = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
Seconds = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]  # neither infinite nor NaN

ROWS = 100  # that are read and checked together, which is several times as fast as one by one
CACHED_TEXTS = 1000  # setups and openings, which most matches share
KEYS = {"id", "match"}  # columns with the id of a match
PLACE = re.compile(r" - at `\$\[(\d+)\]\[(\d+)\].*", re.DOTALL)
AMONG = "WHERE match IN (SELECT value FROM json_each(?))"
TURN = "ply, move, elapsed, credit, charged, lag"
COUNT_MOVES = f"SELECT match, count(*) FROM moves {AMONG} GROUP BY match"
SELECT_MOVES = f"SELECT {TURN} FROM moves {AMONG} ORDER BY match, ply"
SELECT_FAULTS = f"SELECT match, {TURN} FROM faults {AMONG}"
SELECT_LOGS = f"SELECT match, log FROM logs {AMONG}"
SELECT_INFOS = f"SELECT match, ply, info FROM infos {AMONG} ORDER BY match, ply"
SELECT_TAGS = f"SELECT match, name, value FROM tags {AMONG}"


class SetupText(str):
    """JSON of the parameters of a game."""


class OpeningText(str):
    """JSON of the moves of an opening."""


class ControlText(str):
    """Time controls of a match."""


class InfoText(str):
    """JSON of what a bot reported with a move."""


class IntegerText(str):
    """Digits of an integer of any size."""


def rows(
    db: sqlite3.Connection, path: Path, kind: type[T], query: str, *values: object
) -> Iterator[T]:
    """Yield the rows of a query.

    Args:
        db: The database.
        path: Its path, for messages.
        kind: The type of the rows: a tuple of the type of each column.
        query: The query.
        values: The values of its parameters.

    Raises:
        sqlite3.Error: The database cannot be read.
        DatabaseError: A value has another type.
    """
    cursor = db.execute(query, values)
    kinds: Any = GenericAlias(list, (kind,))
    while batch := cursor.fetchmany(ROWS):
        try:
            checked = msgspec.convert(batch, kinds, dec_hook=_checked_text)
        except msgspec.ValidationError as error:
            names = [name for name, *_ in cursor.description]
            raise DatabaseError(_describe_damage(path, names, batch, str(error))) from None
        yield from checked


@lru_cache(CACHED_TEXTS)
def setup_of(text: str) -> Mapping[str, int]:
    """Return the parameters of a game from their JSON. Raises ValueError."""
    return msgspec.json.decode(text.encode(), type=dict[str, Integer])


@lru_cache(CACHED_TEXTS)
def opening_of(text: str) -> tuple[int, ...]:
    """Return the moves of an opening from their JSON. Raises ValueError."""
    return msgspec.json.decode(text.encode(), type=tuple[Integer, ...])


def info_of(text: str) -> Info:
    """Return what a bot reported with a move from its JSON. Raises ValueError."""
    return msgspec.json.decode(text.encode(), type=Info)


PARSERS: Mapping[Any, Callable[[str], object]] = {
    SetupText: setup_of,
    OpeningText: opening_of,
    ControlText: lru_cache(CACHED_TEXTS)(parse_controls),
    InfoText: info_of,
    IntegerText: int,
}


def _checked_text(kind: Any, value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("expected text")
    try:
        PARSERS[kind](value)
    except (ValueError, RecursionError) as error:  # an error of msgspec would get no place
        raise ValueError(str(error)) from None
    return kind(value)


def _describe_damage(path: Path, names: list[str], batch: list[Any], error: str) -> str:
    """Return the message for a value of another type: its place, and what is wrong."""
    place = PLACE.search(error)
    assert place, "values are in columns of rows"
    row, column = batch[int(place[1])], names[int(place[2])]
    key = f"match {row[0]} in " if names[0] in KEYS and isinstance(row[0], int) else ""
    reason = PLACE.sub("", error)[:MAX_REASON]
    return f"{key}{path} is damaged: {column:.{MAX_REASON}}: {reason}"


def with_turns(
    db: sqlite3.Connection, path: Path, records: Sequence[MatchRecord]
) -> list[MatchRecord]:
    """Return matches with their moves, what was sent with them, faults, logs and tags.

    A few queries for all of them are several times as fast as some for each.

    Args:
        db: The database.
        path: Its path, for messages.
        records: The matches.

    Raises:
        sqlite3.Error: The database cannot be read.
        DatabaseError: A row is damaged.
    """
    ids = json.dumps([record.id for record in records])
    turns = rows(db, path, tuple[Ply, int, Seconds, Seconds, Seconds, Seconds], SELECT_MOVES, ids)
    moves = starmap(PlayedMove, turns)
    by_match = {
        match: tuple(islice(moves, count))
        for match, count in rows(db, path, tuple[int, int], COUNT_MOVES, ids)
    }
    faults = {
        match: Fault(ply, None if move is None else int(move), *times)
        for match, ply, move, *times in rows(
            db,
            path,
            tuple[int, Ply, IntegerText | None, Seconds, Seconds, Seconds, Seconds],
            SELECT_FAULTS,
            ids,
        )
    }
    logs = dict(rows(db, path, tuple[int, str], SELECT_LOGS, ids))
    tags: dict[int, dict[str, str]] = {}
    for match, name, value in rows(db, path, tuple[int, str, str], SELECT_TAGS, ids):
        tags.setdefault(match, {})[name] = value
    infos: dict[int, dict[int, Info]] = {}
    for match, ply, info in rows(db, path, tuple[int, Ply, InfoText], SELECT_INFOS, ids):
        infos.setdefault(match, {})[ply] = info_of(info)
    return [
        replace(
            record,
            pairing=replace(record.pairing, tags=dict(ordered_tags(tags[record.id])))
            if record.id in tags
            else record.pairing,
            moves=by_match.get(record.id, ()),
            fault=faults.get(record.id),
            log=logs.get(record.id, ""),
            infos=infos.get(record.id, {}),
        )
        for record in records
    ]
