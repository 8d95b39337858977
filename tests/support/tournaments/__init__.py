"""Plans, matches, records, databases and ratings."""
