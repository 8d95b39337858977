"""arena analyse: judge the moves of all matches by perfect play."""

import argparse
import sys
from pathlib import Path

from arena.analysis.accuracy import accuracies, judge
from arena.cli.serving import say
from arena.model.results import MatchRecord
from arena.reports.progress import counted
from arena.reports.text import accuracies_as_json, accuracy_table
from arena.storage.reader import Records
from arena.storage.writer import Store
from core import GAMES


def run(arguments: argparse.Namespace) -> int:
    """Judge the moves of the matches that have not been analysed, and print all accuracies."""
    with Records(arguments.db) as records:
        _analyse(records, arguments.db)
        tables = {
            game: accuracies(records.judged(game))
            for game in records.tallies()
            if GAMES[game].solver
        }
    if arguments.json:
        print(accuracies_as_json(tables), flush=True)
        return 0
    parts = [f"{game}\n\n{accuracy_table(table)}" for game, table in tables.items()]
    print("\n".join(parts), end="", flush=True)
    return 0


def _analyse(records: Records, path: Path) -> None:
    new: list[MatchRecord] = []
    for game in records.tallies():
        if GAMES[game].solver:
            new += records.unjudged(game)
        else:
            say(f"{game} has no solver, its matches are not analysed")
    if not new:
        return
    with Store(path) as store:
        kept = [
            store.save_verdicts(record.id, judge(records.with_moves(record)))
            for record in counted(sys.stderr, new)
        ]
    for future in kept:
        future.result()
