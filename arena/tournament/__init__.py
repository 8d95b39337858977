"""Tournament plans, formats, schedules and standings."""
