"""Challenges between casual players. Pure."""

import secrets
from collections import Counter, deque
from collections.abc import Collection, Mapping
from typing import NamedTuple

from arena.model.results import Pairing
from arena.model.time_control import TimeControl
from arena.protocol.errors import RequestError
from arena.protocol.player import Accept, Challenge, Challenged, Error
from core import GAMES

DEFAULT_TIME_CONTROL = "86400/move"  # one day for each move
MAX_SETUP_VALUE = 10_000  # keeps a turn short, and perfect play under 10 ms
MAX_TEXT_LENGTH = 64  # characters of a time control, and of any quoted text
MAX_CASUAL_MATCHES = 100  # at once, which leaves the arena time for rated matches
KEY_BYTES = 6  # random bytes of a challenge's id: 8 characters in a link


class CasualPlayer(NamedTuple):
    """A casual player: name, games that it plays here, limit of simultaneous matches."""

    name: str
    games: Collection[str]
    matches: int


class OpenChallenge(NamedTuple):
    """A challenge that any other casual player may accept."""

    player: str
    challenge: Challenge
    time: str


class Challenges:
    """Open challenges of an arena, and the matches agreed on.

    Attributes:
        agreed: pairings of agreed matches that have not started, the oldest first.
    """

    def __init__(self, house_bots: Mapping[str, Collection[str]]) -> None:
        """Start without challenges.

        Args:
            house_bots: names of the bots that can be challenged, each with the games it plays.
        """
        self.agreed: deque[Pairing] = deque()
        self._house_bots = house_bots
        self._open: dict[str, OpenChallenge] = {}  # by id
        self._matches = 0  # agreed and not finished
        self._matches_of: Counter[str] = Counter()  # the same by player

    def receive(
        self, player: CasualPlayer, message: Challenge | Accept
    ) -> Challenged | Error | None:
        """Process a player's message.

        Returns:
            The reply; None if the message led to one more agreed match.
        """
        try:
            if isinstance(message, Challenge):
                return self._challenge(player, message)
            self._accept(player, message)
        except RequestError as error:
            return Error(error.code, str(error))
        return None

    def withdraw(self, name: str) -> None:
        """Remove a player's open challenge, if there is one."""
        for key in [key for key, found in self._open.items() if found.player == name]:
            del self._open[key]

    def finish(self, pairing: Pairing) -> None:
        """Release the players of an agreed match that has finished or could not start."""
        self._matches -= 1
        self._matches_of.subtract(pairing.players)
        self._matches_of += Counter()  # drops the zeros

    def _challenge(self, player: CasualPlayer, message: Challenge) -> Challenged | None:
        _check_setup(player, message)
        time = _normalized_time(message.time)
        self._check_capacity(player)
        if message.opponent is None:
            self.withdraw(player.name)
            key = secrets.token_urlsafe(KEY_BYTES)
            self._open[key] = OpenChallenge(player.name, message, time)
            return Challenged(key)
        if message.opponent not in self._house_bots:
            known = ", ".join(self._house_bots) or "none"
            raise _bad(f"unknown opponent {_quote(message.opponent)} (choose from {known})")
        if message.game not in self._house_bots[message.opponent]:
            raise _bad(f"{message.opponent} does not play {message.game}")
        self._agree(OpenChallenge(player.name, message, time), message.opponent)
        return None

    def _accept(self, player: CasualPlayer, message: Accept) -> None:
        found = self._open.get(message.challenge)
        if not found:
            raise RequestError(
                "unknown_challenge", f"challenge {_quote(message.challenge)} is not open"
            )
        if found.player == player.name:
            raise _bad("you cannot accept your own challenge")
        _check_game(player, found.challenge.game)
        self._check_capacity(player)
        self._agree(found, player.name)

    def _check_capacity(self, player: CasualPlayer) -> None:
        current = self._matches_of[player.name]
        if current >= player.matches:
            raise RequestError(
                "busy", f"too many matches at once: {current} (your limit: {player.matches})"
            )
        if self._matches >= MAX_CASUAL_MATCHES:
            raise RequestError(
                "arena_full",
                f"the arena is at its limit of {MAX_CASUAL_MATCHES} casual matches, retry later",
            )

    def _agree(self, found: OpenChallenge, other: str) -> None:
        """Queue a match and withdraw the open challenges of both players."""
        one, two = (found.player, other) if found.challenge.you == 1 else (other, found.player)
        game, setup = found.challenge.game, found.challenge.setup
        self.agreed.append(Pairing(None, (one, two), game, setup, casual=True, time=found.time))
        self._matches += 1
        for name in (one, two):
            self._matches_of[name] += 1
            self.withdraw(name)


def _bad(text: str) -> RequestError:
    return RequestError("bad_challenge", text)


def _quote(text: str) -> str:
    """Quote a player's text, truncated."""
    return repr(text[:MAX_TEXT_LENGTH])


def _check_game(player: CasualPlayer, game: str) -> None:
    if game not in player.games:
        games = ", ".join(sorted(player.games))
        raise _bad(f"you do not play game {_quote(game)} here (choose from {games})")


def _check_setup(player: CasualPlayer, message: Challenge) -> None:
    """Raise RequestError unless the setup is valid for a game that the player plays."""
    _check_game(player, message.game)
    game = GAMES[message.game]
    if message.setup.keys() != game.parameters.keys():
        expected = ", ".join(game.parameters) or "none"
        given = _quote(", ".join(message.setup)) if message.setup else "none"
        raise _bad(f"setup parameters of {game.name}: expected {expected}, got {given}")
    for name, value in message.setup.items():
        least = game.parameters[name].minimum
        if not least <= value <= MAX_SETUP_VALUE:
            number = str(value)[:MAX_TEXT_LENGTH]
            raise _bad(f"{name} must be from {least} to {MAX_SETUP_VALUE}, got {number}")


def _normalized_time(text: str | None) -> str:
    """Return a time control in the arena's notation, or raise RequestError."""
    if text is None:
        return DEFAULT_TIME_CONTROL
    if len(text) > MAX_TEXT_LENGTH:
        raise _bad(f"time control {_quote(text)}... is longer than {MAX_TEXT_LENGTH} characters")
    try:
        return str(TimeControl.parse(text))
    except ValueError as error:
        raise _bad(str(error)) from None
