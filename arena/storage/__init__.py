"""The database, and the formats that its records are exported to."""
