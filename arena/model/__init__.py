"""Value types that describe matches: results, time control, clock, timestamps, observer."""
