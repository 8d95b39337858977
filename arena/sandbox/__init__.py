"""Sandbox for programs that are not trusted: namespaces, limits, and a certain end."""
