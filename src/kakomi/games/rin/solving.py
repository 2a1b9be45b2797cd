"""Rin for a solver: values depend on who is to move and for how many stones, and on no side of the board."""

NUMBERS = (1, 2)
