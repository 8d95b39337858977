"""Speed of the compiled search and of the solver, as ratios to C and C++ in the same run."""
