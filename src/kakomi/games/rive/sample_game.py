"""A game of Rive up to its middle, on the smallest preset: for pictures. Two bots of level 6 played it."""

ACTIONS = "c4 c6 a3 g4 a1 d1 e4 g1 e6 d3 b3 xc4 d6 xc6 b5 d2 xd1 g2 b1 f4 xe4 g3 xf4 xg4 e4 b4"
