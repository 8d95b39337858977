"""Command line of the arena: arguments, configuration, and steps shared by commands."""
