"""Benchmark of `arena grade`: many submissions on this machine."""
