"""Moves and what else belongs to stored matches, read for many matches at once."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, starmap
from pathlib import Path

from arena.model.info import Info
from arena.model.results import Fault, MatchRecord, PlayedMove
from arena.storage.rows import InfoText, IntegerText, Ply, Seconds, info_of, rows
from arena.storage.tags import ordered_tags

AMONG = "WHERE match IN (SELECT value FROM json_each(?))"
TURN = "ply, move, elapsed, credit, charged, lag"
COUNT_MOVES = f"SELECT match, count(*) FROM moves {AMONG} GROUP BY match"
SELECT_MOVES = f"SELECT {TURN} FROM moves {AMONG} ORDER BY match, ply"
SELECT_FAULTS = f"SELECT match, {TURN} FROM faults {AMONG}"
SELECT_LOGS = f"SELECT match, log FROM logs {AMONG}"
SELECT_INFOS = f"SELECT match, ply, info FROM infos {AMONG} ORDER BY match, ply"
SELECT_TAGS = f"SELECT match, name, value FROM tags {AMONG}"


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
