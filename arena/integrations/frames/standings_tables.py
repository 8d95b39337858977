"""Arrow tables of standings and of results between each two bots."""

from collections.abc import Iterator, Sequence
from typing import Any

from arena.analysis.accuracy import Accuracy
from arena.integrations.frames.libraries import Row, row_table
from arena.reports.tables import tables_of
from arena.reports.text import GameStandings
from arena.storage.reader import DatabaseReader
from arena.tournament.standings import HeadToHeadRecord, group_places, head_to_head

Anchor = tuple[str, float]

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


def standings_table(rows: Sequence[Row]) -> Any:
    """Return rows of standings as a `pyarrow.Table`."""
    return row_table(STANDINGS, rows)


def head_to_head_table(rows: Sequence[Row]) -> Any:
    """Return rows of results between two bots as a `pyarrow.Table`."""
    return row_table(HEAD_TO_HEAD, rows)


def standings_rows(records: DatabaseReader, anchor: Anchor | None) -> Iterator[Row]:
    """Yield a row for each bot and game of a database, the best bot first.

    Raises:
        ValueError: The anchor is not one of the bots.
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
    tables = tables_of(records, records.decoded_plan(), anchor)
    bots = {line.bot for table in tables.values() for line in table.standings}
    if anchor and anchor[0] not in bots:
        known = ", ".join(sorted(bots))
        raise ValueError(f"unknown bot {anchor[0]!r} in {records.path} (choose from {known})")
    return tables
