"""Matchmaking and challenges among connected players."""
