"""Playing strength: matches between two builds, and figures measured on games."""
