"""What somebody plays who learned the rules five minutes ago: the measure of the lowest level."""

from kakomi.bots.bot import RandomBot
from kakomi.core import Position


class BeginnerBot(RandomBot):
    """Takes what captures or scores most now, else plays at random."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, "beginner")

    def _eligible(self, position: Position) -> list[int]:
        """The actions after which the player is furthest ahead."""
        legal = position.legal_actions()
        leads = [_lead(position.play_action(action), position.to_move) for action in legal]
        return [action for action, lead in zip(legal, leads, strict=True) if lead == max(leads)]


def _lead(position: Position, player: int) -> float:
    """By how many points a player is ahead of the best of the others."""
    scores = list(position.scores())
    own = scores.pop(player)
    return float(own - max(scores))
