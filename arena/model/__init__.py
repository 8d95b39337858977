"""Value types that the arena shares: results, time control, clock, addresses, observer."""
