"""A short game in which a won position is given away."""

from kakomi.analysis import PositionLimits

TURNS = """d3 / b3 / c5 / d1 / a1 / c4 xd3 xc5 e3 / e1 / b1 / e2 xd1 c3 / c1 / b2 xc1 xb1 xb3 a3 / c1 / d1 xc1
b3 xc3 c1 / d2 / c5 / d3 xe2 xc5 xa1 xc1 xa3 xe1 b1 / b4 / c3 / a3 / c2 / a1 / e2 / a2 / d4 / e1 /
c1 / c5"""
BLUNDER = "13.3"
"""The move that a longer search with any seed calls a blunder."""
EFFORT = PositionLimits(simulations=400, seed=3)
TURNS_ANALYSED = range(11, 16)
