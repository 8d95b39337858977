"""What is kept in files: the database, exported records, tokens."""
