"""What keeps the site fit to play at: reports, measures of staff, appeals, and a log of who did what and why."""
