"""First turns: how often a player begins with each, up to the symmetries of the board.

`classes` says which turns are alike, `trial` asks a player once, `opening_study` asks many times, `table`
says what the answers come to, `board_map` where the first stones went, and `exact` what first turns are
worth under best play.
"""

from kakomi.study.openings.board_map import OpeningMap, drawn_map, opening_map
from kakomi.study.openings.classes import TurnClass, TurnClasses
from kakomi.study.openings.exact import exact_margins
from kakomi.study.openings.opening_study import OpeningStudy
from kakomi.study.openings.table import ExactShares, OpeningRow, OpeningTable, Reply
from kakomi.study.openings.trial import OpeningTrial, try_opening

__all__ = [
    "ExactShares",
    "OpeningMap",
    "OpeningRow",
    "OpeningStudy",
    "OpeningTable",
    "OpeningTrial",
    "Reply",
    "TurnClass",
    "TurnClasses",
    "drawn_map",
    "exact_margins",
    "opening_map",
    "try_opening",
]
