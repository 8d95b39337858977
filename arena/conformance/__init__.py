"""Conformance test of bots: its items, their scripts, and the referee that plays them."""
