"""Families of games: games of other libraries, each found by name only when it is asked for.

An installed package adds a family through the entry-point group `take_stones_arena.game_families`.
Its name is the prefix of the names of the games, before a colon; its value is a module with the
functions of a GameFamily.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from core.game import Game

GROUP = "take_stones_arena.game_families"
SEPARATOR = ":"


class GameFamily(Protocol):
    """Games that are made when they are asked for."""

    def find(self, name: str) -> Game:
        """Return the game of a name without the prefix; the name of the game has it.

        Raises:
            ValueError: There is no such game, or it cannot be used; the reason in one line.
        """

    def names(self) -> Iterable[str]:
        """Return the names of all games, without the prefix.

        Raises:
            ValueError: The library is not installed; the reason in one line.
        """


class UnknownFamily(LookupError):
    """A prefix of no installed family."""


class GameFamilies:
    """The families of installed packages, and the games of them that were found."""

    def __init__(self) -> None:
        self._found: dict[str, Game] = {}
        self._allowed: Collection[str] | None = None

    def __iter__(self) -> Iterator[str]:
        """Yield the prefixes of the families."""
        from importlib.metadata import entry_points  # slow, and most runs play our games

        yield from sorted(entry_points(group=GROUP).names)

    def games(self) -> Iterator[Game]:
        """Yield the games that were found."""
        yield from self._found.values()

    def allow_only(self, names: Collection[str]) -> None:
        """Find only games of these names from now on, as where strangers name the games."""
        self._allowed = names

    def find(self, name: str) -> Game:
        """Return the game of a name with its prefix.

        A game may have several such names; one of them is `Game.name`.

        Raises:
            UnknownFamily: No installed family has the prefix.
            ValueError: The family has no such game, or it cannot be used; the reason in one line.
        """
        if self._allowed is not None and name not in self._allowed:
            raise ValueError("this arena does not play it")
        if name not in self._found:
            prefix, _, rest = name.partition(SEPARATOR)
            game = self._family(prefix).find(rest)
            self._found[name] = self._found.setdefault(game.name, game)
        return self._found[name]

    def names(self, prefix: str) -> list[str]:
        """Return the names of all games of a family, with its prefix.

        Raises:
            UnknownFamily: No installed family has the prefix.
            ValueError: The games cannot be used; the reason in one line.
        """
        return [f"{prefix}{SEPARATOR}{name}" for name in self._family(prefix).names()]

    def _family(self, prefix: str) -> GameFamily:
        from importlib.metadata import entry_points

        for entry in entry_points(group=GROUP, name=prefix):
            family: GameFamily = entry.load()
            return family
        raise UnknownFamily(prefix)
