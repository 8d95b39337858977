"""A server that referees matches between bots, and the tournaments on it."""
