"""Runs on workers: batches, bots, clusters and grids."""
