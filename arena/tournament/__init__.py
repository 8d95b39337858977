"""Plans, schedules and standings of tournaments."""
