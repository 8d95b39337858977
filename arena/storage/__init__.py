"""Files: the database, formats of exported records, tokens."""
