"""Command `arena rename`: a name replaced by a pseudonym in all matches."""

from arena.cli.arguments import UsageError
from arena.cli.class_tournament.pseudonyms import names_file, read_names
from arena.cli.configuration import RenameConfig
from arena.protocol.player import name_problem
from arena.reports.text import counted
from arena.storage.rewriting import rename_player


def run(config: RenameConfig) -> int:
    """Replace a name and return the exit status; after an error nothing has changed.

    Raises:
        UsageError: No bot can have the new name, or the old one is a pseudonym already.
        DatabaseError: The database cannot be changed.
        OSError: Standard output cannot be written.
    """
    if problem := name_problem(config.new):
        raise UsageError(f"name {config.new!r:.80}: {problem}")
    if config.old in read_names(config.db).values():
        raise UsageError(f"{config.old} is a pseudonym already, in {names_file(config.db)}")
    count = rename_player(config.db, config.old, config.new)
    print(f"{counted(count, 'match', 'matches')} of {config.new} in {config.db}", flush=True)
    return 0
