"""Formats of a finished search; each module renders a `Run` under a title."""
