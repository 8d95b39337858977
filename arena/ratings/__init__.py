"""Statistics of match results: Elo ratings and sequential tests."""
