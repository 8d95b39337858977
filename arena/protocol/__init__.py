"""Wire protocol: the messages as types, and their encoding as JSON."""
