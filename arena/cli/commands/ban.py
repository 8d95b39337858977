"""Command `arena ban`: ban names and networks, list the bans, and remove them."""

import time

from arena.cli.arguments import UsageError
from arena.cli.configuration import BanConfig
from arena.storage.access import AccessFileError, add_ban, read_bans, remove_ban


def run(config: BanConfig) -> int:
    """Apply an action to a file of bans and return the exit status.

    Raises:
        UsageError: The file or the entry is not valid.
        OSError: Standard output cannot be written.
    """
    entry = config.entry or ""
    try:
        match config.action:
            case "add":
                add_ban(config.bans, entry, time.time())
            case "remove":
                remove_ban(config.bans, entry)
            case _:
                for entry, ban in read_bans(config.bans).items():
                    print(f"{ban.added}  {entry}")
                print(end="", flush=True)
    except AccessFileError as error:
        raise UsageError(str(error)) from None
    return 0
