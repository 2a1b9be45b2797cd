"""A table at which a match is played: clocks, offers and takebacks round the match itself."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from kakomi.core.i18n import lazy_message
from kakomi.session.clock import Clock, TimeControl
from kakomi.session.events import OFFERS, Entry, Event, EventKind, OfferKind
from kakomi.session.exceptions import Refused
from kakomi.session.match import Ending, Match
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.offers import Offer, take_back

VERSION = 1
"""Of the data that `to_json` writes."""
_TO_BE_ANSWERED = {
    "draw": lazy_message("the open offer of a draw has to be answered first"),
    "takeback": lazy_message("the open request for a takeback has to be answered first"),
}
_OFFERED_BEFORE = {
    "draw": lazy_message("a draw can be offered again only after the next own action"),
    "takeback": lazy_message("a takeback can be offered again only after the next own action"),
}


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it stands: configuration, seats, time, and the log of entries that all else follows from.

    Immutable: `apply` gives the next table. Nothing here asks what time it is; entries say when they were
    accepted, and an entry that says it was before the last one counts as of the same moment.

    **Offers.** One is open at a time. Who is asked and plays on instead has declined; a draw that was offered
    stands while its offerer plays, a takeback doesn't. It lapses too when somebody leaves the game or another
    game of the match begins. The same offer can be made again once one has acted. A draw can be agreed on
    between two players of a game that has draws; it ends the game and counts level, in a match each getting
    half of the points so far. A takeback needs the consent of all other people who are in the game; bots
    always consent, and among bots alone one takes back without an offer.

    **Clocks.** Every game of a match begins with full clocks. A seat's clock runs while something is wanted
    of it, a bot's like a person's, from its second turn on. Whose time is up leaves the game as if resigning
    (RULES G8), by the site's `flag`; before that has been entered nothing else can be. A takeback gives no
    time back.
    """

    match: Match
    time: TimeControl | None
    begun_at: float
    at: float
    """The moment of the last entry, or of the beginning."""
    clock: Clock | None = None
    offer: Offer | None = None
    """The offer that is open."""
    asked: frozenset[tuple[int, OfferKind]] = frozenset()
    """The offers of seats since they last acted."""
    history: tuple[Entry, ...] = ()

    @staticmethod
    def begun(
        config: MatchConfig, seats: Collection[Seat], *, time: TimeControl | None = None, at: float = 0.0
    ) -> "Table":
        """A table at which nothing has happened yet. Raises Refused if the seats don't fit the game."""
        clock = Clock.begun(time, len(seats), at) if time else None
        return Table(Match.begun(config, seats), time, at, at, clock)

    @property
    def entries(self) -> int:
        """The length of the log."""
        return len(self.history)

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the match is over."""
        return self.match.to_act

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.is_over

    @property
    def ending(self) -> Ending | None:
        """The result of the match; None while it goes on."""
        return Ending.of(self.match)

    def apply(self, entry: Entry) -> "Table":
        """The table after an entry. Raises Refused, or IllegalAction for an action the rules forbid."""
        entry = replace(entry, at=max(entry.at, self.at))
        if self.is_over:
            raise Refused(lazy_message("the match is over"))
        if entry.kind == "flag":
            after = self._flagged(entry)
        else:
            self._expect_in_time(entry.at)
            after = self._done(entry, self._seat(entry))
        if len(after.match.games) > len(self.match.games) or after.is_over:
            after = replace(after, offer=None, asked=frozenset())
        clock = self._clock_after(entry, after.match)
        return replace(after, at=entry.at, clock=clock, history=(*self.history, entry))

    def may(self, seat: int, kind: str, value: str | None = None) -> bool:
        """Whether the seat may do something of this kind now; for offers, of this value or of any."""
        if kind in ("komi", "colour", "play"):
            return self.to_act == seat and self.match.phase == kind
        if kind == "offer" and value is None:
            return any(self.may(seat, kind, offer) for offer in OFFERS)
        try:
            self.apply(Entry(seat, kind, value, self.at))
        except ValueError:
            return False
        return True

    def remaining(self, now: float) -> tuple[float, ...] | None:
        """Seconds left for every seat at a moment; None without clocks."""
        return self.clock.remaining(now) if self.clock else None

    def due(self, now: float) -> Entry | None:
        """The entry that the site has to make, as a seat's time is up; None if it isn't."""
        if self.clock is None or not self.clock.is_up(max(now, self.at)):
            return None
        return Entry(None, "flag", self.clock.running, max(now, self.at))

    def next_due(self) -> float | None:
        """The moment from which `due` answers with an entry if nothing happens before."""
        return self.clock.deadline if self.clock else None

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {
            "kakomi_table": VERSION,
            "terms": self.match.config.to_json(),
            "seats": [seat.to_json() for seat in self.match.seats],
            "time": self.time.to_json() if self.time else None,
            "at": self.begun_at,
            "entries": [entry.to_json() for entry in self.history],
        }

    @staticmethod
    def from_json(data: Any) -> "Table":
        """A table from data. Raises Refused, naming the first thing in it that can't be."""
        if not isinstance(data, Mapping) or data.get("kakomi_table") != VERSION:
            raise Refused(f"this isn't a table of version {VERSION}")
        seats, entries, at, time = (data.get(name) for name in ("seats", "entries", "at", "time"))
        if not isinstance(seats, list) or not isinstance(entries, list):
            raise Refused("a table should have lists of 'seats' and 'entries'")
        if type(at) not in (int, float):
            raise Refused("a table's 'at' should be a time in seconds since the epoch")
        table = Table.begun(
            MatchConfig.from_json(data.get("terms")),
            [Seat.from_json(seat) for seat in seats],
            time=None if time is None else TimeControl.from_json(time),
            at=cast(float, at),
        )
        for number, entry in enumerate(entries, 1):
            try:
                table = table.apply(Entry.from_json(entry))
            except ValueError as error:
                raise Refused(f"entry {number}: {error}") from None
        return table

    def _done(self, entry: Entry, seat: int) -> "Table":
        match entry.kind:
            case "offer":
                return self._offered(seat, cast(OfferKind, entry.value))
            case "accept":
                return self._accepted(seat)
            case "decline":
                self._expect_asked(seat)
                return replace(self, offer=None)
            case "withdraw":
                if self.offer is None or self.offer.seat != seat:
                    raise Refused(lazy_message("there is no open offer of seat {seat}'s", seat=seat))
                return replace(self, offer=None)
            case "takeback":
                taken_back = self._taken_back(seat)
                if self._people_but(seat):
                    raise Refused(lazy_message("other people play here: offer the takeback to them"))
                return taken_back
            case "resign":
                return self._left(Event(seat, "resign"))
            case _:
                return self._acted(Event(seat, cast(EventKind, entry.kind), entry.value))

    def _acted(self, event: Event) -> "Table":
        match = self.match.apply(event)
        if event.kind == "play":
            match = self._action_by_action(event, match)
        lapsed = self.offer is not None and self.offer.lapses_when_acting(event.seat)
        asked = frozenset((seat, kind) for seat, kind in self.asked if seat != event.seat)
        return replace(self, match=match, offer=None if lapsed else self.offer, asked=asked)

    def _action_by_action(self, event: Event, after: Match) -> Match:
        """The same with an event for each action, as they can be taken back one by one; nor can a text go on
        into another seat's turn that way."""
        match_game = after.games[len(self.match.games) - 1]
        plies = enumerate(
            match_game.position.actions_since(self.match.position) or (), self.match.position.ply
        )
        actions = [action for ply, action in plies if ply not in match_game.automatic]
        if len(actions) == 1:
            return after
        match = self.match
        for action in actions:
            match = match.play(event.seat, match_game.game.action_texts[action])
        return match

    def _left(self, event: Event) -> "Table":
        return replace(self, match=self.match.apply(event), offer=None)

    def _flagged(self, entry: Entry) -> "Table":
        seat = entry.value
        if self.clock is None or seat != self.clock.running or not self.clock.is_up(entry.at):
            raise Refused(lazy_message("seat {seat}'s time isn't up", seat=seat))
        return self._left(Event(cast(int, seat), "flag"))

    def _offered(self, seat: int, kind: OfferKind) -> "Table":
        if self.offer:
            raise Refused(_TO_BE_ANSWERED[self.offer.kind])
        if (seat, kind) in self.asked:
            raise Refused(_OFFERED_BEFORE[kind])
        if kind == "draw":
            self.match.apply(Event(seat, "draw"))  # raises if there is none
            waiting: tuple[int, ...] = (1 - seat,)
        else:
            take_back(self.match, seat)  # raises if there is nothing
            waiting = self._people_but(seat)
            if not waiting:
                raise Refused(lazy_message("no consent is needed: take back freely"))
        return replace(self, offer=Offer(kind, seat, waiting), asked=self.asked | {(seat, kind)})

    def _accepted(self, seat: int) -> "Table":
        offer = self._expect_asked(seat).accepted_by(seat)
        if offer.waiting:
            return replace(self, offer=offer)
        if offer.kind == "takeback":
            return self._taken_back(offer.seat)
        return self._left(Event(seat, "draw"))

    def _taken_back(self, seat: int) -> "Table":
        return replace(self, match=take_back(self.match, seat), offer=None, asked=frozenset())

    def _clock_after(self, entry: Entry, match: Match) -> Clock | None:
        """Charged to the seat whose clock ran, and running on for the one to act."""
        if self.clock is None:
            return None
        if len(match.games) > len(self.match.games):
            return Clock.begun(self.clock.time, len(match.seats), entry.at)
        clock = self.clock.at(entry.at)
        if entry.kind in ("play", "swap") and entry.seat is not None and match.to_act != entry.seat:
            clock = clock.turn_finished(entry.seat)
        return clock.running_for(match.to_act if match.phase == "play" else None)

    def _people_but(self, seat: int) -> tuple[int, ...]:
        """The other people who are still in the game."""
        left = {seat, *self.match.current_game.resigned_seats}
        return tuple(
            other for other, who in enumerate(self.match.seats) if other not in left and not who.is_bot
        )

    def _expect_asked(self, seat: int) -> Offer:
        if self.offer is None or seat not in self.offer.waiting:
            raise Refused(lazy_message("there is no open offer for seat {seat} to answer", seat=seat))
        return self.offer

    def _expect_in_time(self, at: float) -> None:
        if self.clock and self.clock.is_up(at):
            raise Refused(
                lazy_message(
                    "seat {seat}'s time is up, which has to be entered first", seat=self.clock.running
                )
            )

    def _seat(self, entry: Entry) -> int:
        if entry.seat is None or not 0 <= entry.seat < len(self.match.seats):
            raise Refused(
                lazy_message(
                    "there is no seat {seat}: there are the seats 0 to {last}",
                    seat=entry.seat,
                    last=len(self.match.seats) - 1,
                )
            )
        return entry.seat
