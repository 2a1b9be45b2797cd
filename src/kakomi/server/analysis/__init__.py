"""Studies, engine analysis of positions and games, and the coach at a table."""
