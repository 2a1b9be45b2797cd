"""Reports, measures of staff, appeals, and the log of who did what, and why."""
