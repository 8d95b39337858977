"""Submissions, their grades, and programs in sandboxes."""
