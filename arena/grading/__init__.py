"""Grading of programs written for the assignment: build, run, mark, diagnose, report."""
