"""Organisers, and the processes of bots."""
