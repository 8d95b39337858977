"""Rejection of a request, as an error code and a message for the sender."""

from typing import Self

# In the order of docs/reference/protocol.md and docs/reference/spectators.md, which explain them.
PLAYER_CODES = (
    "expected_hello",
    "unknown_protocol",
    "unknown_game",
    "name_taken",
    "token_needed",
    "token_unknown",
    "tokens_unavailable",
    "not_your_name",
    "no_challenges",
    "name_reserved",
    "banned",
    "wrong_ply",
    "not_your_turn",
    "unknown_match",
    "unexpected",
    "bad_info",
    "unreadable",
    "not_casual",
    "bad_challenge",
    "unknown_challenge",
    "busy",
    "arena_full",
    "opponent_missing",
    "nothing_to_take_back",
    "nothing_to_claim",
)
SPECTATOR_CODES = (
    "unknown_match",
    "unknown_challenge",
    "bad_position",
    "no_puzzle",
    "unknown_game",
    "too_large",
    "game_failed",
    "busy",
    "failed",
    "closing",
    "damaged",
    "unreadable",
)


class RequestError(Exception):
    """A request that the arena rejects. It is answered with an `error` message.

    Attributes:
        code: The machine-readable error code, such as "name_taken".
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        """Pickle both arguments: the default would call the class with the text alone."""
        return type(self), (self.code, str(self))
