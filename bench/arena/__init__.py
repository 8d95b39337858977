"""Throughput of the arena under load, with simulated bots and spectators."""
