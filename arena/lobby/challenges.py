"""Challenges between casual players. Pure."""

import secrets
from collections import Counter, deque
from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from arena.model.fair_shares import fair_share
from arena.model.results import Pairing
from arena.model.setups import check_start, setup_text
from arena.model.time_control import TimeControl
from arena.protocol.codec import RequestError
from arena.protocol.player import Accept, Challenge, Challenged, Error
from core import GAMES
from core.game import Parameter

DEFAULT_TIME_CONTROL = "3600/move"  # one hour for each move
MAX_TIME = 3600.0  # seconds of a casual clock, so that an abandoned game ends within an hour
MAX_INCREMENT = 60.0  # seconds; each move prolongs the time of its player by this much at most
MAX_SETUP_VALUE = 1000  # keeps turns and the lobby short, and perfect play under 10 ms
MAX_TEXT_LENGTH = 64  # characters of a time control, and of any quoted text
MAX_REMATCHES = 1000  # players with a remembered last opponent
MAX_REASON_LENGTH = 100  # characters of a reason, which may have a number of any length
MAX_CASUAL_MATCHES = 100  # at once, which leaves the arena time for rated matches
MAX_MATCHES_PER_PLAYER = 8  # at once; a hello cannot raise it
MAX_MATCHES_PER_ADDRESS = 25  # at once, and less in a full arena; a class behind one address
KEY_BYTES = 6  # random bytes of a challenge's id: 8 characters in a link


class CasualPlayer(NamedTuple):
    """A casual player: name, games that it plays here, limit of simultaneous matches, address.

    The address is a host, or the network of one subscriber.
    """

    name: str
    games: Collection[str]
    matches: int
    address: str


class OpenChallenge(NamedTuple):
    """A challenge that any other casual player may accept."""

    player: CasualPlayer
    challenge: Challenge
    time: str


class AgreedMatch(NamedTuple):
    """An agreed match, and the addresses of its players; a house bot has none."""

    pairing: Pairing
    addresses: frozenset[str]


class Challenges:
    """Open challenges of an arena, and the matches agreed on.

    Attributes:
        agreed: agreed matches that have not started, the oldest first.
    """

    def __init__(self, house_bots: Mapping[str, Collection[str]]) -> None:
        """Start without challenges.

        Args:
            house_bots: names of the bots that can be challenged, each with the games it plays.
        """
        self.agreed: deque[AgreedMatch] = deque()
        self._house_bots = house_bots
        self._open: dict[str, OpenChallenge] = {}  # by id
        self._matches = 0  # agreed and not finished
        self._matches_of: Counter[str] = Counter()  # the same by player
        self._matches_from: Counter[str] = Counter()  # the same by address
        self._opponents: dict[str, str] = {}  # last opponents of people, the latest at the end

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

    def find(self, key: str) -> OpenChallenge:
        """Return an open challenge by its id. Raises RequestError."""
        if key not in self._open:
            raise RequestError("unknown_challenge", f"challenge {_quote(key)} is not open")
        return self._open[key]

    def has_open(self, name: str) -> bool:
        """Return whether a player has an open challenge."""
        return any(found.player.name == name for found in self._open.values())

    def withdraw(self, name: str) -> None:
        """Remove a player's open challenge, if there is one."""
        for key in [key for key, found in self._open.items() if found.player.name == name]:
            del self._open[key]

    def finish(self, match: AgreedMatch) -> None:
        """Release the players of an agreed match that has finished or could not start."""
        self._matches -= 1
        self._matches_of.subtract(match.pairing.players)
        self._matches_of += Counter()  # drops the zeros
        self._matches_from.subtract(match.addresses)
        self._matches_from += Counter()
        one, two = match.pairing.players
        if self._house_bots.keys().isdisjoint((one, two)):
            for player, opponent in ((one, two), (two, one)):
                self._opponents.pop(player, None)
                self._opponents[player] = opponent
            while len(self._opponents) > MAX_REMATCHES:
                del self._opponents[next(iter(self._opponents))]

    def _challenge(self, player: CasualPlayer, received: Challenge) -> Challenged | None:
        message = replace(received, setup=_checked_setup(player, received))
        time = _normalized_time(message.time)
        self._check_capacity(player, {player.name})
        if self._is_rematch(player.name, message.opponent):
            asked = self._find_rematch(message.opponent, player.name)
            if asked and asked.challenge.game == message.game:  # both have asked
                self._agree(asked, player.name, frozenset([asked.player.address, player.address]))
                return None
        if message.opponent is None or self._is_rematch(player.name, message.opponent):
            self.withdraw(player.name)
            key = secrets.token_urlsafe(KEY_BYTES)
            self._open[key] = OpenChallenge(player, message, time)
            return Challenged(key)
        if message.opponent not in self._house_bots:
            known = ", ".join(self._house_bots) or "none"
            raise _bad(f"unknown opponent {_quote(message.opponent)} (choose from {known})")
        if message.game not in self._house_bots[message.opponent]:
            raise _bad(f"{message.opponent} does not play {message.game}")
        self._agree(
            OpenChallenge(player, message, time), message.opponent, frozenset([player.address])
        )
        return None

    def _is_rematch(self, player: str, opponent: str | None) -> bool:
        return opponent is not None and self._opponents.get(player) == opponent

    def _find_rematch(self, player: str | None, opponent: str) -> OpenChallenge | None:
        """Return a player's challenge to an opponent."""
        return next(
            (
                found
                for found in self._open.values()
                if (found.player.name, found.challenge.opponent) == (player, opponent)
            ),
            None,
        )

    def _accept(self, player: CasualPlayer, message: Accept) -> None:
        found = self.find(message.challenge)
        if found.challenge.opponent not in (None, player.name):
            raise _bad(f"this challenge is for {found.challenge.opponent}")
        if found.player.name == player.name:
            raise _bad("you cannot accept your own challenge")
        _check_game(player, found.challenge.game)
        self._check_capacity(player, {player.name, found.player.name})
        self._agree(found, player.name, frozenset([found.player.address, player.address]))

    def _check_capacity(self, player: CasualPlayer, withdrawn: Collection[str]) -> None:
        """Raise RequestError if a player has too much at once.

        The open challenges of the players in `withdrawn` do not count: they are about to end.
        """
        current, limit = self._matches_of[player.name], min(player.matches, MAX_MATCHES_PER_PLAYER)
        if current >= limit:
            raise RequestError("busy", f"too many matches at once: {current} (your limit: {limit})")
        if self._matches >= MAX_CASUAL_MATCHES:
            raise RequestError(
                "arena_full",
                f"the arena is at its limit of {MAX_CASUAL_MATCHES} casual matches, retry later",
            )
        open_from = sum(
            found.player.address == player.address and found.player.name not in withdrawn
            for found in self._open.values()
        )
        share = fair_share(MAX_MATCHES_PER_ADDRESS, MAX_CASUAL_MATCHES, self._matches)
        if self._matches_from[player.address] + open_from >= share:
            raise RequestError(
                "busy",
                "too many matches and open challenges at once from your address (its limit:"
                f" {share})",
            )

    def _agree(self, found: OpenChallenge, other: str, addresses: frozenset[str]) -> None:
        """Queue a match and withdraw the open challenges of both players."""
        challenger = found.player.name
        one, two = (challenger, other) if found.challenge.you == 1 else (other, challenger)
        game, setup = found.challenge.game, found.challenge.setup
        opening = found.challenge.moves
        hints = found.challenge.hints
        pairing = Pairing(
            None, (one, two), game, setup, opening, casual=True, time=found.time, hints=hints
        )
        self.agreed.append(AgreedMatch(pairing, addresses))
        self._matches += 1
        self._matches_from.update(addresses)
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


def _checked_setup(player: CasualPlayer, message: Challenge) -> dict[str, int]:
    """Return the setup with its defaults.

    Raises RequestError unless it is valid for a game that the player plays, which goes on after the
    moves of the challenge.
    """
    _check_game(player, message.game)
    game = GAMES[message.game]
    setup = game.completed(message.setup)
    if setup.keys() != game.parameters.keys():
        expected = ", ".join(game.parameters) or "none"
        given = _quote(", ".join(message.setup)) if message.setup else "none"
        raise _bad(f"setup parameters of {game.name}: expected {expected}, got {given}")
    for name, value in setup.items():
        _check_value(name, game.parameters[name], value)
    try:
        check_start(game, setup, message.moves)
    except ValueError as error:
        what = "moves" if message.moves else setup_text(setup)
        raise _bad(f"{what}: {str(error)[:MAX_REASON_LENGTH]}") from None
    return setup


def _check_value(name: str, parameter: Parameter, value: int) -> None:
    most = MAX_SETUP_VALUE if parameter.maximum is None else parameter.maximum
    if not parameter.minimum <= value <= most:
        number = str(value)[:MAX_TEXT_LENGTH]
        raise _bad(f"{name} must be from {parameter.minimum} to {most}, got {number}")


def _normalized_time(text: str | None) -> str:
    """Return a time control in the arena's notation, or raise RequestError."""
    if text is None:
        return DEFAULT_TIME_CONTROL
    if len(text) > MAX_TEXT_LENGTH:
        raise _bad(f"time control {_quote(text)}... is longer than {MAX_TEXT_LENGTH} characters")
    try:
        control = TimeControl.parse(text)
    except ValueError as error:
        raise _bad(str(error)) from None
    if control.base + control.margin > MAX_TIME or control.increment > MAX_INCREMENT:
        raise _bad(
            f"time {text!r} must be at most {MAX_TIME:g} seconds, with an increment of at most"
            f" {MAX_INCREMENT:g}"
        )
    return str(control)
