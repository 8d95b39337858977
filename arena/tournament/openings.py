"""What the matches of a tournament begin with. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from core import GAMES
from core.game import Game


class Opening(NamedTuple):
    """A setup, and the moves that are made on it before the players take over."""

    setup: Mapping[str, int]
    moves: tuple[int, ...]


def draw(game: str, setup: Mapping[str, int], plies: int, random: Random) -> Opening:
    """Random legal moves that leave at least one; fewer if they lead where there is none."""
    position = GAMES[game].position(**setup)
    for _ in range(plies):
        moves = position.legal_moves()
        random.shuffle(moves)
        for move in moves:
            position.take(move)
            if not position.is_over:
                break
            position.undo()
        else:
            break
    return Opening(setup, tuple(position.taken))


def read_book(game: str, lines: Iterable[str]) -> list[Opening]:
    """The openings in a book: one a line, the setup as NAME=NUMBER, then the moves.

    Empty lines and what follows a # are passed over. Raises ValueError, with the number of the
    line, for one that is no opening in the game or leaves no legal move.
    """
    book = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                book.append(_opening(GAMES[game], words))
            except (ValueError, MemoryError) as error:
                raise ValueError(f"line {number}: {error}") from None
    if not book:
        raise ValueError("it has no opening")
    return book


def _opening(game: Game, words: Sequence[str]) -> Opening:
    setup = {}
    moves = []
    for word in words:
        name, equals, value = word.rpartition("=")
        if not (value.isascii() and value.isdigit()):
            raise ValueError(f"{word!r} is neither a move nor NAME=NUMBER")
        if not equals:
            moves.append(int(value))
        elif name not in game.parameters or name in setup:
            known = " and ".join(game.parameters) or "nothing"
            raise ValueError(f"{word!r}: {game.name} is set up by {known}, once")
        elif int(value) < (least := game.parameters[name].minimum):
            raise ValueError(f"{name} must be at least {least}, not {value}")
        else:
            setup[name] = int(value)
    if missing := [name for name in game.parameters if name not in setup]:
        raise ValueError(f"it does not say {missing[0]}=NUMBER")
    if game.position(**setup, taken=moves).is_over:
        raise ValueError("it leaves no legal move")
    return Opening(setup, tuple(moves))
