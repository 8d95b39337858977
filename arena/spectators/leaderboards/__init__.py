"""Leaderboards of spectators, which a worker process keeps up to date."""
