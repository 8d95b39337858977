"""Reserved names of the bots that the arena itself starts, each with a token. Pure."""

import hmac
from collections.abc import Collection
from typing import NamedTuple

from arena.protocol.codec import RequestError
from arena.storage.access import generate_token, hash_token


class RefusedClaim(NamedTuple):
    """A refused use of a name.

    Attributes:
        name: The name that a client used.
        owner: The reserved name that the client sent the token of, or None.
    """

    name: str
    owner: str | None


class ReservedNames:
    """Names of one kind of player that only the arena's own processes may use.

    Attributes:
        refused: The first refused claim of each owner, and the first to each reserved name without
            a token, in order.
    """

    def __init__(self, holder: str) -> None:
        """Start without names.

        Args:
            holder: Describes the players with reserved names, for messages.
        """
        self._holder = holder
        self.refused: list[RefusedClaim] = []
        self._hashes: dict[str, str] = {}  # of tokens, by name

    def reserve(self, name: str) -> str:
        """Return the token that is needed from now on to use a name."""
        token = generate_token()
        self._hashes[name] = hash_token(token)
        return token

    def owners(self, tokens: Collection[str]) -> list[str]:
        """Return the names to which the tokens belong.

        All tokens are compared in constant time, as by `TokenAuthenticator.owners`.
        """
        hashes = [*map(hash_token, tokens)]
        return [
            name
            for name, known in self._hashes.items()
            if sum(hmac.compare_digest(known, given) for given in hashes)
        ]

    def check(self, name: str, tokens: Collection[str]) -> bool:
        """Check that a client with these tokens may use a name.

        Returns:
            Whether the name is reserved, and one of the tokens belongs to it.

        Raises:
            RequestError: The name is reserved for another client, or a token for another name.
        """
        owners = self.owners(tokens)
        if name in owners:
            return True
        owner = owners[0] if owners else None
        if owner is None and name not in self._hashes:
            return False
        self._record(RefusedClaim(name, owner))
        if name in self._hashes:
            raise RequestError("name_reserved", f"the name {name} is reserved for {self._holder}")
        raise RequestError(
            "not_your_name", f"the arena started this bot as {owner}, not as {name} (ARENA_NAME)"
        )

    def _record(self, claim: RefusedClaim) -> None:
        """Remember a refused claim, but few of them: clients can send any number."""
        known = (
            other.owner == claim.owner and (claim.owner is not None or other.name == claim.name)
            for other in self.refused
        )
        if not any(known):
            self.refused.append(claim)
