"""AsyncAPI 3.0 document of the protocols of players and of spectators."""
