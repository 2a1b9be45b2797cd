"""What happens round a game: seats, komi, colours, matches, resignation and takebacks.

Nothing here knows of a terminal, a web site or a database. A `Match` is immutable; every operation
returns the next one or raises `Refused`, saying why. `kakomi.session.record` turns a game of a match
into a record and back.
"""

from kakomi.session.bot_seat import act_for_bot
from kakomi.session.event import Event
from kakomi.session.leg import Leg, Phase, Result
from kakomi.session.match import Match
from kakomi.session.refused import Refused
from kakomi.session.seat import Seat
from kakomi.session.terms import Terms

__all__ = ["Event", "Leg", "Match", "Phase", "Refused", "Result", "Seat", "Terms", "act_for_bot"]
