"""Conformance tests: of bots, played by a scripted referee, and of games, on random games."""
