"""Tournaments of submissions: flags, participants, size, pseudonyms."""
