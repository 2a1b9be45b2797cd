"""A game of Ren up to its middle, on the smallest preset: for pictures. Two bots of level 6 played it."""

ACTIONS = (
    "g7 e3 a6 f7 g6 f2 c3 a3 a4 f1 b3 e4 h6 f5 d5 g2 b5 e2 d8 c6 f8 g3 d2 f3 g2 g5 g4 b4 c4 c5 h7 b4 "
    "h3 e5 b2 f4 g5 h6 d3 h5"
)
