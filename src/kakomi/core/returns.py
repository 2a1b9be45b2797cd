"""What a finished game gives each player (RULES, "Returns")."""


def share_returns(scores, players, out):
    """Write returns into `out` from final scores: the highest score wins, winners share, the sum is 0."""
    best = scores[0]
    for player in range(1, players):
        best = max(best, scores[player])
    winners = 0
    for player in range(players):
        if scores[player] == best:
            winners += 1
    for player in range(players):
        if scores[player] == best:
            out[player] = (players / winners - 1) / (players - 1)
        else:
            out[player] = -1 / (players - 1)
