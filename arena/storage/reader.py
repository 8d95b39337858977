"""Database reader: results, records, moves and verdicts of stored matches."""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import GenericAlias
from typing import Any, Self, TypeVar

from arena.model.results import (
    FORFEITS,
    MISSING,
    MatchFilter,
    MatchRecord,
    MatchResult,
    Pairing,
    PairScore,
    PlayedGame,
    RatedResult,
    Tally,
    Termination,
    pair_score,
)
from arena.storage.connection import open_for_reading
from arena.storage.rows import (
    PLIES,
    Condition,
    ControlText,
    Count,
    HalfPoints,
    Name,
    OpeningText,
    Seconds,
    SetupText,
    Value,
    Winner,
    opening_of,
    rows,
    selection,
    setup_of,
    with_turns,
)
from arena.storage.schema import IS_CASUAL, IS_RATED, DatabaseError, translated_errors
from arena.storage.tallies import moves_text
from arena.tournament.plan import Plan

T = TypeVar("T")
Row = TypeVar("Row", bound=tuple[Any, ...])

MATCH_COLUMNS = (
    "id, number, game, setup, opening, player1, player2, time_control, started_at, finished_at,"
    f" termination, winner, reason, {IS_CASUAL}"
)
MATCH_TYPES = (
    *(int, int | None, str, SetupText, OpeningText, str, str, ControlText, Seconds, Seconds),
    *(Termination, Winner, str, int),
)

NUMBERED = f"FROM matches WHERE {IS_RATED} AND number IS NOT NULL ORDER BY number"
SINCE = "(id > ? OR id IN (SELECT value FROM json_each(?)))"
EVERY_MATCH = MatchFilter()
BATCH = 1000  # results or matches that are read together


class DatabaseReader:
    """Read access to a database, also while an arena writes to it.

    Each query raises DatabaseError if the file cannot be read or a row is damaged. Matches are in
    the order of their numbers in the schedule, then of their ids, unless a method says otherwise. A
    match is *rated* if it has ended, was not aborted and is not casual.

    Args:
        path: The database.

    Attributes:
        path: The database.

    Raises:
        UnusableDatabase: If there is no such database, or it is not a supported one of the arena.
        DatabaseError: If it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db, self._limits = open_for_reading(path)
        self._queries = 0  # their rows are being read

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def plan(self) -> str | None:
        """Return the plan as JSON text, or None if the database holds no tournament."""
        return next((text for (text,) in self._rows(tuple[str], "SELECT plan FROM plan")), None)

    def decoded_plan(self) -> Plan | None:
        """Return the plan, or None if the database holds none."""
        if (text := self.plan()) is None:
            return None
        try:
            return Plan.from_json(text)
        except ValueError as error:
            raise DatabaseError(f"the plan in {self.path} is damaged: {error}") from None

    def results(self) -> Iterator[tuple[int, tuple[str, str], int | None]]:
        """Yield number, players and winner of each rated match of the tournament.

        The winner is 1 or 2, or None for a draw.
        """
        query = f"SELECT number, player1, player2, winner {NUMBERED}"
        rows = self._rows(tuple[int, str, str, Winner], query)
        for number, one, two, winner in self._ascending(rows):
            yield number, (one, two), winner

    def time_controls(self) -> Iterator[tuple[str, str, str]]:
        """Yield the players and the time control of rated matches, each combination once."""
        return self._rows(
            tuple[str, str, str],
            f"SELECT DISTINCT player1, player2, time_control FROM matches WHERE {IS_RATED}",
        )

    def numbers(self) -> Iterator[int]:
        """Yield the number of each rated match of the tournament, from an index alone."""
        for (number,) in self._ascending(self._rows(tuple[int], f"SELECT number {NUMBERED}")):
            yield number

    def _ascending(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Yield rows that begin with the number of a match. Raises DatabaseError."""
        last = 0
        for row in rows:
            if row[0] <= last:  # the index that forbids it is damaged
                raise DatabaseError(f"{self.path} is damaged: match number {row[0]} follows {last}")
            last = row[0]
            yield row

    def played_games(self) -> Iterator[PlayedGame]:
        """Yield result and moves of each rated match of the schedule."""
        for number, one, two, winner, termination, opening, played in self._rows(
            tuple[int, str, str, Winner, Termination, OpeningText, str | None],
            "SELECT number, player1, player2, winner, termination, opening,"
            f" {moves_text()} {NUMBERED}",
        ):
            result = RatedResult(one, two, winner, termination)
            yield PlayedGame(number, result, opening_of(opening), played or "")

    def tallies(self) -> dict[str, Tally]:
        """Return the number of rated matches by game and outcome; the games are sorted by name."""
        tallies: dict[str, Tally] = {}
        for game, one, two, winner, termination, times in self._rows(
            tuple[str, str, str, Winner, Termination, Count],
            "SELECT game, player1, player2, nullif(winner, 0), termination, matches FROM tallies",
        ):
            outcome = RatedResult(one, two, winner, termination)
            tallies.setdefault(game, Tally())[outcome] = times
        return tallies

    def distinct_games(self, game: str) -> int:
        """Return the number of different games, in setup, players, moves or end, that are rated."""
        query = "SELECT ifnull(sum(games), 0) FROM tallies WHERE game = ?"
        return self._number(query, game)

    def pair_scores(self, game: str, after: int = 0) -> tuple[int, list[PairScore]]:
        """Return the scores of the pairs of a game, and of its rated matches outside of pairs.

        Args:
            game: The game.
            after: Only scores changed since the call that returned this number.

        Returns:
            The number for the next call, and the scores.
        """
        with self.snapshot():
            scores = self._pair_scores(game, after)
            if not after:
                self._check_scores(game, scores.values())
        return max(scores, default=after), [*scores.values()]

    def _pair_scores(self, game: str, after: int) -> dict[int, PairScore]:
        """Return the scores of a game by number."""
        found = self._rows(
            tuple[int, str, str, HalfPoints, HalfPoints, Count, Count, int],
            "SELECT id AS number, bot, opponent, first, second, pairs, clusters, squares"
            " FROM pair_scores WHERE id > ? AND game = ? ORDER BY id",
            after,
            game,
        )
        return {number: PairScore(one, two, *numbers) for number, one, two, *numbers in found}

    def _check_scores(self, game: str, scores: Iterable[PairScore]) -> None:
        """Check that a game has the matches of its pairs; others may lack their second one."""
        played: Counter[tuple[str, str, int, int]] = Counter()
        for result, times in self.tallies().get(game, Tally()).items():
            one, two, first, second = pair_score(result[:3])
            side = int(first == MISSING)
            played[one, two, side, max(first, second)] += times
        paired: Counter[tuple[str, str, int, int]] = Counter()
        for score in scores:
            for side, points in enumerate((score.first, score.second)):
                if points != MISSING:
                    paired[score.one, score.two, side, points] += score.pairs
        if paired - played:
            raise DatabaseError(f"{self.path} is damaged: the scores of {game} are not its results")

    def games(self) -> list[str]:
        """Return the games of the rated matches, sorted."""
        query = f"SELECT DISTINCT game FROM matches WHERE {IS_RATED} ORDER BY game"
        return [game for (game,) in self._rows(tuple[str], query)]

    def count_rated(self) -> int:
        """Return the number of rated matches."""
        query = f"SELECT count(*) FROM matches WHERE {IS_RATED}"
        return self._number(query)

    def games_since(self, after: int, among: Collection[int]) -> list[str]:
        """Return the games of the matches that `rated_results` selects, or of unrated ones."""
        games = "SELECT DISTINCT game FROM matches WHERE"
        found = {game for (game,) in self._rows(tuple[str], f"{games} id > ?", after)}
        ids = json.dumps([*among])
        others = self._rows(tuple[str], f"{games} id IN (SELECT value FROM json_each(?))", ids)
        found.update(game for (game,) in others)
        return sorted(found)

    def rated_results(
        self, game: str, after: int, among: Collection[int]
    ) -> Iterator[Sequence[tuple[str, str, int | None, str]]]:
        """Yield the results of the rated matches of a game, in batches.

        They are plain tuples of the fields of RatedResult: there may be millions.

        Args:
            game: The game.
            after: Matches with an id above this one.
            among: Other matches, by id.
        """
        found = self._rows(
            tuple[str, str, Winner, Termination],
            "SELECT player1, player2, winner, termination FROM matches"
            f" WHERE {SINCE} AND {IS_RATED} AND game = ?",
            after,
            json.dumps([*among]),
            game,
        )
        while batch := [*islice(found, BATCH)]:
            yield batch

    def running(self, after: int, among: Collection[int]) -> list[int]:
        """Return the ids of the matches that have not ended, selected as by `rated_results`."""
        query = f"SELECT id FROM matches WHERE {SINCE} AND termination IS NULL"
        return [match for (match,) in self._rows(tuple[int], query, after, json.dumps([*among]))]

    def last_id(self) -> int:
        """Return the highest id of a match; 0 without any match."""
        return self._number("SELECT ifnull(max(id), 0) FROM matches")

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries of a `with` block see the same state."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.rollback()  # nothing was written, and in a damaged file COMMIT can fail

    def mean_duration(self) -> float | None:
        """Return the mean duration of a rated match in seconds; None without any match."""
        query = f"SELECT avg(finished_at - started_at) FROM matches WHERE {IS_RATED}"
        return next(seconds for (seconds,) in self._rows(tuple[Seconds | None], query))

    def forfeits(self) -> Iterator[MatchRecord]:
        """Return an iterator over the rated matches that a player forfeited, with their logs."""
        marks = ", ".join(f"'{termination}'" for termination in sorted(FORFEITS))
        condition = f"termination IN ({marks}) AND {IS_RATED}"
        return self._in_batches(record for record, _ in self._matches(condition))

    def matches(self, *, moves: bool = False, limit: int | None = None) -> Iterator[MatchRecord]:
        """Return an iterator over the matches that have ended, also aborted ones.

        Args:
            moves: Whether the records have their moves and faults.
            limit: Maximum number of matches, the first ones; None for all.
        """
        ended = (record for record, _ in self._matches("termination IS NOT NULL"))
        records = islice(ended, limit)
        return self._in_batches(records) if moves else records

    def count(self) -> int:
        """Return the number of matches that have ended, also aborted ones."""
        query = "SELECT count(*) FROM matches WHERE termination IS NOT NULL"
        return self._number(query)

    def rated_matches(self, limit: int) -> Iterator[MatchRecord]:
        """Yield the latest rated matches by ascending id, with players, game and result alone.

        That is several times as fast as whole records.

        Args:
            limit: Maximum number of matches.
        """
        for match, game, one, two, winner, termination in self._rows(
            tuple[int, str, str, str, Winner, Termination],
            "SELECT * FROM (SELECT id, game, player1, player2, winner, termination FROM matches"
            f" WHERE {IS_RATED} ORDER BY id DESC LIMIT ?) ORDER BY id",
            limit,
        ):
            pairing = Pairing(None, (one, two), game, {})
            result = MatchResult(termination, winner, "")
            yield MatchRecord(match, pairing, "", 0.0, 0.0, result, ())

    def match(self, match: int) -> MatchRecord | None:
        """Return the match with this id, with its moves; None if none with it has ended."""
        found = self._matches("termination IS NOT NULL AND id = ?", match)
        return next((self.with_moves(record) for record, _ in found), None)

    def latest_matches(
        self, limit: int, before: int | None = None, selected: MatchFilter = EVERY_MATCH
    ) -> list[tuple[MatchRecord, int]]:
        """Return the latest matches that have ended, with the highest id first.

        Args:
            limit: Maximum number of matches.
            before: Only matches with an id below this one; None for all.
            selected: Only matches that pass this filter.

        Returns:
            Each record without its moves, and its number of plies, the opening included.
        """
        condition = self._condition(selected)
        found = self._rows(
            match_row(int),
            f"SELECT {MATCH_COLUMNS}, {PLIES} FROM matches"
            f" WHERE id < ? AND {condition.sql} ORDER BY id DESC LIMIT ?",
            2**63 - 1 if before is None else before,
            *condition.values,
            limit,
        )
        return [(record_of(columns), plies) for *columns, plies in [*found]]

    def count_matches(self, selected: MatchFilter) -> int:
        """Return the number of the matches that have ended and pass a filter."""
        condition = self._condition(selected)
        query = f"SELECT count(*) FROM matches WHERE {condition.sql}"
        return self._number(query, *condition.values)

    def _condition(self, selected: MatchFilter) -> Condition:
        """Return the condition that a match has ended and passes a filter."""
        return selection(selected, self._name(selected.bot), self._name(selected.opponent))

    def _name(self, text: str | None) -> Name | None:
        """Return the player of this name, or else all with names that begin so."""
        if text is None:
            return None
        query = "SELECT 1 FROM matches WHERE ? IN (player1, player2) LIMIT 1"
        found = self._rows(tuple[int], query, text)
        return Name(text, is_beginning=next(found, None) is None)

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
        found = self._rows(
            tuple[int, str, str, str, OpeningText, str],
            "SELECT id, game, player1, player2, opening, verdicts"
            " FROM verdicts JOIN matches ON id = match WHERE match > ? ORDER BY match LIMIT ?",
            after,
            limit,
        )
        return [
            (match, game, (one, two), len(opening_of(opening)), verdicts)
            for match, game, one, two, opening, verdicts in found
        ]

    def count_unanalysed(self, games: Sequence[str]) -> int:
        """Return the number of the rated matches of these games that were not analysed."""
        query = (
            f"SELECT count(*) FROM matches WHERE game IN ({', '.join('?' * len(games))})"
            f" AND {IS_RATED} AND id NOT IN (SELECT match FROM verdicts)"
        )
        return self._number(query, *games)

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
        found = self._rows(
            match_row(),
            f"SELECT {MATCH_COLUMNS} FROM matches WHERE {condition}"
            " AND id NOT IN (SELECT match FROM verdicts) ORDER BY id LIMIT ?",
            after,
            2**63 - 1 if before is None else before,
            *games,
            limit,
        )
        return [record_of(columns) for columns in [*found]]

    def _matches(
        self, condition: str, *values: int | str
    ) -> Iterator[tuple[MatchRecord, str | None]]:
        for *columns, verdicts in self._rows(
            match_row(str | None),
            f"SELECT {MATCH_COLUMNS}, verdicts FROM matches LEFT JOIN verdicts ON id = match"
            f" WHERE {condition} ORDER BY number, id",
            *values,
        ):
            yield record_of(columns), verdicts

    def with_moves(self, record: MatchRecord) -> MatchRecord:
        """Return a match with its moves, what was sent with them, fault, log and tags.

        Raises:
            DatabaseError: A row is damaged.
        """
        [complete] = self.with_all_moves([record])
        return complete

    def with_all_moves(self, records: Sequence[MatchRecord]) -> list[MatchRecord]:
        """Return matches as `with_moves` does, several times as fast as one by one."""
        with translated_errors(f"cannot read {self.path}"):
            return with_turns(self._db, self.path, records)

    def _in_batches(self, records: Iterator[MatchRecord]) -> Iterator[MatchRecord]:
        while batch := [*islice(records, BATCH)]:
            yield from self.with_all_moves(batch)

    def _number(self, query: str, *values: Value) -> int:
        """Return the only value of a query."""
        return next(number for (number,) in self._rows(tuple[int], query, *values))

    def _rows(self, kind: type[T], query: str, *values: Value) -> Iterator[T]:
        """Yield the rows of a query; see `rows`."""
        if not self._queries:
            self._limits.reset()
        self._queries += 1
        try:
            with translated_errors(f"cannot read {self.path}"):
                # Not `yield from`, which would close the cursor, also after its database.
                for row in rows(self._db, self.path, kind, query, *values):  # noqa: UP028
                    yield row
        finally:
            self._queries -= 1


def match_row(*others: Any) -> Any:
    """Return the type of the rows of MATCH_COLUMNS and other columns."""
    return GenericAlias(tuple, (*MATCH_TYPES, *others))


def record_of(columns: Sequence[Any]) -> MatchRecord:
    """Return a match without its moves from the values of MATCH_COLUMNS."""
    match, number, game, setup, opening, one, two, text, begin, end, *how, casual = columns
    control = str(text)
    time = control if casual else None
    pairing = Pairing(
        number, (one, two), game, setup_of(setup), opening_of(opening), bool(casual), time
    )
    return MatchRecord(match, pairing, control, begin, end, MatchResult(*how), ())
