"""How often players throw away an exact result, by how many actions are left.

`critical` finds positions near the ends of games where an action can throw away what best play makes sure
of; `trial` asks bots there; `blunder_study` does both for many games, and `table` says what they come to.
`ending` says of a recorded game what its players threw away.
"""

from kakomi.study.blunders.blunder_study import BlunderStudy
from kakomi.study.blunders.critical import CriticalPosition, Examined, examined
from kakomi.study.blunders.ending import Choice, Ending, proved_ending
from kakomi.study.blunders.table import BlunderTable, Rate, Row
from kakomi.study.blunders.trial import Asked, GameTrial, try_game

__all__ = [
    "Asked",
    "BlunderStudy",
    "BlunderTable",
    "Choice",
    "CriticalPosition",
    "Ending",
    "Examined",
    "GameTrial",
    "Rate",
    "Row",
    "examined",
    "proved_ending",
    "try_game",
]
