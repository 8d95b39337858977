"""Commands that export and import records, called without a process."""

from pathlib import Path

from arena.cli.commands.records import ExportConfig, ImportConfig
from arena.cli.shared_options import Command


def run_export(db: Path, output: Path | None, chosen: str | None = None) -> int:
    """Run `arena export`; return the exit status."""
    return _run(ExportConfig(db, chosen, output))


def run_import(file: Path, db: Path, chosen: str | None = None) -> int:
    """Run `arena import`; return the exit status."""
    return _run(ImportConfig(file, db, chosen))


def _run(command: Command) -> int:
    command.check()
    return command.run()
