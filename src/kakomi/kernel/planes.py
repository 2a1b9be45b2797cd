"""Planes of numbers over the points of a board, which observations are made of.

`spots` says where the points lie on a plane, ascending: if there are no other spots, it says nothing.
"""


def fill_plane(plane, value):
    """Write a number, or a truth value into a mask, everywhere."""
    for spot in range(len(plane)):
        plane[spot] = value


def mark_players(board, spots, stones, first, planes):
    """Write 1 at a player's stones and 0 elsewhere, on a plane for each, from the first in turn order."""
    for k in range(board.players):
        player = first + k if first + k < board.players else first + k - board.players
        mark_points(board, spots, stones, player, planes[k])


def mark_points(board, spots, held, value, plane):
    """Write 1 at every point of which `held` holds a value, and 0 at the others."""
    if len(plane) == board.points:
        for point in range(board.points):
            plane[point] = held[point] == value
    else:
        for point in range(board.points):
            plane[spots[point]] = held[point] == value
