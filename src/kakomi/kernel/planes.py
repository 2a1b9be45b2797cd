"""Planes of numbers over the points of a board, which observations are made of.

`spots` says where the points lie on a plane, ascending: if there are no other spots, it says nothing.
"""


def fill_plane(plane, value):
    """Write a number, or a truth value into a mask, everywhere."""
    for spot in range(len(plane)):
        plane[spot] = value


def mark_players(board, spots, stones, first, kind, planes):
    """Write 1 at a player's stones of a kind and 0 elsewhere, on a plane for each, from the first in turn
    order; the stones of player p are p + `kind`."""
    points = board.points
    players = board.players
    player = first
    for k in range(players):
        plane = planes[k]
        if len(plane) == points:
            _mark_all(points, stones, player + kind, plane)
        else:
            _mark_spots(points, spots, stones, player + kind, plane)
        player += 1
        if player == players:
            player = 0


# Loops of their own, one call below the choice between them: inside of other loops, or a call deeper, the
# compiler made code for them that took three times as long.


def _mark_all(points, held, value, plane):
    for point in range(points):
        plane[point] = held[point] == value


def _mark_spots(points, spots, held, value, plane):
    for point in range(points):
        plane[spots[point]] = held[point] == value
