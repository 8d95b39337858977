"""arena token: make, list and revoke the tokens by which bots show who they are."""

import argparse
import errno
import sys
import time
from pathlib import Path

from arena.cli.arguments import Refused
from arena.server import tokens as identity


def run(arguments: argparse.Namespace) -> int:
    """Do what `action` says to the tokens of a file. Returns the exit status.

    Raises Refused, and OSError if standard output cannot be written.
    """
    path: Path = arguments.tokens
    try:
        match arguments.action:
            case "add":
                _add(path, arguments.name)
            case "revoke":
                identity.revoke(path, arguments.name)
            case _:
                for name, entry in identity.read(path).items():
                    print(f"{entry.added}  {name}")
                print(end="", flush=True)
    except identity.TokensError as error:
        raise Refused(str(error)) from None
    return 0


def _add(path: Path, name: str) -> None:
    """Make a token and print it; one that nobody could read is not kept."""
    token = identity.add(path, name, time.time())
    try:
        if not sys.stdout:
            raise OSError(errno.EBADF, "standard output is closed")
        print(token, flush=True)
    except OSError:
        identity.revoke(path, name)
        raise
