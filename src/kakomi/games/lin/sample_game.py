"""A game of Lin up to its middle, on the smallest preset: for pictures. Two bots of level 6 played it."""

ACTIONS = (
    "b4 e5 g5 f1 i4 f5 h6 e2 e7 c8 e3 d3 f4 e9 a5 d7 g6 i6 a3 c2 d9 g4 h5 d6 d8 a6 d4 e4 b6 b8 c5 h3 "
    "h2 c1 h4 i3 c3 i1 b1 g3 b2 g1 f2 h1 f3 i2 g2"
)
