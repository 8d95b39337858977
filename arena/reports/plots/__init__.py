"""Plots of a tournament for organisers: ratings, openings, lengths and times, as SVG."""

KINDS = ("rating", "openings", "lengths", "time")
