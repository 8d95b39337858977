"""The commands of the arena, each imported only when it is run."""
