"""A match: people and bots, one game or several, and all that has happened."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.session.event import Event
from kakomi.session.exceptions import Refused
from kakomi.session.match_config import MatchConfig
from kakomi.session.match_game import MatchGame, Phase, Result
from kakomi.session.seat import Seat

VERSION = 1
"""Of the data that `to_json` writes."""


@dataclass(frozen=True, eq=False)
class Match:
    """A match as it stands. Immutable: an event gives the next `Match`, which knows this one as `before`."""

    terms: MatchConfig
    seats: tuple[Seat, ...]
    legs: tuple[MatchGame, ...]
    """The games, finished ones first; the last is the one being played."""
    last: Event | None = None
    before: "Match | None" = None

    @staticmethod
    def begun(terms: MatchConfig, seats: Collection[Seat]) -> "Match":
        """A match in which nothing has happened. Raises Refused if there are too few seats or too many."""
        if len(seats) != terms.game.players:
            title = terms.game.description.title
            raise Refused(f"{title} needs {terms.game.players} seats here, not {len(seats)}")
        return Match(terms, tuple(seats), (MatchGame.begun(terms, terms.first),))

    @property
    def leg(self) -> MatchGame:
        """The game being played, or the last one."""
        return self.legs[-1]

    @property
    def position(self) -> Position:
        """The position of the game being played."""
        return self.leg.position

    @property
    def phase(self) -> Phase:
        """What is wanted next."""
        return self.leg.phase

    @property
    def to_act(self) -> int | None:
        """The seat that something is wanted of; None when the match is over."""
        return self.leg.to_act

    @property
    def is_over(self) -> bool:
        """Whether all games have been played."""
        return self.leg.is_over

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened."""
        return tuple(match.last for match in reversed(list(self._back())) if match.last)

    def name_komi(self, seat: int, komi: int, *, seconds: float | None = None) -> "Match":
        """The first player names the komi (RULES L5)."""
        return self.carry_out(Event(seat, "komi", komi, seconds))

    def choose_player(self, seat: int, player: int, *, seconds: float | None = None) -> "Match":
        """The second player chooses a colour (RULES L5)."""
        return self.carry_out(Event(seat, "colour", player, seconds))

    def swap(self, seat: int, *, seconds: float | None = None) -> "Match":
        """The second player takes over the first turn's stones."""
        return self.carry_out(Event(seat, "swap", None, seconds))

    def play(self, seat: int, text: str, *, seconds: float | None = None) -> "Match":
        """A seat plays an action, or several of a turn with spaces between them.

        Raises Refused if it isn't this seat's turn, IllegalAction if the rules forbid it.
        """
        return self.carry_out(Event(seat, "play", text, seconds))

    def resign(self, seat: int, *, seconds: float | None = None) -> "Match":
        """A seat gives up the game being played (RULES G8, N11)."""
        return self.carry_out(Event(seat, "resign", None, seconds))

    def carry_out(self, event: Event) -> "Match":
        """The match after an event. Raises Refused, or IllegalAction for an action the rules forbid."""
        leg, seat, value = self.leg, event.seat, event.value
        match event.kind:
            case "komi":
                leg = leg.name_komi(seat, int(value or 0))
            case "colour":
                leg = leg.choose_player(seat, int(value or 0))
            case "swap":
                leg = leg.swap(seat)
            case "play":
                leg = leg.play(seat, str(value))
            case "resign":
                leg = leg.resign(seat)
            case "flag":
                leg = leg.resign(seat, on_time=True)
            case "draw":
                leg = leg.agree_draw(seat)
        return Match(self.terms, self.seats, (*self.legs[:-1], leg, *self._next_leg(leg)), event, self)

    def taken_back(self, seats: Collection[int]) -> "Match":
        """The match before the last thing that any of these seats did. Raises Refused if they did nothing."""
        for match in self._back():
            if match.last and match.last.seat in seats and match.before:
                return match.before
        raise Refused(lazy_message("there is nothing to take back"))

    def results(self) -> tuple[Result, ...]:
        """How the finished games ended."""
        return tuple(leg.result() for leg in self.legs if leg.is_over)

    def points(self, legs: Sequence[MatchGame] | None = None) -> tuple[float, ...]:
        """What each seat scored in some games together, by default in all finished ones (RULES N11)."""
        finished = [leg for leg in (self.legs if legs is None else legs) if leg.is_over]
        scored = [leg.result().points for leg in finished] + [self.terms.brought or (0.0,) * len(self.seats)]
        return tuple(math.fsum(points[seat] for points in scored) for seat in range(len(self.seats)))

    def winners(self) -> tuple[int, ...]:
        """The seats that won, or share the win. Raises Refused while the match goes on."""
        if not self.is_over:
            raise Refused(lazy_message("the match isn't over yet"))
        if self.terms.legs == 1:
            return self.leg.result().winners
        points = self.points()
        return tuple(seat for seat, total in enumerate(points) if total == max(points))

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold: terms, seats and events, from which everything follows."""
        return {
            "kakomi_match": VERSION,
            "terms": self.terms.to_json(),
            "seats": [seat.to_json() for seat in self.seats],
            "events": [event.to_json() for event in self.events],
        }

    @staticmethod
    def from_json(data: Any) -> "Match":
        """A match from data. Raises Refused, naming the first thing in it that can't be."""
        if not isinstance(data, Mapping) or data.get("kakomi_match") != VERSION:
            raise Refused(f"this isn't a match of version {VERSION}")
        seats, events = data.get("seats"), data.get("events")
        if not isinstance(seats, list) or not isinstance(events, list):
            raise Refused("a match should have lists of 'seats' and 'events'")
        match = Match.begun(
            MatchConfig.from_json(data.get("terms")), [Seat.from_json(seat) for seat in seats]
        )
        for number, event in enumerate(events, 1):
            try:
                match = match.carry_out(Event.from_json(event))
            except ValueError as error:
                raise Refused(f"event {number}: {error}") from None
        return match

    def __reduce__(self) -> tuple[Any, ...]:
        return Match.from_json, (self.to_json(),)

    def _next_leg(self, leg: MatchGame) -> tuple[MatchGame, ...]:
        """The next game, its first player the next seat round (RULES N11), if there is another to play."""
        if not leg.is_over or self.terms.played + len(self.legs) == self.terms.legs:
            return ()
        return (MatchGame.begun(self.terms, (leg.first + 1) % len(self.seats)),)

    def _back(self) -> Iterator["Match"]:
        match: Match | None = self
        while match:
            yield match
            match = match.before
