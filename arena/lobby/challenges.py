"""Challenges: matches that casual players ask for, and that others accept. Pure."""

import secrets
from collections import Counter, deque
from collections.abc import Collection, Mapping
from typing import NamedTuple

from arena.model.clock import TimeControl
from arena.model.results import Pairing
from arena.protocol.player import Accept, Challenge, Challenged, Error, Refused
from core import GAMES

WITHOUT_CLOCK = "86400/move"  # a day for each move
LARGEST = 10_000  # number of a setup: up to it a turn is short, and perfect play found within 10 ms
LONGEST = 64  # characters of a time control; and of what is quoted of a challenge
MOST_MATCHES = 100  # casual ones at once, so that they leave the arena time for those that count
KEY_BYTES = 6  # random ones of a challenge's id, which is 8 characters in a link


class Player(NamedTuple):
    """A casual player: its name, what it plays here, and how many matches at once."""

    name: str
    games: Collection[str]
    matches: int


class Open(NamedTuple):
    """A challenge that anybody may accept."""

    player: str
    challenge: Challenge
    time: str


class Challenges:
    """The challenges of an arena: those that are open, and the matches that came of others.

    `offers` are the bots that may be challenged, with the games that each of them plays.
    """

    def __init__(self, offers: Mapping[str, Collection[str]]) -> None:
        self.agreed: deque[Pairing] = deque()  # matches that have not begun yet, the oldest first
        self._offers = offers
        self._open: dict[str, Open] = {}  # by id
        self._matches = 0  # agreed, and not over
        self._playing: Counter[str] = Counter()  # of these, by player

    def receive(self, player: Player, message: Challenge | Accept) -> Challenged | Error | None:
        """What a player is answered. If that is None, there is one more match agreed."""
        try:
            if isinstance(message, Challenge):
                return self._challenge(player, message)
            self._accept(player, message)
        except Refused as refusal:
            return Error(refusal.code, str(refusal))
        return None

    def withdraw(self, name: str) -> None:
        """Forget a player's open challenge, if there is one."""
        for key in [key for key, known in self._open.items() if known.player == name]:
            del self._open[key]

    def over(self, pairing: Pairing) -> None:
        """A match that was agreed is over, or has never begun."""
        self._matches -= 1
        self._playing.subtract(pairing.players)
        self._playing += Counter()  # which leaves out who plays none

    def _challenge(self, player: Player, message: Challenge) -> Challenged | None:
        _check_setup(player, message)
        time = _time(message.time)
        self._check_room(player)
        if message.opponent is None:
            self.withdraw(player.name)
            key = secrets.token_urlsafe(KEY_BYTES)
            self._open[key] = Open(player.name, message, time)
            return Challenged(key)
        if message.opponent not in self._offers:
            offers = ", ".join(self._offers) or "none"
            raise _bad(f"opponent {_quote(message.opponent)} is not offered here: {offers}")
        if message.game not in self._offers[message.opponent]:
            raise _bad(f"{message.opponent} does not play {message.game}")
        self._agree(Open(player.name, message, time), message.opponent)
        return None

    def _accept(self, player: Player, message: Accept) -> None:
        found = self._open.get(message.challenge)
        if not found:
            raise Refused(
                "unknown_challenge",
                f"challenge {_quote(message.challenge)} is not open, or not any more",
            )
        if found.player == player.name:
            raise _bad("the challenge is your own: somebody else has to accept it")
        _check_game(player, found.challenge.game)
        self._check_room(player)
        self._agree(found, player.name)

    def _check_room(self, player: Player) -> None:
        if self._playing[player.name] >= player.matches:
            raise Refused("busy", f"you are playing already, and said {player.matches} at once")
        if self._matches >= MOST_MATCHES:
            raise Refused("arena_full", f"{MOST_MATCHES} casual matches are played, try later")

    def _agree(self, found: Open, other: str) -> None:
        """Two players will play. Neither waits for anybody else any more."""
        one, two = (found.player, other) if found.challenge.you == 1 else (other, found.player)
        game, setup = found.challenge.game, found.challenge.setup
        self.agreed.append(Pairing(None, (one, two), game, setup, casual=True, time=found.time))
        self._matches += 1
        for name in (one, two):
            self._playing[name] += 1
            self.withdraw(name)


def _bad(text: str) -> Refused:
    return Refused("bad_challenge", text)


def _quote(text: str) -> str:
    """What a player has said, short enough to be repeated."""
    return repr(text[:LONGEST])


def _check_game(player: Player, game: str) -> None:
    if game not in player.games:
        games = ", ".join(sorted(player.games))
        raise _bad(f"game {_quote(game)} is none that you play here: {games}")


def _check_setup(player: Player, message: Challenge) -> None:
    """Raises Refused if it is not one of a game that the player plays here."""
    _check_game(player, message.game)
    game = GAMES[message.game]
    if message.setup.keys() != game.parameters.keys():
        wanted = ", ".join(game.parameters) or "nothing"
        raise _bad(f"the setup of {game.name} has {wanted}, no more and no less")
    for name, value in message.setup.items():
        least = game.parameters[name].minimum
        if not least <= value <= LARGEST:
            raise _bad(f"{name} must be from {least} to {LARGEST}, not {str(value)[:LONGEST]}")


def _time(text: str | None) -> str:
    """A time control as the arena writes it. Raises Refused."""
    if text is None:
        return WITHOUT_CLOCK
    if len(text) > LONGEST:
        raise _bad(f"time {_quote(text)}... is longer than {LONGEST} characters")
    try:
        return str(TimeControl.parse(text))
    except ValueError as error:
        raise _bad(str(error)) from None
