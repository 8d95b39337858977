"""Bots that play in the arena over a WebSocket, as any external bot does."""
