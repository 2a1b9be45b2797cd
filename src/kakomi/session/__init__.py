"""Matches of games: seats, komi, colours, resignation, clocks, offers and takebacks.

Nothing here knows of a terminal, a web site or a database. A `Match` is immutable; every operation
returns the next one or raises `Refused`, saying why. A `Table` is a match with clocks and offers round it,
and follows from a log of entries. A `Plan` is a seat's answers to what others
may play. `kakomi.session.record` turns a game of a match into a record and back.
"""

from kakomi.session.clock import Clock
from kakomi.session.events import Entry, Event
from kakomi.session.exceptions import Refused
from kakomi.session.match import Ending, Match, Offer, act_for_bot
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.match_game import Leaver, MatchGame, Phase, Reason, Result
from kakomi.session.plan_progress import PlanEnd, Progress, follow
from kakomi.session.plans import Branch, Plan
from kakomi.session.rests import Calendar
from kakomi.session.table import Table
from kakomi.session.time_control import Pace, TimeControl

__all__ = [
    "Branch",
    "Calendar",
    "Clock",
    "Ending",
    "Entry",
    "Event",
    "Leaver",
    "Match",
    "MatchConfig",
    "MatchGame",
    "Offer",
    "Pace",
    "Phase",
    "Plan",
    "PlanEnd",
    "Progress",
    "Reason",
    "Refused",
    "Result",
    "Seat",
    "Table",
    "TimeControl",
    "act_for_bot",
    "follow",
]
