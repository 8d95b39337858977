"""Arrow tables of match records, their moves, standings, and results between each two bots.

The columns of matches and moves are the same as in Parquet and CSV (docs/reference/parquet.md and
records.md), as far as they have one value; each parameter of the setup has a column of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from numbers import Real
from typing import Any

from arena.analysis.accuracy import Accuracy
from arena.integrations.frames.libraries import Row, row_table
from arena.model.results import NOTHING, MatchRecord
from arena.model.setups import completed
from arena.ratings import MAX_RATING, Anchor
from arena.reports.tables import tables_of
from arena.reports.text import GameStandings
from arena.storage.parquet import Columns, arrow_table, record_columns
from arena.storage.reader import DatabaseReader
from arena.storage.record import ROSTER
from arena.tournament.standings import HeadToHeadRecord, group_places, head_to_head

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
STANDINGS = {
    "game": "string",
    "rank": "int64",
    "bot": "string",
    "group": "int64",
    "elo": "double",
    "margin": "double",
    "played": "int64",
    "wins": "int64",
    "draws": "int64",
    "losses": "int64",
    "points": "double",
    "pairs_won": "int64",
    "pairs_tied": "int64",
    "pairs_lost": "int64",
    "forfeits": "int64",
    "accuracy": "double",
}
HEAD_TO_HEAD = {
    "game": "string",
    "bot": "string",
    "opponent": "string",
    "played": "int64",
    "wins": "int64",
    "draws": "int64",
    "losses": "int64",
    "points": "double",
    "wins1": "int64",
    "draws1": "int64",
    "losses1": "int64",
    "wins2": "int64",
    "draws2": "int64",
    "losses2": "int64",
    "forfeits": "int64",
    "superiority": "double",
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


def standings_table(rows: Sequence[Row]) -> Any:
    """Return rows of standings as a `pyarrow.Table`."""
    return row_table(STANDINGS, rows)


def head_to_head_table(rows: Sequence[Row]) -> Any:
    """Return rows of results between two bots as a `pyarrow.Table`."""
    return row_table(HEAD_TO_HEAD, rows)


def standings_rows(records: DatabaseReader, anchor: Anchor | None) -> Iterator[Row]:
    """Yield a row for each bot and game of a database, the best bot first.

    Raises:
        ValueError: The anchor is not one of the bots, or has no rating.
        DatabaseError: The database cannot be read.
    """
    for game, table in _tables(records, anchor).items():
        ratings, places = table.ratings, group_places(table.ratings)
        for rank, line in enumerate(table.standings, 1):
            bot, is_rated = line.bot, line.bot in ratings.elo
            yield (
                *(game, rank, bot, places[bot] + 1),
                *((ratings.elo[bot], ratings.margin(bot)) if is_rated else (None, None)),
                *(line.played, line.wins, line.draws, line.losses, line.points),
                *(*line.pairs, line.forfeits.total()),
                table.accuracies.get(bot, Accuracy()).share,
            )


def head_to_head_rows(records: DatabaseReader) -> Iterator[Row]:
    """Yield a row for each bot, opponent and game, in the order of the standings.

    Raises:
        DatabaseError: The database cannot be read.
    """
    for game, table in _tables(records, None).items():
        found, bots = head_to_head(table.tally), [line.bot for line in table.standings]
        for pair in ((bot, opponent) for bot in bots for opponent in bots):
            if pair in found:
                yield (game, *pair, *_results(found[pair]), table.ratings.superiority(*pair))


def _results(record: HeadToHeadRecord) -> Row:
    (wins1, losses1), (wins2, losses2), (draws1, draws2) = record.first, record.second, record.draws
    wins, draws, losses = wins1 + wins2, draws1 + draws2, losses1 + losses2
    return (
        *(wins + draws + losses, wins, draws, losses, wins + draws / 2),
        *(wins1, draws1, losses1, wins2, draws2, losses2, record.forfeits),
    )


def _tables(records: DatabaseReader, anchor: Anchor | None) -> dict[str, GameStandings]:
    if anchor is not None and not _is_anchor(anchor):
        raise ValueError(
            "expected an anchor such as ('greedy', 1000.0), with a rating from"
            f" -{MAX_RATING} to {MAX_RATING}, got {anchor!r:.60}"
        )
    tables = tables_of(records, records.decoded_plan(), anchor)
    bots = {line.bot for table in tables.values() for line in table.standings}
    if anchor and anchor[0] not in bots:
        known = ", ".join(sorted(bots))
        raise ValueError(f"unknown bot {anchor[0]!r} in {records.path} (choose from {known})")
    return tables


def _is_anchor(value: Any) -> bool:
    """Return whether a value is the name of a bot and a rating, which NaN is not."""
    match value:
        case str(), Real() as rating:
            return abs(rating) <= MAX_RATING  # type: ignore[operator]
    return False
