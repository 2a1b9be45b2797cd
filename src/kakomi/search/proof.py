"""Proven results carried up the tree."""

from kakomi.search.tree import DRAWN, NOBODY


def prove_up(nodes, path, depth, winner):
    """Note who wins at the end of a path, and at the nodes before it as far as that settles them."""
    nodes[path[depth]].winner = winner
    while depth > 0:
        player = nodes[path[depth]].player
        depth -= 1
        parent = path[depth]
        if winner != player:
            winner = _best_of_proven(nodes, parent)
        if winner == NOBODY or nodes[parent].winner != NOBODY:
            return
        nodes[parent].winner = winner


def _best_of_proven(nodes, parent):
    """What a player gets who wins with none of the actions; `NOBODY` while one of them is open.

    Of three players or more one may be left to choose who wins: that is no proof of anything.
    """
    drawn = False
    winner = NOBODY
    first = nodes[parent].first_child
    for child in range(first, first + nodes[parent].children):
        found = nodes[child].winner
        if found == NOBODY:
            return NOBODY
        if found == DRAWN:
            drawn = True
        elif winner == NOBODY:
            winner = found
        elif winner != found:
            return NOBODY
    return DRAWN if drawn else winner
