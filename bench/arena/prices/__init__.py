"""The price of each message and request, against the processor time that it takes at its worst."""
