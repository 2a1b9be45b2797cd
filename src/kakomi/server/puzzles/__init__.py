"""Puzzles: three a day, each answered once by a person, and rated like a player."""
