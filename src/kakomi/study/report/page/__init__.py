"""A report as a page: charts, boards, replayable games, and everything in one file."""
