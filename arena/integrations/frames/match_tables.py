"""Arrow tables of match records: a row for each match, or for each move.

The columns are the same as in Parquet and CSV (docs/reference/parquet.md and records.md), as far as
they have one value; each parameter of the setup has a column of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from arena.integrations.frames.libraries import Row, row_table
from arena.model.results import NOTHING, MatchRecord
from arena.model.setups import completed
from arena.storage.parquet import Columns, arrow_table, record_columns
from arena.storage.record import ROSTER

SETUP = "setup."  # in front of the name of a parameter
FIRST = (  # columns of Parquet, as LAST
    *("id", "number", "game", "player1", "player2", "winner", "termination", "reason"),
    *("time_control", "started_at", "finished_at", "opening"),
)
SUMS: Columns = {
    "plies": ("int32", lambda record: len(record.pairing.opening) + len(record.moves)),
    "charged1": ("double", lambda record: record.total_seconds("charged")[0]),
    "charged2": ("double", lambda record: record.total_seconds("charged")[1]),
    "credit1": ("double", lambda record: record.total_seconds("credit")[0]),
    "credit2": ("double", lambda record: record.total_seconds("credit")[1]),
}
LAST = ("casual", "log")
MOVES = {
    "id": "int64",
    "ply": "int32",
    "player": "int8",
    "bot": "string",
    "move": "int64",
    "elapsed": "double",
    "credit": "double",
    "charged": "double",
    "lag": "double",
    "evaluation": "double",
    "depth": "int64",
    "nodes": "int64",
}


def match_table(records: Sequence[MatchRecord]) -> Any:
    """Return matches with their moves as a `pyarrow.Table`."""
    import pyarrow as pa

    published = record_columns()
    first, last = ({name: published[name] for name in names} for names in (FIRST, LAST))
    table = arrow_table({**first, **SUMS, **last, **_tag_columns()}, records)
    setups = _setups(records)
    for name in dict.fromkeys(chain.from_iterable(setups)):
        values = pa.array([setup.get(name) for setup in setups], pa.int64())
        table = table.append_column(f"{SETUP}{name}", values)
    return table


def move_table(records: Sequence[MatchRecord]) -> Any:
    """Return the moves of matches as a `pyarrow.Table`."""
    return row_table(MOVES, [row for record in records for row in _moves(record)])


def _tag_columns() -> Columns:
    return {tag.lower(): ("string", partial(_tag, tag)) for tag in ROSTER}


def _tag(tag: str, record: MatchRecord) -> str | None:
    return record.tags.get(tag)


def _setups(records: Sequence[MatchRecord]) -> list[Mapping[str, int]]:
    """Return the setups of matches with the parameters that their games have got since then."""
    # Once for each game, as one that is not installed is looked up each time.
    defaults = {game: completed(game, {}) for game in {record.pairing.game for record in records}}
    return [{**defaults[record.pairing.game], **record.pairing.setup} for record in records]


def _moves(record: MatchRecord) -> Iterator[Row]:
    """Yield the values of a row for each move of a match."""
    players, infos = record.pairing.players, record.infos
    for played in record.moves:
        player, info = played.ply % 2, infos.get(played.ply, NOTHING)
        yield (
            *(record.id, played.ply, 1 + player, players[player], played.move),
            *(played.elapsed, played.credit, played.charged, played.lag),
            *(info.evaluation, info.depth, info.nodes),
        )
