"""The deadline for starting a game: komi, colours, and everybody's first turn."""

from dataclasses import dataclass

from kakomi.session.copies import changed
from kakomi.session.events import Entry
from kakomi.session.match import Match
from kakomi.session.spans import Span, joined, moment_after

LONGEST_START = 365 * 24 * 3600.0
"""Seconds."""


@dataclass(frozen=True)
class Start:
    """How long a table waits for who has to name a komi, choose a colour or take a first turn.

    No clock runs for these, so each has a limit of its own. It isn't kept for bots.
    """

    limit: float | None = None
    """Seconds for each of these decisions; None: there is no limit."""
    since: float = 0.0
    """When the site began to wait for the one that is wanted now."""
    acted: frozenset[int] = frozenset()
    """The seats that have had a first turn in the game that is played."""
    outages: tuple[Span, ...] = ()
    """When the site was down, in order."""

    def is_awaited(self, match: Match) -> bool:
        """Whether a person's first decision is wanted."""
        seat = match.to_act
        if seat is None or match.seats[seat].is_bot:
            return False
        return match.phase != "play" or seat not in self.acted

    def deadline(self, match: Match) -> float | None:
        """The moment until which the site waits; None if no first decision is wanted."""
        if self.limit is None or not self.is_awaited(match):
            return None
        return moment_after(self.since, self.limit, self.outages)

    def is_everybody_in(self, match: Match) -> bool:
        """Whether all who are in the game have had a first turn, or it is a later game of the match."""
        gone = match.current_game.resigned_seats
        return len(match.games) > 1 or self.acted.issuperset(set(range(len(match.seats))) - set(gone))

    def after(self, before: Match, entry: Entry, match: Match) -> "Start":
        """The same after an entry."""
        if len(match.games) > len(before.games):
            return changed(self, since=entry.at, acted=frozenset())
        finished = entry.kind in ("play", "swap") and match.to_act != entry.seat
        acted = self.acted | {entry.seat} if finished and entry.seat is not None else self.acted
        is_next = (match.to_act, match.phase) != (before.to_act, before.phase)
        return changed(self, since=entry.at if is_next else self.since, acted=acted)

    def without(self, outage: Span) -> "Start":
        """The same when the site was down for a span: no time of it counts."""
        return changed(self, outages=tuple(joined(sorted((*self.outages, outage)))))
