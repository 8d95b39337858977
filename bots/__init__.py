"""Bots that play in the arena over a WebSocket, as any external bot does."""
# This line tells the package from others of its name.
