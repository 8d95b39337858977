"""Arenas, bots and event loops that are simulated or fuzzed."""
