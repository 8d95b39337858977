"""Command `arena token`: create, list and revoke the tokens of bots."""

import errno
import sys
import time
from pathlib import Path

from arena.cli.arguments import UsageError
from arena.cli.configuration import TokenConfig
from arena.storage.access import AccessFileError, add_token, read_tokens, revoke_token


def run(config: TokenConfig) -> int:
    """Apply an action to a token file and return the exit status.

    Raises:
        UsageError: The file or the name is not valid.
        OSError: Standard output cannot be written.
    """
    path, name = config.tokens, config.name or ""
    try:
        match config.action:
            case "add":
                _add(path, name)
            case "revoke":
                revoke_token(path, name)
            case _:
                for name, entry in read_tokens(path).items():
                    print(f"{entry.added}  {name}")
                print(end="", flush=True)
    except AccessFileError as error:
        raise UsageError(str(error)) from None
    return 0


def _add(path: Path, name: str) -> None:
    """Create a token and print it; revoke it if it cannot be printed."""
    token = add_token(path, name, time.time())
    try:
        if not sys.stdout:
            raise OSError(errno.EBADF, "standard output is closed")
        print(token, flush=True)
    except OSError as error:
        revoke_token(path, name)
        raise OSError(error.errno, error.strerror, "the token, which is revoked") from None
