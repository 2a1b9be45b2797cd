"""The rules of the games, as pages with examples in which the reader makes the move."""
