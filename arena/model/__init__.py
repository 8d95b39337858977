"""Values that describe matches: results, clocks, and the observer interface."""
