"""A contest between bots, and its report, for `kakomi match`."""
