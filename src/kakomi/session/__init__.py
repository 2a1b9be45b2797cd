"""Matches of games: seats, komi, colours, resignation, clocks, offers and takebacks.

Nothing here knows of a terminal, a web site or a database. A `Match` is immutable; every operation
returns the next one or raises `Refused`, saying why. A `Table` is a match with clocks and offers round it,
and follows from a log of entries. `kakomi.session.record` turns a game of a match into a record and back.
"""

from kakomi.session.clock import Clock, TimeControl
from kakomi.session.events import Entry, Event
from kakomi.session.exceptions import Refused
from kakomi.session.match import Ending, Match, act_for_bot
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.match_game import MatchGame, Phase, Reason, Result
from kakomi.session.offers import Offer
from kakomi.session.table import Table

__all__ = [
    "Clock",
    "Ending",
    "Entry",
    "Event",
    "Match",
    "MatchConfig",
    "MatchGame",
    "Offer",
    "Phase",
    "Reason",
    "Refused",
    "Result",
    "Seat",
    "Table",
    "TimeControl",
    "act_for_bot",
]
