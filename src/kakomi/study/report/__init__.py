"""Reports: statistics of a game from many played games, each number with its interval (docs/reports.md)."""
