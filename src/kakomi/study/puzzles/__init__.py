"""Puzzles: positions with a proven win that a bot of some level misses.

`puzzle` is one, and files of them; `finder` finds them in games (`sources`), by `turns`; `proof` proves them.
"""
