"""Live updates and replies for spectators."""
