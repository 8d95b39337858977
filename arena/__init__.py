"""A server that referees matches between bots, and the tournaments on it."""
# This line tells the package from others of its name.
