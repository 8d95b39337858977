"""What comes out of a database."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from arena.model.results import (
    FORFEITS,
    Fault,
    MatchRecord,
    MatchResult,
    Outcome,
    Pairing,
    PlayedMove,
    Tally,
    Termination,
)
from arena.storage.schema import (
    BUSY_SECONDS,
    CASUAL,
    COUNTED,
    IS_CASUAL,
    LAST,
    StoreError,
    explained,
    version,
)

FACTS = (
    "id, number, game, setup, opening, player1, player2, time_control, started_at, finished_at,"
    f" termination, winner, reason, {IS_CASUAL}"
)


class Records:
    """What a database holds, to read, also while an arena writes to it. Raises StoreError."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreError(f"there is no database {path}")
        self._path = path
        with explained(f"cannot read {path}"):
            uri = f"{path.absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, timeout=BUSY_SECONDS, uri=True)
        try:
            with explained(f"cannot read {path}"):
                if version(self._db, path) == LAST:  # so that all queries are the same
                    self._db.execute(CASUAL.replace("TABLE", "TEMP TABLE"))
        except StoreError:
            self._db.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()

    def plan(self) -> str | None:
        """The text of the plan, or None if the database holds no tournament."""
        return next((row[0] for row in self._rows("SELECT plan FROM plan")), None)

    def finished(self) -> Iterator[tuple[int, tuple[str, str], int]]:
        """The matches of a tournament that count, ascending: number, players, winner (1 or 2)."""
        for number, one, two, winner in self._rows(
            "SELECT number, player1, player2, winner FROM matches"
            f" WHERE {COUNTED} AND number IS NOT NULL ORDER BY number"
        ):
            yield number, (one, two), winner

    def tallies(self) -> dict[str, Tally]:
        """What has been counted in each game, by the game's name, ascending."""
        tallies: dict[str, Tally] = {}
        for game, one, two, winner, termination, times in self._rows(
            "SELECT game, player1, player2, winner, termination, count(*) FROM matches"
            f" WHERE {COUNTED} GROUP BY 1, 2, 3, 4, 5 ORDER BY game"
        ):
            outcome = Outcome(one, two, winner, Termination(termination))
            tallies.setdefault(game, Tally())[outcome] = times
        return tallies

    def mean_seconds(self) -> float | None:
        """How long a match that counts took on average; None without any."""
        query = f"SELECT avg(finished_at - started_at) FROM matches WHERE {COUNTED}"
        return next(seconds for (seconds,) in self._rows(query))  # type: ignore[no-any-return]

    def forfeits(self) -> Iterator[MatchRecord]:
        """The matches that were lost by breaking a rule, in order, without their moves."""
        marks = ", ".join(f"'{termination}'" for termination in sorted(FORFEITS))
        return (record for record, _ in self._matches(f"termination IN ({marks}) AND {COUNTED}"))

    def matches(self, *, moves: bool = False) -> Iterator[MatchRecord]:
        """Every attempt that has ended, the aborted ones too, in order; moves only if asked for."""
        for record, _ in self._matches("termination IS NOT NULL"):
            yield self.with_moves(record) if moves else record

    def match(self, match: int) -> MatchRecord | None:
        """The attempt with this id, with its moves; None if there is none that has ended."""
        found = self._matches("termination IS NOT NULL AND id = ?", match)
        return next((self.with_moves(record) for record, _ in found), None)

    def latest(
        self, limit: int, before: int | None = None, bot: str | None = None, game: str | None = None
    ) -> list[tuple[MatchRecord, int]]:
        """Attempts that have ended, the latest first, without moves; and their numbers of plies.

        At most so many; with ids below `before`, of a bot, in a game, if that is asked for.
        """
        wanted = {"id < ?": before, "? IN (player1, player2)": bot, "game = ?": game}
        given = {which: value for which, value in wanted.items() if value is not None}
        which = " AND ".join(["termination IS NOT NULL", *given])
        rows = self._rows(
            f"SELECT {FACTS}, (SELECT count(*) FROM moves WHERE match = id) FROM matches"
            f" WHERE {which} ORDER BY id DESC LIMIT ?",
            *given.values(),
            limit,
        )
        records = [(self._record(facts), moves) for *facts, moves in [*rows]]
        return [(record, len(record.pairing.opening) + moves) for record, moves in records]

    def judged(self, game: str) -> Iterator[tuple[MatchRecord, str]]:
        """The matches in a game that have been analysed, in order, with their verdicts."""
        for record, verdicts in self._matches("verdicts IS NOT NULL AND game = ?", game):
            assert verdicts is not None  # but there may be none, of a match without a move
            yield record, verdicts

    def unjudged(self, game: str) -> Iterator[MatchRecord]:
        """The matches in a game that count and have not been analysed, in order."""
        which = f"verdicts IS NULL AND game = ? AND {COUNTED}"
        return (record for record, _ in self._matches(which, game))

    def unjudged_after(
        self, match: int, before: int | None, games: Sequence[str], limit: int
    ) -> list[MatchRecord]:
        """At most so many matches in some games that count and have not been analysed, by id.

        Only those with ids above `match` and, if it is given, below `before`.
        """
        marks = ", ".join("?" * len(games))
        which = f"id > ? AND id < ? AND game IN ({marks}) AND {COUNTED}"
        rows = self._rows(
            f"SELECT {FACTS} FROM matches WHERE {which}"
            " AND id NOT IN (SELECT match FROM verdicts) ORDER BY id LIMIT ?",
            match,
            2**63 - 1 if before is None else before,
            *games,
            limit,
        )
        return [self._record(facts) for facts in [*rows]]

    def _matches(self, which: str, *values: int | str) -> Iterator[tuple[MatchRecord, str | None]]:
        for *facts, verdicts in self._rows(
            f"SELECT {FACTS}, verdicts FROM matches LEFT JOIN verdicts ON id = match"
            f" WHERE {which} ORDER BY number, id",
            *values,
        ):
            yield self._record(facts), verdicts

    def _record(self, facts: Sequence[Any]) -> MatchRecord:
        """A match without its moves, from the columns FACTS."""
        match, number, game, setup, opening, one, two, control, begin, end, *how, casual = facts
        try:
            moves = tuple(json.loads(opening))
            time = control if casual else None
            pairing = Pairing(
                number, (one, two), game, json.loads(setup), moves, bool(casual), time
            )
            termination, winner, reason = how
            if winner not in (1, 2, None):
                raise ValueError(f"winner {winner} is neither 1 nor 2")
            result = MatchResult(Termination(termination), winner, reason)
        except (TypeError, ValueError) as error:
            raise StoreError(f"match {match} in {self._path} is damaged: {error}") from None
        return MatchRecord(match, pairing, control, begin, end, result, ())

    def with_moves(self, record: MatchRecord) -> MatchRecord:
        """A match with its moves and, if there is one, the turn that ended it."""
        return replace(record, moves=self.moves(record.id), fault=self.fault(record.id))

    def moves(self, match: int) -> tuple[PlayedMove, ...]:
        """The players' moves in a match, by its id."""
        rows = self._rows(
            "SELECT ply, move, elapsed, credit, charged, lag FROM moves WHERE match = ?"
            " ORDER BY ply",
            match,
        )
        return tuple(PlayedMove(*row) for row in rows)

    def fault(self, match: int) -> Fault | None:
        """The turn that ended a match, by its id, if one did."""
        query = "SELECT ply, move, elapsed, credit, charged, lag FROM faults WHERE match = ?"
        for ply, move, *times in self._rows(query, match):
            return Fault(ply, None if move is None else int(move), *times)
        return None

    def _rows(self, query: str, *values: int | str) -> Iterator[Any]:
        with explained(f"cannot read {self._path}"):
            yield from self._db.execute(query, values)
