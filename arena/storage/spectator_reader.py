"""Database reader for the questions of spectators about matches."""

from arena.storage.bot_reader import BotReader
from arena.storage.continuation_reader import ContinuationReader
from arena.storage.puzzle_reader import PuzzleReader


class SpectatorReader(ContinuationReader, PuzzleReader, BotReader):
    """Read access to matches and sums of them, over one connection to the database."""
