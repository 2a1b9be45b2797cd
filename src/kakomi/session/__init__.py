"""Matches of games: seats, komi, colours, resignation, clocks, offers and takebacks.

The package doesn't depend on a terminal, a web site or a database. A `Match` is immutable; every operation
returns the next one or raises `Refused` with the reason. A `Table` adds clocks and offers to a match, and is
determined by its log of entries. A `Plan` holds a seat's answers to the possible turns of others.
`kakomi.session.record` converts a game of a match to a record and back.
"""

from kakomi.session.clock import Clock
from kakomi.session.events import Entry, Event
from kakomi.session.exceptions import Refused
from kakomi.session.match import Ending, Match, Offer, act_for_bot
from kakomi.session.match_config import MatchConfig, Seat, UsualTerms, usual_terms
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
    "UsualTerms",
    "act_for_bot",
    "follow",
    "usual_terms",
]
