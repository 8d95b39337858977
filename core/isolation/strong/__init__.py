"""The strong search of Isolation: principal variation search by territory."""
