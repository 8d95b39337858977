"""Tests of the strong search of Isolation."""
