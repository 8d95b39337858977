"""Accuracy by perfect play, and the analysis of positions."""
