"""Attacks on an arena, each beside honest matches: `python -m bench.arena.attacks`."""
