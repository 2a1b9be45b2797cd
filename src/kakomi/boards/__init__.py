"""Geometry alone: points, their names, neighbours, places on a drawing, and symmetries."""

from kakomi.boards.geometry import Geometry
from kakomi.boards.square import letter_board, matrix_board

__all__ = ["Geometry", "letter_board", "matrix_board"]
