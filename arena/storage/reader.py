"""Database reader: results, records, moves and verdicts of stored matches."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from arena.model.results import (
    FORFEITS,
    Fault,
    MatchRecord,
    MatchResult,
    Pairing,
    PlayedGame,
    PlayedMove,
    RatedResult,
    Tally,
    Termination,
)
from arena.storage.schema import (
    BUSY_TIMEOUT,
    IS_CASUAL,
    IS_RATED,
    DatabaseError,
    missing_tables,
    translated_errors,
)

MATCH_COLUMNS = (
    "id, number, game, setup, opening, player1, player2, time_control, started_at, finished_at,"
    f" termination, winner, reason, {IS_CASUAL}"
)

SINCE = "(id > ? OR id IN (SELECT value FROM json_each(?)))"
BATCH = 1000  # results that are read together


class DatabaseReader:
    """Read access to a database, also while an arena writes to it.

    It has more than ten methods: one for each query that the arena makes. Each of them raises
    DatabaseError if the file cannot be read or a row is damaged. Matches are in the order of their
    numbers in the schedule, then of their ids, unless a method says otherwise. A match is *rated*
    if it has ended, was not aborted and is not casual.

    Args:
        path: The database.

    Attributes:
        path: The database.

    Raises:
        DatabaseError: If there is no such database, or it is not a supported one of the arena.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise DatabaseError(f"database {path} does not exist")
        self.path = path
        with translated_errors(f"cannot read {path}"):
            uri = f"{path.absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, timeout=BUSY_TIMEOUT, uri=True)
        try:
            with translated_errors(f"cannot read {path}"):
                for table in missing_tables(self._db, path):
                    # With empty tables, all versions share all queries.
                    self._db.execute(table.replace("TABLE", "TEMP TABLE"))
        except DatabaseError:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def plan(self) -> str | None:
        """Return the plan as JSON text, or None if the database holds no tournament."""
        return next((row[0] for row in self._rows("SELECT plan FROM plan")), None)

    def results(self) -> Iterator[tuple[int, tuple[str, str], int | None]]:
        """Yield number, players and winner of each rated match of the tournament.

        The winner is 1 or 2, or None for a draw.
        """
        for number, one, two, winner in self._rows(
            "SELECT number, player1, player2, winner FROM matches"
            f" WHERE {IS_RATED} AND number IS NOT NULL ORDER BY number"
        ):
            yield number, (one, two), winner

    def played_games(self) -> Iterator[PlayedGame]:
        """Yield result and moves of each rated match of the schedule."""
        moves = "SELECT move FROM moves WHERE match = id ORDER BY ply"
        for number, one, two, winner, termination, opening, played in self._rows(
            "SELECT number, player1, player2, winner, termination, opening,"
            f" (SELECT group_concat(move, ' ') FROM ({moves})) FROM matches"
            f" WHERE {IS_RATED} AND number IS NOT NULL ORDER BY number"
        ):
            result = RatedResult(one, two, winner, Termination(termination))
            yield PlayedGame(number, result, tuple(json.loads(opening)), played or "")

    def tallies(self) -> dict[str, Tally]:
        """Return the number of rated matches by game and outcome; the games are sorted by name."""
        tallies: dict[str, Tally] = {}
        for game, one, two, winner, termination, times in self._rows(
            "SELECT game, player1, player2, winner, termination, count(*) FROM matches"
            f" WHERE {IS_RATED} GROUP BY 1, 2, 3, 4, 5 ORDER BY game"
        ):
            outcome = RatedResult(one, two, winner, Termination(termination))
            tallies.setdefault(game, Tally())[outcome] = times
        return tallies

    def games(self) -> list[str]:
        """Return the games of the rated matches, sorted."""
        query = f"SELECT DISTINCT game FROM matches WHERE {IS_RATED} ORDER BY game"
        return [game for (game,) in self._rows(query)]

    def count_rated(self) -> int:
        """Return the number of rated matches."""
        query = f"SELECT count(*) FROM matches WHERE {IS_RATED}"
        return next(int(count) for (count,) in self._rows(query))

    def games_since(self, after: int, among: Collection[int]) -> list[str]:
        """Return the games of the matches that `rated_results` selects, or of unrated ones."""
        games = "SELECT DISTINCT game FROM matches WHERE"
        found = {game for (game,) in self._rows(f"{games} id > ?", after)}
        ids = json.dumps([*among])
        found.update(
            game for (game,) in self._rows(f"{games} id IN (SELECT value FROM json_each(?))", ids)
        )
        return sorted(found)

    def rated_results(
        self, game: str, after: int, among: Collection[int]
    ) -> Iterator[list[tuple[str, str, int | None, str]]]:
        """Yield the results of the rated matches of a game, in batches.

        They are plain tuples of the fields of RatedResult: there may be millions.

        Args:
            game: The game.
            after: Matches with an id above this one.
            among: Other matches, by id.
        """
        with translated_errors(f"cannot read {self.path}"):
            cursor = self._db.execute(
                "SELECT player1, player2, winner, termination FROM matches"
                f" WHERE {SINCE} AND {IS_RATED} AND game = ?",
                (after, json.dumps([*among]), game),
            )
            while batch := cursor.fetchmany(BATCH):
                yield batch

    def running(self, after: int, among: Collection[int]) -> list[int]:
        """Return the ids of the matches that have not ended, selected as by `rated_results`."""
        query = f"SELECT id FROM matches WHERE {SINCE} AND termination IS NULL"
        return [match for (match,) in self._rows(query, after, json.dumps([*among]))]

    def last_id(self) -> int:
        """Return the highest id of a match; 0 without any match."""
        return next(int(match) for (match,) in self._rows("SELECT ifnull(max(id), 0) FROM matches"))

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries of a `with` block see the same state."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("COMMIT")

    def mean_duration(self) -> float | None:
        """Return the mean duration of a rated match in seconds; None without any match."""
        query = f"SELECT avg(finished_at - started_at) FROM matches WHERE {IS_RATED}"
        return next(seconds for (seconds,) in self._rows(query))  # type: ignore[no-any-return]

    def forfeits(self) -> Iterator[MatchRecord]:
        """Yield the rated matches that a player forfeited, without their moves."""
        marks = ", ".join(f"'{termination}'" for termination in sorted(FORFEITS))
        return (record for record, _ in self._matches(f"termination IN ({marks}) AND {IS_RATED}"))

    def matches(self, *, moves: bool = False) -> Iterator[MatchRecord]:
        """Yield every match that has ended, also aborted ones; with moves and faults if `moves`."""
        for record, _ in self._matches("termination IS NOT NULL"):
            yield self.with_moves(record) if moves else record

    def rated_matches(self, limit: int) -> Iterator[MatchRecord]:
        """Yield the latest rated matches by ascending id, with players, game and result alone.

        That is several times as fast as whole records.

        Args:
            limit: Maximum number of matches.
        """
        for match, game, one, two, winner, termination in self._rows(
            "SELECT * FROM (SELECT id, game, player1, player2, winner, termination FROM matches"
            f" WHERE {IS_RATED} ORDER BY id DESC LIMIT ?) ORDER BY id",
            limit,
        ):
            pairing = Pairing(None, (one, two), game, {})
            result = MatchResult(Termination(termination), winner, "")
            yield MatchRecord(match, pairing, "", 0.0, 0.0, result, ())

    def match(self, match: int) -> MatchRecord | None:
        """Return the match with this id, with its moves; None if none with it has ended."""
        found = self._matches("termination IS NOT NULL AND id = ?", match)
        return next((self.with_moves(record) for record, _ in found), None)

    def latest_matches(
        self, limit: int, before: int | None = None, bot: str | None = None, game: str | None = None
    ) -> list[tuple[MatchRecord, int]]:
        """Return the latest matches that have ended, with the highest id first.

        Args:
            limit: Maximum number of matches.
            before: Only matches with an id below this one; None for all.
            bot: Only matches of this bot; None for all.
            game: Only matches of this game; None for all.

        Returns:
            Each record without its moves, and its number of plies, the opening included.
        """
        filters = {"id < ?": before, "? IN (player1, player2)": bot, "game = ?": game}
        given = {condition: value for condition, value in filters.items() if value is not None}
        condition = " AND ".join(["termination IS NOT NULL", *given])
        rows = self._rows(
            f"SELECT {MATCH_COLUMNS}, (SELECT count(*) FROM moves WHERE match = id) FROM matches"
            f" WHERE {condition} ORDER BY id DESC LIMIT ?",
            *given.values(),
            limit,
        )
        records = [(self._record(columns), moves) for *columns, moves in [*rows]]
        return [(record, len(record.pairing.opening) + moves) for record, moves in records]

    def analysed(self, game: str) -> Iterator[tuple[MatchRecord, str]]:
        """Yield the analysed matches of a game, without their moves, and their verdicts."""
        for record, verdicts in self._matches("verdicts IS NOT NULL AND game = ?", game):
            assert verdicts is not None  # but it is empty for a match without a move
            yield record, verdicts

    def verdicts(self, after: int, limit: int) -> list[tuple[int, str, tuple[str, str], int, str]]:
        """Return the verdicts on matches by ascending id.

        Args:
            after: Only matches with an id above this one.
            limit: Maximum number of matches.

        Returns:
            The id, the game, the players, the number of opening moves, and the verdicts.
        """
        rows = self._rows(
            "SELECT id, game, player1, player2, opening, verdicts"
            " FROM verdicts JOIN matches ON id = match WHERE match > ? ORDER BY match LIMIT ?",
            after,
            limit,
        )
        return [
            (match, game, (one, two), 0 if opening == "[]" else opening.count(",") + 1, verdicts)
            for match, game, one, two, opening, verdicts in rows
        ]

    def unanalysed(self, game: str) -> Iterator[MatchRecord]:
        """Yield the rated matches of a game that were not analysed, without their moves."""
        condition = f"verdicts IS NULL AND game = ? AND {IS_RATED}"
        return (record for record, _ in self._matches(condition, game))

    def unanalysed_between(
        self, after: int, before: int | None, games: Sequence[str], limit: int
    ) -> list[MatchRecord]:
        """Return rated matches that were not analysed, without their moves, by ascending id.

        Args:
            after: Only matches with an id above this one.
            before: Only matches with an id below this one; None for all.
            games: Only matches of these games.
            limit: Maximum number of matches.
        """
        marks = ", ".join("?" * len(games))
        condition = f"id > ? AND id < ? AND game IN ({marks}) AND {IS_RATED}"
        rows = self._rows(
            f"SELECT {MATCH_COLUMNS} FROM matches WHERE {condition}"
            " AND id NOT IN (SELECT match FROM verdicts) ORDER BY id LIMIT ?",
            after,
            2**63 - 1 if before is None else before,
            *games,
            limit,
        )
        return [self._record(columns) for columns in [*rows]]

    def _matches(
        self, condition: str, *values: int | str
    ) -> Iterator[tuple[MatchRecord, str | None]]:
        for *columns, verdicts in self._rows(
            f"SELECT {MATCH_COLUMNS}, verdicts FROM matches LEFT JOIN verdicts ON id = match"
            f" WHERE {condition} ORDER BY number, id",
            *values,
        ):
            yield self._record(columns), verdicts

    def _record(self, columns: Sequence[Any]) -> MatchRecord:
        """Return a match without its moves from the values of MATCH_COLUMNS."""
        match, number, game, setup, opening, one, two, control, begin, end, *how, casual = columns
        try:
            moves = tuple(json.loads(opening))
            time = control if casual else None
            pairing = Pairing(
                number, (one, two), game, json.loads(setup), moves, bool(casual), time
            )
            termination, winner, reason = how
            if winner not in (1, 2, None):
                raise ValueError(f"expected winner 1 or 2, got {winner}")
            result = MatchResult(Termination(termination), winner, reason)
        except (TypeError, ValueError) as error:
            raise DatabaseError(f"match {match} in {self.path} is damaged: {error}") from None
        return MatchRecord(match, pairing, control, begin, end, result, ())

    def with_moves(self, record: MatchRecord) -> MatchRecord:
        """Return a match with its moves, its fault if it has one, and its log."""
        match = record.id
        return replace(
            record, moves=self.moves(match), fault=self.fault(match), log=self.log(match)
        )

    def moves(self, match: int) -> tuple[PlayedMove, ...]:
        """Return the players' moves of the match with this id."""
        rows = self._rows(
            "SELECT ply, move, elapsed, credit, charged, lag FROM moves WHERE match = ?"
            " ORDER BY ply",
            match,
        )
        return tuple(PlayedMove(*row) for row in rows)

    def fault(self, match: int) -> Fault | None:
        """Return the fault of the match with this id, or None."""
        query = "SELECT ply, move, elapsed, credit, charged, lag FROM faults WHERE match = ?"
        for ply, move, *times in self._rows(query, match):
            return Fault(ply, None if move is None else int(move), *times)
        return None

    def log(self, match: int) -> str:
        """Return the log of the match with this id; empty if it has none."""
        return next(
            (log for (log,) in self._rows("SELECT log FROM logs WHERE match = ?", match)), ""
        )

    def _rows(self, query: str, *values: int | str) -> Iterator[Any]:
        with translated_errors(f"cannot read {self.path}"):
            yield from self._db.execute(query, values)
