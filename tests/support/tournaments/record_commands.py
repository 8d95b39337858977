"""Commands that export and import records, called without a process."""

from pathlib import Path

from arena.cli.commands import export, import_
from arena.cli.configuration import ExportConfig, ImportConfig


def run_export(db: Path, output: Path | None, chosen: str | None = None) -> int:
    """Run `arena export`; return the exit status."""
    return export.run(ExportConfig(db, chosen, output))


def run_import(file: Path, db: Path, chosen: str | None = None) -> int:
    """Run `arena import`; return the exit status."""
    return import_.run(ImportConfig(file, db, chosen))
