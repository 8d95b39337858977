"""Measures the compiled search against references in the same run: `python -m bench`."""
