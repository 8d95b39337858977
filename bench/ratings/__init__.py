"""Statistics of ratings: error rates of tests and coverage of intervals, by simulation."""
