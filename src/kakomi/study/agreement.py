"""Whether somebody plays what the highest level plays: which actions of a game are asked for, and the answer.

A turn is told by its first action. Some say nothing and are left out: the opening, where many play alike; an
action that was the only one; positions that are decided, or in which one action alone comes into question.
"""

from kakomi.core import Game
from kakomi.core.level_config import LEVELS, Adviser
from kakomi.records import Record
from kakomi.search import Report
from kakomi.study.analysis import Ply, PositionLimits, plies
from kakomi.study.analysis.searches import Question, seed_of

OPENING = 4
"""Turns of a game, of all players together, that are not looked at."""
MOST_TURNS = 16
"""Turns of a player's game that are looked at, spread evenly over it: each costs a search of level 10."""
LINES = 20
"""Actions of a search that are looked at, the best ones."""
SENSIBLE = 0.1
"""So much less of the win than the best action may be promised by another one that comes into question."""
EQUAL = 0.005
"""An action that loses less is as good: searches tell no finer."""
SEARCHED = 0.05
"""The share of the best action's visits without which an action was hardly looked at."""
OPEN = (0.03, 0.97)
"""Between these chances of the player a game is undecided."""


def plies_to_compare(record: Record, game: Game, player: int) -> list[Ply]:
    """The first actions of a player's turns to ask for, `MOST_TURNS` at most.

    Raises IllegalAction, unless the record has been checked.
    """
    found = [
        ply
        for ply in plies(record, game)
        if ply.player == player and ply.place == 1 and ply.turn > OPENING and not ply.is_forced
    ]
    step = max(1.0, len(found) / MOST_TURNS)
    return [found[int(number * step)] for number in range(min(len(found), MOST_TURNS))]


def limits_of(game: Game) -> PositionLimits:
    """What level 10 searches for an action. Raises ValueError if it doesn't just play the best it finds."""
    level = game.description.levels[LEVELS - 1]
    if level.temperature or level.adviser is not Adviser.PRIOR:
        raise ValueError(f"level 10 of {game.name} is no plain search")
    return PositionLimits(simulations=level.simulations)


def seed_for(ply: Ply) -> int:
    """The seed of the search of an action's position: asked again, the answer is the same."""
    return seed_of(limits_of(ply.before.game), Question(ply.before))


def agrees(report: Report, action: int) -> bool | None:
    """Whether an action is what level 10 plays by its search, or loses nothing against that.

    None where the position says nothing.
    """
    if report.is_proven or not report.lines:
        return None
    best, player = report.lines[0], report.to_move
    chance = best.chances[player]
    if best.wins or best.loses or not OPEN[0] < chance < OPEN[1]:
        return None
    searched = [line for line in report.lines[:LINES] if line.visits >= SEARCHED * best.visits]
    if sum(line.chances[player] > chance - SENSIBLE for line in searched) < 2:
        return None
    good = (line.action for line in searched if line is best or line.chances[player] > chance - EQUAL)
    return action in good
