"""Runs on workers: batches, bots, clusters and sweeps."""
