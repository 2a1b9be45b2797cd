"""Backup: the gains of a simulation for each player, and their way up the tree.

A gain is a player's share of the win, from 0 to 1; the gains of all add up to 1. It is a chance of
`kakomi.core.returns`, which makes a return of it.
"""

from kakomi.kernel.atomic import add
from kakomi.search.tree import DRAWN, NO_CHILDREN, NOBODY


def give_all(gains, players, winner):
    """Gains when a player, or nobody (`DRAWN`, two players), is known to win."""
    for player in range(players):
        gains[player] = 0.0
        if winner == DRAWN:
            gains[player] = 0.5
    if winner != DRAWN:
        gains[winner] = 1.0


def weigh(gains, players, config):
    """Turn scores into gains, in place; who wins alone, `DRAWN` if two players draw, else `NOBODY`.

    As far as the config says a player's margin counts too, from 0 to 1 with 0.5 for level scores.
    """
    best = gains[0]
    second = -1e18
    winners = 1
    winner = 0
    for player in range(1, players):
        score = gains[player]
        if score > best:
            second, best, winners, winner = best, score, 1, player
        elif score == best:
            second, winners = best, winners + 1
        else:
            second = max(second, score)
    for player in range(players):
        score = gains[player]
        share = 1.0 / winners if score == best else 0.0
        lead = score - second if score == best else score - best
        margin = 0.5 + 0.5 * lead / (config.margin_scale + abs(lead))
        gains[player] = share + config.margin * (margin - share)
    if winners == 1:
        return winner
    return DRAWN if players == 2 else NOBODY


def back_up(sums, path, depth, gains, players):
    """Add a simulation's gains (players,) to the sums of the nodes path[: depth + 1]."""
    for i in range(depth + 1):
        for player in range(players):
            add(sums[path[i]], player, gains[player])


def share_sightings(nodes, path, depth, gains, last_played, start):
    """Count the simulation for every action beside the line that its player played later (AMAF).

    Threads may overwrite each other here: these are hints, and a lost one does no harm.
    `start` is the clock at which the simulation began.
    """
    for i in range(depth + 1):
        first = nodes[path[i]].first_child
        if first <= NO_CHILDREN:
            return
        player = nodes[first].player
        gain = gains[player]
        for child in range(first, first + nodes[path[i]].children):
            if last_played[player, nodes[child].action] >= start + i:
                nodes[child].sightings += 1
                nodes[child].sighted_gains += gain


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
    """The result for a player who wins with none of the actions; `NOBODY` while one of them is open.

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
