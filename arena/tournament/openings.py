"""Openings of matches: random ones and an opening book's."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from core import GAMES
from core.game import Game


class Opening(NamedTuple):
    """A setup of a game, and the moves made on it before the players take over."""

    setup: Mapping[str, int]
    moves: tuple[int, ...]


def random_opening(game: str, setup: Mapping[str, int], plies: int, random: Random) -> Opening:
    """Draw an opening of random legal moves after which the game is not over.

    Args:
        game: Name of the game.
        setup: Setup of the game.
        plies: Number of moves; the opening is shorter where every continuation ends the game.
        random: Source of randomness.
    """
    position = GAMES[game].position(**setup)
    for _ in range(plies):
        moves = position.legal_moves()
        random.shuffle(moves)
        for move in moves:
            position.play(move)
            if not position.is_over:
                break
            position.undo()
        else:
            break
    return Opening(setup, tuple(position.moves))


def read_book(game: str, lines: Iterable[str]) -> list[Opening]:
    """Read an opening book.

    Args:
        game: Name of the game.
        lines: Lines with an opening each: the setup as NAME=NUMBER, then the moves. Empty lines
            and comments, from a # to the end of the line, are ignored.

    Raises:
        ValueError: If a line is not a valid opening or ends the game, with the line's number, or
            if there are no openings.
    """
    book = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if words:
            try:
                book.append(_parse_opening(GAMES[game], words))
            except (ValueError, MemoryError) as error:
                raise ValueError(f"line {number}: {error}") from None
    if not book:
        raise ValueError("no openings found")
    return book


def _parse_opening(game: Game, words: Sequence[str]) -> Opening:
    setup: dict[str, int] = {}
    moves = []
    for word in words:
        name, equals, value = word.rpartition("=")
        if not (value.isascii() and value.isdigit()):
            raise ValueError(f"expected a move or NAME=NUMBER, got {word!r}")
        if equals:
            _check_parameter(game, setup, name, int(value))
            setup[name] = int(value)
        else:
            moves.append(int(value))
    setup = game.completed(setup)
    if missing := [name for name in game.parameters if name not in setup]:
        raise ValueError(f"missing parameter {missing[0]}=NUMBER")
    if game.position(**setup, moves=moves).is_over:
        raise ValueError("no legal move after the opening")
    return Opening(setup, tuple(moves))


def _check_parameter(game: Game, setup: Mapping[str, int], name: str, value: int) -> None:
    if name not in game.parameters:
        known = f"choose from {', '.join(game.parameters)}" if game.parameters else "it has none"
        raise ValueError(f"unknown parameter {name!r} of {game.name} ({known})")
    if name in setup:
        raise ValueError(f"duplicate parameter {name!r}")
    if limit := game.parameters[name].broken_limit(value):
        raise ValueError(f"{name} must be {limit}, got {value}")
