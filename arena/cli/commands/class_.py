"""Command `arena class`: play a tournament of the programs of a class."""

from arena.cli.class_tournament.preparation import prepare
from arena.cli.commands.tournament import play
from arena.cli.tournament_configuration import ClassConfig


def run(config: ClassConfig) -> int:
    """Build the programs, play a tournament or the rest of one, and return the exit status.

    Raises:
        UsageError: The options, the submissions or the sandbox cannot be used.
        DatabaseError: The database cannot be read or written.
        OSError: A build cannot be stored.
    """
    return play(prepare(config), are_checked=True)
