"""Puzzles: three a day, matched to how strong somebody is, each answered once by a person."""
