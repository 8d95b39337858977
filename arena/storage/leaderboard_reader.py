"""Database reader for leaderboards, their plots and the results of one bot."""

from arena.storage.bot_reader import BotReader
from arena.storage.plot_reader import PlotReader


class LeaderboardReader(PlotReader, BotReader):
    """Read access to all rated results, over one connection to the database."""
