"""A game of Rings up to its middle, on the smallest preset: for pictures. Two bots of level 6 played it."""

ACTIONS = (
    "I4 F9 H2 E8 I6 G9 H6 H8 D10 E6 F1 F7 K5 G7 xFG6 xHI7 H4 D8 xDE9 J5 G5 L6 C5 K7 xJK6 xHI5 F5 E2 "
    "G11 J7 D6 B5 A8 B7 I10 E4 xFG4 D4 xDE5 C9"
)
