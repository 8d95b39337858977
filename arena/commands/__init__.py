"""The arena's commands, a module each."""
