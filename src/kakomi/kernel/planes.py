"""Planes of numbers over the points of a board, the parts of an observation.

`spots` is the index of each point within a plane, ascending. It isn't needed if a plane has no other spots.
"""


def fill_plane(plane, value):
    """Write a number, or a truth value in a mask, at every spot."""
    for spot in range(len(plane)):
        plane[spot] = value


def mark_players(board, spots, stones, first, kind, planes):
    """Write one plane per player, in turn order from player `first`: 1 at the player's stones of a kind and 0
    elsewhere. The stones of player p have the value p + `kind`."""
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


# Separate loops, exactly one call below the choice between them: inside other loops, or a call deeper, the
# compiled code took three times as long.


def _mark_all(points, held, value, plane):
    for point in range(points):
        plane[point] = held[point] == value


def _mark_spots(points, spots, held, value, plane):
    for point in range(points):
        plane[spots[point]] = held[point] == value
