"""One match: its rules of play, without input or output."""
