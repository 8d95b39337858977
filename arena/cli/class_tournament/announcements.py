"""Lines that the command of a tournament of submissions prints in addition."""

from arena.cli.class_tournament.pseudonyms import names_file
from arena.cli.configuration import TournamentConfig
from arena.cli.output import notify


def announce_screen(config: TournamentConfig, page: str) -> None:
    """Print the address for the projector of a class."""
    if config.class_options:
        notify(f"show on a projector: {page}?present")


def print_end(config: TournamentConfig) -> None:
    """Print how the results of a class can be shown, and where its names are."""
    options = config.class_options
    if not options or config.quiet:
        return
    notify(f"show the result on a projector: arena view {config.db}, with ?present after its URL")
    if options.anonymous and config.db:
        notify(f"names are in {names_file(config.db)}: arena standings --names {config.db}")
