"""Standings, progress and events as text, JSON and HTML."""
