"""Bots that play in the arena, as a stranger's would: over a WebSocket."""
