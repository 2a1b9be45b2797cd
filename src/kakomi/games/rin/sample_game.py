"""A game of Rin up to its middle, on the smallest preset: for pictures. Two bots of level 6 played it."""

ACTIONS = (
    "5,7 3,3 4,3 5,3 6,4 4,4 6,2 0,5 5,1 4,1 6,1 5,5 3,5 5,0 5,2 2,3 4,2 3,4 3,2 6,6 7,5 4,6 2,2 4,7 "
    "3,6 4,5 3,7 5,6 6,3 5,4 1,3 0,6 2,4 1,2 2,7 1,7 1,5 2,6 2,5 1,4 0,4 7,2 7,3 3,0 2,0 3,1"
)
