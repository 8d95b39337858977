"""Commands that export and import records, called without a process."""

from pathlib import Path

from arena.cli.commands.records import ExportConfig, ImportConfig


def run_export(db: Path, output: Path | None, chosen: str | None = None) -> int:
    """Run `arena export`; return the exit status."""
    return ExportConfig(db, chosen, output).run()


def run_import(file: Path, db: Path, chosen: str | None = None) -> int:
    """Run `arena import`; return the exit status."""
    return ImportConfig(file, db, chosen).run()
