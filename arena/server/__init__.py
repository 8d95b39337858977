"""The WebSocket server: connections, admission, matches, metrics."""
