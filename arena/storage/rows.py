"""Rows of a database as values of checked types, and the conditions of SQL that select matches.

A file that the arena has not written can hold any value in any column.
"""

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, starmap
from pathlib import Path
from types import GenericAlias
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from arena.analysis.accuracy import MoveVerdict
from arena.model.results import Fault, Info, MatchFilter, MatchRecord, PlayedMove, Termination
from arena.model.setups import completed
from arena.model.time_control import parse_controls
from arena.storage.record import ordered_tags
from arena.storage.schema import MAX_REASON, DatabaseError
from core import GAMES

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
ENDED = "termination IS NOT NULL"
DRAWN = f"winner IS NULL AND termination <> '{Termination.ABORTED}'"
PLIES = "json_array_length(opening) + (SELECT count(*) FROM moves WHERE match = id)"
BLUNDERS = (
    f"(SELECT length(verdicts) - length(replace(verdicts, '{MoveVerdict.BLUNDER}', ''))"
    " FROM verdicts WHERE match = id)"
)
OUTCOMES = {"won": "winner = {side}", "lost": "winner = 3 - {side}", "draw": DRAWN}


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


Value = str | int | float


class Condition(NamedTuple):
    """A condition of SQL, with the values of its question marks."""

    sql: str
    values: tuple[Value, ...] = ()


class Name(NamedTuple):
    """A name of a player, or the beginning of names."""

    text: str
    is_beginning: bool

    def condition(self, column: str) -> Condition:
        """Return the condition on a column with a player's name."""
        if not self.is_beginning:
            return Condition(f"{column} = ?", (self.text,))
        pattern = "".join(f"\\{letter}" if letter in "\\%_" else letter for letter in self.text)
        return Condition(f"{column} LIKE ? ESCAPE '\\'", (f"{pattern}%",))


def selection(selected: MatchFilter, bot: Name | None, opponent: Name | None) -> Condition:
    """Return the condition that a finished match passes a filter.

    Args:
        selected: The filter.
        bot: The name that the `bot` of the filter stands for.
        opponent: The name that its `opponent` stands for.
    """
    sides = (1, 2) if bot or opponent else (1,)
    players = (_joined(" AND ", _of_side(side, selected, bot, opponent)) for side in sides)
    return _joined(" AND ", [_joined(" OR ", players), *_of_match(selected)])


def _of_side(
    side: int, selected: MatchFilter, bot: Name | None, opponent: Name | None
) -> Iterator[Condition]:
    """Yield the conditions on players and outcome, with the bot on a side."""
    yield Condition(ENDED)
    if bot:
        yield bot.condition(f"player{side}")
    if opponent:
        yield opponent.condition(f"player{3 - side}")
    if selected.outcome:
        yield Condition(OUTCOMES[selected.outcome].format(side=side))


def _of_match(selected: MatchFilter) -> Iterator[Condition]:
    """Yield the other conditions."""
    given = {
        "game = ?": selected.game,
        "termination = ?": selected.ending,
        f"{BLUNDERS} <= ?": selected.max_blunders,
        f"{PLIES} >= ?": selected.min_plies,
        f"{PLIES} <= ?": selected.max_plies,
        "finished_at >= ?": selected.since,
        "finished_at < ?": selected.until,
    }
    for sql, value in given.items():
        if value is not None:
            yield Condition(sql, (value,))
    for name, value in selected.setup.items():
        yield _of_parameter(name, value)


def _of_parameter(name: str, value: int) -> Condition:
    """Return the condition on a parameter, which old setups may lack (see setups.completed)."""
    given = Condition(
        "EXISTS (SELECT 1 FROM json_each(setup) WHERE key = ? AND value = ?)", (name, value)
    )
    games = [game for game in GAMES if completed(game, {}).get(name) == value]
    if not games:
        return given
    marks = ", ".join("?" * len(games))
    lacks = "NOT EXISTS (SELECT 1 FROM json_each(setup) WHERE key = ?)"
    usual = Condition(f"game IN ({marks}) AND {lacks}", (*games, name))
    return _joined(" OR ", [given, usual])


def _joined(operator: str, conditions: Iterable[Condition]) -> Condition:
    """Return the conditions joined by an operator; there must be one."""
    parts = [*conditions]
    sql = operator.join(f"({part.sql})" for part in parts)
    return Condition(sql, tuple(value for part in parts for value in part.values))
