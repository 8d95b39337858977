"""The registry of games: our own, and games of installed packages.

A package adds a game through the entry-point group `take_stones_arena.games`: an entry point's
value names a Game. The packages are looked up when a game is asked for that is not known yet, or
when all games are listed. A name with a colon is of a game of a family (core.game_families), which
is found, but never listed.
"""

import re
from collections.abc import Iterator, Mapping, MutableMapping
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from core.game import Encoding, Game, Parameter, Position, Solver
from core.game_families import SEPARATOR, GameFamilies, UnknownFamily

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "take_stones_arena.games"
NAME = re.compile(r"[a-z0-9_]+")
OPTIONAL_FUNCTIONS = (  # of a Game
    *("evaluate", "search", "search_subtree", "search_for_player", "strong_search"),
    *("solver", "matching", "position_svg", "move_names", "plain_evaluate", "read_board"),
)


class UnusableGame(NamedTuple):
    """The game of an installed package that cannot be used.

    `name` is the name of the entry point, `package` the name of the distribution; `reason` is one
    line.
    """

    name: str
    package: str
    reason: str

    def __str__(self) -> str:
        return f"game {self.name!r} of package {self.package!r} cannot be used: {self.reason}"


class UnknownGame(KeyError):
    """A name of no registered game; the message says why, and which games there are."""

    def __str__(self) -> str:
        return str(self.args[0])  # of a KeyError it would be quoted


class Games(MutableMapping[str, Game]):
    """The registered games by name, ours first.

    Attributes:
        families: The games of other libraries, which are found by name.
    """

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._failures: list[UnusableGame] = []
        self._has_loaded = False
        self.families = GameFamilies()

    def __getitem__(self, name: str) -> Game:
        """Return a game. Raises UnknownGame."""
        if SEPARATOR in name:
            return self._find_in_family(name)
        if name not in self._games:
            self._load()
            if name not in self._games:
                raise UnknownGame(self._describe_unknown(name))
        return self._games[name]

    def __setitem__(self, name: str, game: Game) -> None:
        self._games[name] = game

    def __delitem__(self, name: str) -> None:
        del self._games[name]

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(self._games)

    def __len__(self) -> int:
        self._load()
        return len(self._games)

    @property
    def failures(self) -> tuple[UnusableGame, ...]:
        """The games of installed packages that cannot be used."""
        self._load()
        return tuple(self._failures)

    def register(self, game: Game) -> None:
        """Add a game to the registry.

        Raises:
            TypeError: If it is no Game, or a part of it has the wrong type.
            ValueError: If a name is invalid or taken.
        """
        _check(game)
        if game.name in self._games:
            raise ValueError(f"a game named {game.name!r} is registered already")
        self._games[game.name] = game

    def of(self, position: Position) -> Game:
        """Return the game that a position belongs to.

        Raises:
            TypeError: If it is no position.
            ValueError: If it belongs to no registered game.
        """
        # The known games first, and alone: most positions are theirs, and a search of a few nodes
        # takes as long as a chain of all games.
        for game in self._games.values():
            if isinstance(position, game.board):
                return game
        for game in chain(self.families.games(), self.values()):
            if isinstance(position, game.board):
                return game
        if not hasattr(position, "outcome"):
            raise TypeError(f"expected a position of a registered game, got {position!r:.60}")
        raise ValueError(f"{type(position).__name__} is the position of no registered game")

    def _find_in_family(self, name: str) -> Game:
        try:
            return self.families.find(name)
        except UnknownFamily:
            raise UnknownGame(self._describe_unknown(name)) from None
        except ValueError as error:
            raise UnknownGame(f"game {name!r:.60} cannot be used: {error}") from None

    def _describe_unknown(self, name: str) -> str:
        for failure in self._failures:
            if failure.name == name:
                return str(failure)
        return f"unknown game {name!r:.60} (choose from {', '.join(self._games)})"

    def _load(self) -> None:
        """Register the games of installed packages, once."""
        if self._has_loaded:
            return
        self._has_loaded = True
        from importlib.metadata import entry_points  # slow, and most runs play our games

        for entry in sorted(entry_points(group=GROUP), key=attrgetter("name")):
            if reason := self._register_entry(entry):
                package = entry.dist.name if entry.dist else "?"
                self._failures.append(UnusableGame(entry.name, package, " ".join(reason.split())))

    def _register_entry(self, entry: "EntryPoint") -> str | None:
        """Register the game of an entry point; return why that is not possible, or None."""
        try:
            game = entry.load()
        # The import runs a package's code, which may raise anything: our games stay usable.
        except (Exception, SystemExit) as error:
            return f"{type(error).__name__}: {error}"
        try:
            self.register(game)
        except (TypeError, ValueError) as error:
            return str(error)
        return None


def _check(game: Game) -> None:
    """Check the requirements of all commands. Raises TypeError and ValueError."""
    if not isinstance(game, Game):
        raise TypeError(f"expected a core.game.Game, got {game!r:.60}")
    _check_name(game.name)
    _require(isinstance(game.title, str), "the title of a game must be a string", game.title)
    is_mapping = isinstance(game.parameters, Mapping)
    _require(is_mapping, "the parameters of a game must be a mapping", game.parameters)
    for name, parameter in game.parameters.items():
        _check_parameter(name, parameter)
    _require(isinstance(game.board, type), "the board of a game must be a class", game.board)
    for field in ("position", "study"):
        found = getattr(game, field)
        _require(callable(found), f"the {field} of a game must be callable", found)
    for field in OPTIONAL_FUNCTIONS:
        found = getattr(game, field)
        _require(found is None or callable(found), f"{field} must be callable or None", found)
    is_encoding = game.encoding is None or isinstance(game.encoding, Encoding)
    text = "the encoding must be a core.game.Encoding or None"
    _require(is_encoding, text, game.encoding)
    has_page = hasattr(game.page, "iterdir") and hasattr(game.page, "joinpath")
    _require(has_page or game.page is None, "the page must be a folder (Traversable)", game.page)


def _check_name(name: str) -> None:
    """Check the name of a game or of a parameter. Raises TypeError and ValueError."""
    _require(isinstance(name, str), "names of games and parameters must be strings", name)
    if not NAME.fullmatch(name):
        raise ValueError(
            f"names of games and parameters consist of lower-case letters, digits and"
            f" underscores, got {name!r:.60}"
        )


def _check_parameter(name: str, parameter: Parameter) -> None:
    """Check a parameter of a game. Raises TypeError and ValueError."""
    _check_name(name)
    if not name.isidentifier():  # as records require
        raise ValueError(f"names of parameters cannot begin with a digit, got {name!r:.60}")
    if name == "moves":  # an argument of Game.position
        raise ValueError("no parameter can be named 'moves', an argument of Game.position")
    if not isinstance(parameter, Parameter):
        raise TypeError(f"expected a core.game.Parameter for {name!r}, got {parameter!r:.60}")
    meaning, minimum, usual, maximum, default = parameter
    _require(isinstance(meaning, str), f"the meaning of {name} must be a string", meaning)
    _require(isinstance(minimum, int), f"the minimum of {name} must be an int", minimum)
    is_usual = isinstance(usual, tuple) and all(isinstance(value, int) for value in usual)
    _require(is_usual, f"the usual values of {name} must be a tuple of ints", usual)
    if not usual:
        raise ValueError(f"expected at least one usual value of {name}, got ()")
    for field, value in ("maximum", maximum), ("default", default):
        is_number = value is None or isinstance(value, int)
        _require(is_number, f"the {field} of {name} must be an int or None", value)


def _require(is_valid: bool, rule: str, value: object) -> None:
    """Raise TypeError, with the rule and the value, unless the value is valid."""
    if not is_valid:
        raise TypeError(f"{rule}, got {value!r:.60}")


GAMES = Games()


def register(game: Game) -> None:
    """Add a game to the registry.

    Raises:
        TypeError: If it is no Game, or a part of it has the wrong type.
        ValueError: If a name is invalid or taken.
    """
    GAMES.register(game)


def game_of(position: Position) -> Game:
    """Return the game that a position belongs to.

    Raises:
        TypeError: If it is no position.
        ValueError: If it belongs to no registered game.
    """
    return GAMES.of(position)


def solver_of(position: Position, seconds: float | None = None) -> Solver | None:
    """Return a solver that follows the game from a position, None if its game has none.

    Args:
        position: The position to start from.
        seconds: The longest time to take, None for any.

    Raises:
        MemoryError: If the position is too large for this machine.
        TimeoutError: If it takes longer than `seconds`.
    """
    game = game_of(position)
    return game.solver(position, seconds) if game.solver else None
