"""Backup: each player's gain from a simulation, and its propagation up the tree.

A gain is a player's share of the win, from 0 to 1; the gains of all players sum to 1.
`kakomi.core.returns.return_of` converts a mean gain to a return.
"""

from kakomi.kernel.atomic import add
from kakomi.search.tree import DRAWN, NO_CHILDREN, NOBODY


def set_winner_gains(gains, players, winner):
    """Write the gains for a known winner, or for a draw between two players (`DRAWN`)."""
    for player in range(players):
        gains[player] = 0.0
        if winner == DRAWN:
            gains[player] = 0.5
    if winner != DRAWN:
        gains[winner] = 1.0


def scores_to_gains(gains, players, config):
    """Turn scores into gains, in place. Return the sole winner, `DRAWN` if two players draw, else `NOBODY`.

    `config.margin` mixes in the player's margin, scaled to 0 to 1, where 0.5 means level scores.
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
    """Add a simulation's gains, float64 [players], to the sums of the nodes `path[: depth + 1]`."""
    for i in range(depth + 1):
        for player in range(players):
            add(sums[path[i]], player, gains[player])


def update_amaf(nodes, path, depth, gains, last_played, start):
    """Count the simulation for every child along the path whose action its player played later (AMAF).

    `start` is the clock when the simulation began. Threads may overwrite each other's updates here; losing
    one does no harm.
    """
    for i in range(depth + 1):
        first = nodes[path[i]].first_child
        if first <= NO_CHILDREN:
            return
        player = nodes[first].player
        gain = gains[player]
        for child in range(first, first + nodes[path[i]].children):
            if last_played[player, nodes[child].action] >= start + i:
                nodes[child].amaf_visits += 1
                nodes[child].amaf_gains += gain


def prove_up(nodes, path, depth, winner):
    """Set the proven winner at the end of a path, and at its ancestors as far as that proves them too."""
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
    """Return the proven result of a node whose chooser wins with no child; `NOBODY` if it isn't proven.

    With three or more players, the chooser may be left to decide which opponent wins. That proves nothing.
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
