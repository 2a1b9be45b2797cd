"""Planes of numbers over the points of a board, which observations are made of.

`spots` says where the points lie on a plane, ascending: if there are no other spots, it says nothing.
"""


def fill_plane(plane, value):
    """Write a number, or a truth value into a mask, everywhere."""
    for spot in range(len(plane)):
        plane[spot] = value


def mark_players(board, spots, stones, first, planes):
    """Write 1 at a player's stones and 0 elsewhere, on a plane for each, from the first in turn order."""
    points = board.points
    players = board.players
    player = first
    for k in range(players):
        plane = planes[k]
        if len(plane) == points:
            _mark_all(points, stones, player, plane)
        else:
            _mark_spots(points, spots, stones, player, plane)
        player += 1
        if player == players:
            player = 0


def mark_points(board, spots, held, value, plane):
    """Write 1 at every point of which `held` holds a value, and 0 at the others."""
    points = board.points
    if len(plane) == points:
        _mark_all(points, held, value, plane)
    else:
        _mark_spots(points, spots, held, value, plane)


# Loops of their own, one call below the choice between them: inside of other loops, or a call deeper, the
# compiler made code for them that took three times as long.


def _mark_all(points, held, value, plane):
    for point in range(points):
        plane[point] = held[point] == value


def _mark_spots(points, spots, held, value, plane):
    for point in range(points):
        plane[spots[point]] = held[point] == value
