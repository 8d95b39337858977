"""Benchmarks: `python -m bench.search`, `bench.arena.*` and `bench.play.*`."""
