"""Reports on a sweep: text, JSON, CSV, and plots as a page or a picture."""
