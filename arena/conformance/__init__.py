"""The conformance test of bots: its items and their steps."""
