"""Commands that replay all matches: `arena verify` by the rules, `arena analyse` by a solver."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from arena.analysis.accuracy import accuracies_by_bot, has_solver, judge_moves
from arena.cli import shared_options as shared
from arena.cli.output import notify
from arena.cli.shared_options import CONTINUATION, Command
from arena.match.reasons import error_reason
from arena.model.results import MatchRecord
from arena.model.visible import visible
from arena.options import switch
from arena.reports.json import accuracies_json
from arena.reports.progress import with_progress_bar
from arena.reports.text import accuracy_text, counted
from arena.storage.reader import DatabaseReader
from arena.storage.schema import DatabaseError
from arena.storage.verify import find_differences
from arena.storage.writer import DatabaseWriter
from core.registry import UnknownGame

BATCH = 1000  # matches that are read, judged and stored together


@dataclass(frozen=True)
class VerifyConfig(Command):
    """Options of `arena verify`."""

    command: ClassVar[str] = "verify"
    db: Path = shared.database()

    def run(self) -> int:
        """Print a line for each record that differs from a replay, and for each game without rules.

        Returns:
            The exit status: 1 if any record differs or could not be replayed, else 0.

        Raises:
            DatabaseError: The database cannot be read.
            OSError: Standard output cannot be written.
        """
        agreeing, lines, unknown = 0, [], Counter[str]()
        with DatabaseReader(self.db) as records:
            for record in records.matches(moves=True):
                try:
                    found = find_differences(record)
                except UnknownGame as error:
                    unknown[str(error)] += 1
                    continue
                if found:
                    lines.append(f"match {record.id}: {visible('; '.join(found))}")
                else:
                    agreeing += 1
        for reason, matches in unknown.items():
            lines.append(f"{counted(matches, 'match', 'matches')} not checked: {visible(reason)}")
        # Printed at the end: a damaged record is an error, after which nothing is printed.
        print(*lines or [counted(agreeing, "match agrees", "matches agree")], sep="\n")
        return 1 if lines else 0


@dataclass(frozen=True)
class AnalyseConfig(Command):
    """Options of `arena analyse`."""

    command: ClassVar[str] = "analyse"
    db: Path = shared.database()
    json: bool = switch("print the accuracies as JSON")
    continuation = CONTINUATION

    def run(self) -> int:
        """Analyse the matches that have no verdicts yet, and print all accuracies."""
        with DatabaseReader(self.db) as records:
            _analyse(records, self.db)
            tables = {
                game: accuracies_by_bot(records.analysed(game))
                for game in records.games()
                if has_solver(game)
            }
        if self.json:
            print(accuracies_json(tables))
            return 0
        parts = [f"{visible(game)}\n\n{accuracy_text(table)}" for game, table in tables.items()]
        print("\n".join(parts), end="")
        return 0


def _analyse(records: DatabaseReader, path: Path) -> None:
    games = []
    for game in records.games():
        if has_solver(game):
            games.append(game)
        else:
            notify(f"{game} has no solver: its matches are not analysed")
    if not (count := records.count_unanalysed(games)):
        return
    matches = _stored_in_batches(records, games, path)
    for _ in with_progress_bar(sys.stderr, matches, count):
        pass


def _stored_in_batches(
    records: DatabaseReader, games: Sequence[str], path: Path
) -> Iterator[MatchRecord]:
    """Judge and store all matches that are not analysed, and yield each that is judged.

    At most one batch is in memory, as there may be millions. Nothing is written before the first
    batch is judged.
    """
    last = 0
    with ExitStack() as stack:
        writer = None
        while batch := records.unanalysed_between(last, None, games, BATCH):
            judged = []
            for record in records.with_all_moves(batch):
                judged.append((record.id, _judge(record, path)))
                yield record
            writer = writer or stack.enter_context(DatabaseWriter(path))
            stored = [writer.save_verdicts(match, verdicts) for match, verdicts in judged]
            for future in stored:
                future.result()
            last = batch[-1].id


def _judge(record: MatchRecord, path: Path) -> str:
    """Return the verdicts on a match. Raises DatabaseError."""
    try:
        return judge_moves(record)
    except Exception as error:  # a game may raise anything
        raise DatabaseError(
            f"match {record.id} in {path} cannot be judged: {error_reason(error)}"
        ) from None
