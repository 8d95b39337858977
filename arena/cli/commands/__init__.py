"""Commands of the arena, each imported only when it runs."""
