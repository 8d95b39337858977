"""Reports on a grid: text, JSON, CSV, and plots as a page or a picture."""
