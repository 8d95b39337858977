"""Live updates and answers for spectators."""
