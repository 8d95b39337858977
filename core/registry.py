"""The registry of games: ours, and those of installed packages.

A package adds a game through the entry-point group `take_stones_arena.games`: an entry point's
value names a Game. The packages are looked up when a game is asked for that is not known yet, or
when all games are listed.
"""

from collections.abc import Iterator, MutableMapping

from core.game import Game, Position, Solver

GROUP = "take_stones_arena.games"


class Games(MutableMapping[str, Game]):
    """The registered games by name, ours first."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}
        self._has_loaded = False

    def __getitem__(self, name: str) -> Game:
        if name not in self._games:
            self._load()
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

    def _load(self) -> None:
        """Register the games of installed packages, once."""
        if self._has_loaded:
            return
        self._has_loaded = True
        from importlib.metadata import entry_points  # slow, and most runs play our games

        for entry in entry_points(group=GROUP):
            register(entry.load())


GAMES = Games()


def register(game: Game) -> None:
    """Add a game to the registry.

    Raises:
        ValueError: If a game of that name is registered already.
    """
    if game.name in GAMES._games:
        raise ValueError(f"a game named {game.name!r} is registered already")
    GAMES[game.name] = game


def game_of(position: Position) -> Game:
    """Return the game that a position belongs to.

    Raises:
        ValueError: If it belongs to no registered game.
    """
    for game in GAMES._games.values():
        if isinstance(position, game.board):
            return game
    raise ValueError(f"{type(position).__name__} is the position of no registered game")


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
