"""Reports: what is known about a game from many games of it, every number with its interval
(docs/reports.md)."""
