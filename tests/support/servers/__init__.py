"""Servers, and clients of servers."""
