"""Sweeps on the command line: flags, plan, tables."""
