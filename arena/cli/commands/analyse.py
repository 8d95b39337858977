"""Command `arena analyse`: accuracy of all moves against perfect play."""

import sys
from pathlib import Path

from arena.analysis.accuracy import accuracies_by_bot, has_solver, judge_moves
from arena.cli.configuration import AnalyseConfig
from arena.cli.output import notify
from arena.model.results import MatchRecord
from arena.reports.json import accuracies_json
from arena.reports.progress import with_progress_bar
from arena.reports.text import accuracy_text
from arena.storage.reader import DatabaseReader
from arena.storage.writer import DatabaseWriter


def run(config: AnalyseConfig) -> int:
    """Analyse the matches that have no verdicts yet, and print all accuracies."""
    with DatabaseReader(config.db) as records:
        _analyse(records, config.db)
        tables = {
            game: accuracies_by_bot(records.analysed(game))
            for game in records.games()
            if has_solver(game)
        }
    if config.json:
        print(accuracies_json(tables), flush=True)
        return 0
    parts = [f"{game}\n\n{accuracy_text(table)}" for game, table in tables.items()]
    print("\n".join(parts), end="", flush=True)
    return 0


def _analyse(records: DatabaseReader, path: Path) -> None:
    new: list[MatchRecord] = []
    for game in records.games():
        if has_solver(game):
            new += records.unanalysed(game)
        else:
            notify(f"{game} has no solver: its matches are not analysed")
    if not new:
        return
    with DatabaseWriter(path) as writer:
        kept = [
            writer.save_verdicts(record.id, judge_moves(records.with_moves(record)))
            for record in with_progress_bar(sys.stderr, new)
        ]
    for future in kept:
        future.result()
