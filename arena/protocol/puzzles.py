"""Puzzles of /watch: the question `find_puzzle` and its answer."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from arena.protocol.requests import Player, RequestId

Level = Annotated[int, Meta(ge=1, le=3)]


class FindPuzzle(Struct, frozen=True, tag="find_puzzle", tag_field="type"):
    """A request for a position of a stored match in which few moves win.

    With a `match` the position after `ply` of its moves; else with a `seed` a random one, of a
    `level` if that is given; else that of the day.
    """

    request: RequestId
    match: int | None = None
    ply: Annotated[int, Meta(ge=0)] = 0
    seed: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    level: Level | None = None


class PuzzleInfo(Struct, frozen=True, tag="puzzle", tag_field="type"):
    """A puzzle: the position after `moves` of a match, the opening included.

    Attributes:
        request: The number of the question.
        match: The id of the match.
        players: The players of the match.
        game: The name of its game.
        setup: Its setup.
        moves: The moves before the position.
        player: The player to move, 1 or 2.
        legal_moves: The legal moves, ascending.
        winning_moves: The moves that win under perfect play, ascending.
        played: The move of the match in this position.
        plies_left: The number of moves of the match from this position on, `played` included.
        misleads: Whether a shallow alpha-beta search chooses a losing move; None without one.
        level: The difficulty, from 1 to 3.
        day: The day (UTC) of a puzzle of the day, as 2026-11-23; else None.
    """

    request: int
    match: int
    players: tuple[str, str]
    game: str
    setup: Mapping[str, int]
    moves: Sequence[int]
    player: Player
    legal_moves: Sequence[int]
    winning_moves: Sequence[int]
    played: int
    plies_left: int
    misleads: bool | None
    level: Level
    day: str | None = None
