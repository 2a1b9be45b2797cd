"""Board geometry: points with names, neighbours and places on a drawing, and symmetries."""

from kakomi.boards.geometry import EIGHT_AROUND, ORTHOGONAL, SIX_AROUND, Cell, Geometry
from kakomi.boards.hexagon import hexagon_board
from kakomi.boards.honeycomb import honeycomb_board
from kakomi.boards.square import letter_board, matrix_board
from kakomi.boards.symmetries import Place

__all__ = [
    "EIGHT_AROUND",
    "ORTHOGONAL",
    "SIX_AROUND",
    "Cell",
    "Geometry",
    "Place",
    "hexagon_board",
    "honeycomb_board",
    "letter_board",
    "matrix_board",
]
