"""Reasons of results, in words, and checks of the results that games report.

The reason of a result is stored with it and compared when a record is verified: its wording is part
of the record format.
"""

import re
from functools import lru_cache

from arena.model.results import GAME_TERMINATIONS, MatchResult, Termination
from core.game import Outcome

MALFORMED_LIMIT = 3  # unreadable messages with which a player loses a match

RESIGNED = "resigned"
REMOVED = "was removed by the operator"
UNREADABLE = f"sent {MALFORMED_LIMIT} unreadable messages"
FAILED = "failed: "  # in the reason of a match that a program has lost by an exception
MAX_DIGITS = 20  # of a number in a text; beyond it is no integer of 64 bits
SHOWN_DIGITS = 10  # of a longer number
LONG_NUMBER = re.compile(rf"\d{{{MAX_DIGITS + 1},}}", re.ASCII)
PLAYER = re.compile(r"\bplayer ([12])\b")  # in the reason of an outcome

Players = tuple[str, str]


def shorten_numbers(text: str) -> str:
    """Return a text with the first digits of each number of more than `MAX_DIGITS` digits."""
    return LONG_NUMBER.sub(_shortened, text)


def _shortened(number: re.Match[str]) -> str:
    return f"{number[0][:SHOWN_DIGITS]}... ({len(number[0])} digits)"


def error_reason(error: Exception) -> str:
    """Return the reason of a match that is aborted by an error of its game, as one line."""
    text = shorten_numbers(f"{type(error).__name__}: {error}")
    return text if text.isprintable() else ascii(text)[1:-1]


def loss(players: Players, player: int, termination: Termination, cause: str) -> MatchResult:
    """Return the loss of a player, 1 or 2."""
    reason = f"player {player} ({players[player - 1]}) {cause}"
    return MatchResult(termination, 3 - player, reason)


def result_of(outcome: Outcome, players: Players) -> MatchResult:
    """Return the result of a match that ends by the rules of its game.

    Raises:
        ValueError: No game may have this outcome: a package's game is not trusted.
    """
    try:
        return _known_result(outcome, players)  # most games end in one of a few ways
    except TypeError:  # it cannot be hashed
        return _new_result(outcome, players)


def _new_result(outcome: Outcome, players: Players) -> MatchResult:
    winner, reason, termination = outcome
    if winner not in (1, 2, None):
        raise ValueError(f"the winner of an outcome must be 1, 2 or None, not {winner!r:.60}")
    if termination not in GAME_TERMINATIONS:
        raise ValueError(f"an outcome cannot have the termination {termination!r:.60}")
    if winner is None and termination == Termination.NO_LEGAL_MOVE:
        raise ValueError(f"an outcome with the termination {termination} must have a winner")
    if not reason.isprintable():
        raise ValueError(f"the reason of an outcome must be one line of text, not {reason!r:.60}")

    def with_name(player: re.Match[str]) -> str:
        return f"{player[0]} ({players[int(player[1]) - 1]})"

    return MatchResult(Termination(termination), winner, PLAYER.sub(with_name, reason))


_known_result = lru_cache(_new_result)
