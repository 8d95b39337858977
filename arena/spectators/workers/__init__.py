"""Processes that work for spectators, and the queues of the questions for them."""
