"""Puzzles: three a day, matched to the person's strength. Each person can answer each puzzle once."""
