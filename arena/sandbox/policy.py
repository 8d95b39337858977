"""Policies of the sandbox, apart from it: most bots need nothing else of the package."""

from argparse import ArgumentTypeError
from enum import StrEnum


class Policy(StrEnum):
    """Protection that a user asks for."""

    AUTO = "auto"  # bubblewrap where it works, else limits alone
    REQUIRE = "require"  # bubblewrap, or an error
    OFF = "off"  # none


def parse_policy(text: str) -> Policy:
    """Return the policy that an argument names.

    Raises:
        ArgumentTypeError: There is no such policy.
    """
    try:
        return Policy(text)
    except ValueError:
        known = ", ".join(Policy)
        raise ArgumentTypeError(f"unknown policy {text!r} (choose from {known})") from None
