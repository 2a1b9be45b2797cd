"""A table at which a match is played: clocks, offers and takebacks round the match itself."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from kakomi.core.i18n import lazy_message
from kakomi.session.clock import LONGEST_PAUSE, Clock, changed
from kakomi.session.events import (
    ABORTS,
    OFFERS,
    QUIET,
    Entry,
    Event,
    EventKind,
    OfferKind,
    outage_of,
    rest_of,
)
from kakomi.session.exceptions import Refused
from kakomi.session.match import (
    OFFERED_BEFORE,
    TO_BE_ANSWERED,
    Ending,
    Match,
    Offer,
    expect_still_in,
    take_back,
)
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.match_game import LeaveReason
from kakomi.session.record import Start, TableData
from kakomi.session.time_control import TimeControl

_EVENTS_OF_LEAVING: Mapping[LeaveReason, EventKind] = {
    "resignation": "resign",
    "time": "flag",
    "forfeit": "forfeit",
    "absence": "absence",
}
_STARTS_TOO_LATE = lazy_message("the time to start is over, which has to be entered first")


@dataclass(frozen=True, eq=False)
class Table:
    """A table as it stands: configuration, seats, time, and the log of entries that all else follows from.

    Immutable: `apply` gives the next table. Nothing here asks what time it is; entries say when they were
    accepted, and an entry that says it was before the last one counts as of the same moment.

    **Offers.** One is open at a time. It lapses when somebody who is asked plays on instead, when
    somebody leaves the game, or when another game of the match begins; a takeback also when its offerer
    plays. What has lapsed can be offered again at once, what was declined or withdrawn once one has
    acted. A draw can be agreed on between two players of a game that has draws; it ends the game and
    counts level, in a match each getting half of the points so far. A takeback needs the consent of all
    other people who are in the game; bots always consent, and among bots alone one takes back without an
    offer.

    **Clocks.** Every game of a match begins with full clocks. A seat's clock runs while something is wanted
    of it, a bot's like a person's, from its second turn on. Whose time is up leaves the game as if resigning
    (RULES G8), by the site's `flag`; before that has been entered nothing else can be. A takeback gives no
    time back. In a pause, which all people agree on, clocks stand still while one may play on; it ends when
    all agree again, or after `LONGEST_PAUSE`.

    **Forfeits.** When the round of a tournament ends the site says so by `forfeit`: whoever is to act leaves
    the game as if resigning. In older logs the site ended the table until all had had a first turn, by an
    abort `round over`.

    **Starting.** A table may give everybody a `Start`, a limit for komi, colour and first turn: when it is
    over the site ends the table without a result, or in a later game of a match who is late loses that on
    time. Until all have had a first turn of the first game, everybody at the table may end it. A binding
    table ends in neither way: a seat that doesn't begin in time leaves the game as if resigning, by a `flag`.

    **Leaving.** Where the terms name a bot for leavers it goes on for a person who resigns or is out of time
    in a game of three or more, as long as another person is in it; else the seat passes (RULES G8).
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
    """The offers of seats since they last acted, without those that lapsed."""
    start: Start = field(default_factory=Start)
    """The limit for komi, colours and first turns, and who has had theirs."""
    abort: Entry | None = None
    """The entry that ended the table without a result."""
    standing: int = 0
    """The length of the log at its last entry that isn't quiet, nor one of several who accept an offer: who
    has seen so much may act."""
    history: tuple[Entry, ...] = ()
    takes_back: bool = True
    """Whether turns can be taken back, with the others' consent or without."""
    is_binding: bool = False
    """Whether nobody can call the game off, and a seat that doesn't begin in time loses; in tournaments."""

    @staticmethod
    def begun(
        config: MatchConfig,
        seats: Collection[Seat],
        *,
        time: TimeControl | None = None,
        at: float = 0.0,
        start: float | None = None,
        takes_back: bool = True,
        is_binding: bool = False,
    ) -> "Table":
        """A table at which nothing has happened yet. Raises Refused if the seats don't fit the game.

        `start` is the limit for komi, colours and first turns, in seconds.
        """
        clock = Clock.begun(time, len(seats), at) if time else None
        begun = Match.begun(config, seats)
        return Table(
            begun,
            time,
            at,
            at,
            clock,
            start=Start(start, at),
            takes_back=takes_back,
            is_binding=is_binding,
        )

    @cached_property
    def _allowed(self) -> dict[tuple[int, str, str | None], bool]:
        """What `may` has found out: everybody who looks at the table asks the same."""
        return {}

    @property
    def entries(self) -> int:
        """The length of the log."""
        return len(self.history)

    @cached_property
    def to_act(self) -> int | None:
        """The seat to act; None when the match is over."""
        return None if self.abort else self.match.to_act

    @cached_property
    def is_over(self) -> bool:
        """Whether the match has ended, with a result or without."""
        return self.abort is not None or self.match.is_over

    @property
    def ending(self) -> Ending | None:
        """The result of the match; None while it goes on."""
        return Ending("aborted", (), self.match.points()) if self.abort else Ending.of(self.match)

    def has_seen(self, entries: int) -> bool:
        """Whether who has seen so many entries knows all that matters for acting."""
        return self.standing <= entries <= self.entries

    def apply(self, entry: Entry) -> "Table":
        """The table after an entry. Raises Refused, or IllegalAction for an action the rules forbid."""
        if entry.at < self.at:
            entry = replace(entry, at=self.at)
        after = self._changed_by(entry)
        if len(after.match.games) > len(self.match.games) or after.is_over:
            after = changed(after, offer=None, asked=frozenset())
        if self.offer and not after.offer and entry.kind not in ("decline", "withdraw"):  # nobody said no
            after = changed(after, asked=after.asked - {(self.offer.seat, self.offer.kind)})
        is_quiet = entry.kind in QUIET
        is_one_yes = entry.kind == "accept" and after.offer is not None  # all others are asked as before
        return changed(
            after,
            at=entry.at,
            clock=after.clock if is_quiet else self._clock_after(entry, after),
            start=after.start.after(self.match, entry, after.match),
            standing=self.standing if is_quiet or is_one_yes else self.entries + 1,
            history=(*self.history, entry),
        )

    def _changed_by(self, entry: Entry) -> "Table":
        """The table after an entry but for log and clocks. Raises what `apply` raises."""
        if self.is_over:
            raise Refused(lazy_message("the match is over"))
        after = self._by_site(entry)
        if after is None:
            self._expect_in_time(entry.at)
            after = self._done(entry, self._seat(entry))
        return after

    def may(self, seat: int, kind: str, value: str | None = None) -> bool:
        """Whether the seat may do something of this kind now; for offers, of this value or of any."""
        if kind in ("komi", "colour", "play"):
            return self.to_act == seat and self.match.phase == kind
        if kind == "offer" and value is None:
            return any(self.may(seat, kind, offer) for offer in OFFERS)
        if kind == "abort":
            value = value or ABORTS[0]
        if (seat, kind, value) not in self._allowed:
            self._allowed[seat, kind, value] = self._would_apply(seat, kind, value)
        return self._allowed[seat, kind, value]

    def _would_apply(self, seat: int, kind: str, value: str | None) -> bool:
        try:
            self._changed_by(Entry(seat, kind, value, self.at))
        except ValueError:
            return False
        return True

    def remaining(self, now: float) -> tuple[float, ...] | None:
        """Seconds left for every seat at a moment; None without clocks."""
        return self.clock.remaining(now) if self.clock else None

    def due(self, now: float) -> Entry | None:
        """The entry that the site has to make, as somebody's time is up; None if it isn't."""
        moment, due = max(now, self.at), self.next_due()
        if due is None or moment < due:
            return None
        is_started = self.clock is not None and self.clock.running is not None
        if not is_started and len(self.match.games) == 1 and not self.is_binding:
            return Entry(None, "abort", "not started", moment)
        return Entry(None, "flag", self.to_act, moment)

    def next_due(self) -> float | None:
        """The moment from which `due` answers with an entry if nothing happens before."""
        if self.is_over:
            return None
        if self.clock and self.clock.running is not None:
            return self.clock.deadline
        return self.start.deadline(self.match)

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        match, log = self.match, [entry.to_json() for entry in self.history]
        begun = TableData(
            config=match.config,
            seats=match.first_seats,
            time=self.time,
            at=self.begun_at,
            start=self.start.limit,
            takes_back=self.takes_back,
            is_binding=self.is_binding,
            entries=log,
        )
        return begun.to_json()

    @staticmethod
    def from_json(data: Any) -> "Table":
        """A table from data. Raises Refused, naming the first thing in it that can't be."""
        read = TableData.read(data)
        table = Table.begun(
            read.config,
            read.seats,
            time=read.time,
            at=read.at,
            start=read.start,
            takes_back=read.takes_back,
            is_binding=read.is_binding,
        )
        for number, entry in enumerate(read.entries, 1):
            try:
                table = table.apply(Entry.from_json(entry))
            except ValueError as error:
                raise Refused(f"entry {number}: {error}") from None
        return table

    def _done(self, entry: Entry, seat: int) -> "Table":
        match entry.kind:
            case "offer":
                return self._offered(seat, cast(OfferKind, entry.value), entry.at)
            case "accept":
                return self._accepted(seat, entry.at)
            case "decline":
                self._expect_asked(seat)
                return changed(self, offer=None)
            case "withdraw":
                if self.offer is None or self.offer.seat != seat:
                    raise Refused(lazy_message("there is no open offer of seat {seat}'s", seat=seat))
                return changed(self, offer=None)
            case "takeback":
                self._expect_takebacks()
                taken_back = self._taken_back(seat)
                if self.match.people_but(seat):
                    raise Refused(lazy_message("other people play here: offer the takeback to them"))
                return taken_back
            case "resign":
                if not self.is_binding:
                    self.match.expect_colours()
                return self._left_by(seat, "resignation")
            case "abort":
                if self.is_binding:
                    raise Refused(lazy_message("this game counts from its beginning: one can only resign"))
                self._expect_beginning()
                return changed(self, abort=entry)
            case _:
                return self._acted(Event(seat, cast(EventKind, entry.kind), entry.value))

    def _acted(self, event: Event) -> "Table":
        match = self.match.apply(event)
        if event.kind == "play":
            match = self.match.action_by_action(event.seat, match)
        lapsed = self.offer is not None and self.offer.lapses_when_acting(event.seat)
        asked = frozenset((seat, kind) for seat, kind in self.asked if seat != event.seat)
        return changed(self, match=match, offer=None if lapsed else self.offer, asked=asked)

    def _left_by(self, seat: int, reason: LeaveReason) -> "Table":
        """The table when a seat leaves the game, or a bot goes on for it as the terms say."""
        bot = self.match.config.leavers
        event = Event(seat, _EVENTS_OF_LEAVING[reason])
        if bot and not self.match.seats[seat].is_bot and self.match.people_but(seat):
            event = Event(seat, "replace", f"{reason} {bot}")
        return changed(self, match=self.match.apply(event), offer=None)

    def _by_site(self, entry: Entry) -> "Table | None":
        """The table after an entry of the site's; None for one of a seat's."""
        match entry.kind:
            case "flag":
                return self._flagged(entry)
            case "forfeit":
                return self._forfeited(entry)
            case "abort" if entry.seat is None:
                return self._aborted(entry)
            case "seated":
                return changed(self, start=changed(self.start, since=entry.at))
            case "rest":
                return self._rested(entry, self._seat(entry))
            case "downtime":
                outage = outage_of(str(entry.value))
                clock = self.clock and self.clock.without(outage)
                return changed(self, clock=clock, start=self.start.without(outage))
        return None

    def _flagged(self, entry: Entry) -> "Table":
        seat, due = entry.value, self.due(entry.at)
        if due is None or due.kind != "flag" or seat != due.value:
            raise Refused(lazy_message("seat {seat}'s time isn't up", seat=seat))
        is_late = self.is_binding and len(self.match.games) == 1 and seat not in self.start.acted
        return self._left_by(cast(int, seat), "absence" if is_late else "time")

    def _forfeited(self, entry: Entry) -> "Table":
        if entry.value != self.to_act:
            raise Refused(lazy_message("only whoever is to act forfeits a game"))
        return self._left_by(cast(int, entry.value), "forfeit")

    def _aborted(self, entry: Entry) -> "Table":
        due = self.due(entry.at)
        is_due = due is not None and due.kind == "abort"
        if entry.value == "round over":
            self._expect_beginning()
        elif self.standing if entry.value == "not seated" else not is_due:
            raise Refused(lazy_message("it isn't time yet to end the table"))
        return changed(self, abort=entry)

    def _expect_beginning(self) -> None:
        if self.start.is_everybody_in(self.match):
            raise Refused(lazy_message("everybody has begun to play: one can only resign now"))

    def _rested(self, entry: Entry, seat: int) -> "Table":
        if self.clock is None or self.clock.time.pace != "days":
            raise Refused(lazy_message("one rests in games over days only"))
        since, calendar = rest_of(str(entry.value))
        return changed(self, clock=self.clock.rested(seat, calendar, min(since, entry.at)))

    def _offered(self, seat: int, kind: OfferKind, at: float) -> "Table":
        if self.offer:
            raise Refused(TO_BE_ANSWERED[self.offer.kind])
        if (seat, kind) in self.asked:
            raise Refused(OFFERED_BEFORE[kind])
        expect_still_in(self.match, seat)
        waiting = self.match.people_but(seat)
        match kind:
            case "draw":
                self.match.apply(Event(seat, "draw"))  # raises if there is none
                waiting = (1 - seat,)
            case "takeback":
                self._expect_takebacks()
                take_back(self.match, seat)  # raises if there is nothing
                if not waiting:
                    raise Refused(lazy_message("no consent is needed: take back freely"))
            case "pause" | "resume":
                paused = self._paused(kind, at)  # raises if there is nothing to pause
                if not waiting:
                    return paused
        return changed(self, offer=Offer(kind, seat, waiting), asked=self.asked | {(seat, kind)})

    def _accepted(self, seat: int, at: float) -> "Table":
        offer = self._expect_asked(seat).accepted_by(seat)
        if offer.waiting:
            return changed(self, offer=offer)
        match offer.kind:
            case "takeback":
                return self._taken_back(offer.seat)
            case "draw":
                return changed(self, match=self.match.apply(Event(seat, "draw")), offer=None)
            case _:
                return self._paused(offer.kind, at)

    def _paused(self, kind: OfferKind, at: float) -> "Table":
        """The table when a pause begins, or ends."""
        if self.clock is None or self.clock.running is None:
            raise Refused(lazy_message("no clock runs that could be stopped"))
        is_paused = self.clock.is_paused(at)
        if is_paused and kind == "pause":
            raise Refused(lazy_message("the clocks have been stopped already"))
        if not is_paused and kind == "resume":
            raise Refused(lazy_message("the clocks haven't been stopped"))
        clock = self.clock.at(at)
        pause = (at, at + LONGEST_PAUSE[clock.time.pace]) if kind == "pause" else None
        return changed(self, clock=changed(clock, pause=pause), offer=None, asked=frozenset())

    def _expect_takebacks(self) -> None:
        if not self.takes_back:
            raise Refused(lazy_message("nothing is taken back at this table"))

    def _taken_back(self, seat: int) -> "Table":
        return changed(self, match=take_back(self.match, seat), offer=None, asked=frozenset())

    def _clock_after(self, entry: Entry, after: "Table") -> Clock | None:
        """Charged to the seat whose clock ran, and running on for the one to act."""
        match = after.match
        if after.clock is None:
            return None
        if len(match.games) > len(self.match.games):
            return after.clock.begun_again(entry.at)
        clock = after.clock.at(entry.at)
        if entry.kind in ("play", "swap") and entry.seat is not None and match.to_act != entry.seat:
            clock = clock.turn_finished(entry.seat)
        for seat, who in enumerate(match.seats):
            if who.is_bot and not self.match.seats[seat].is_bot:
                clock = clock.renewed(seat)
        return clock.running_for(after.to_act if match.phase == "play" else None)

    def _expect_asked(self, seat: int) -> Offer:
        if self.offer is None or seat not in self.offer.waiting:
            raise Refused(lazy_message("there is no open offer for seat {seat} to answer", seat=seat))
        return self.offer

    def _expect_in_time(self, at: float) -> None:
        due = self.due(at)
        if due is not None:
            late = lazy_message("seat {seat}'s time is up, which has to be entered first", seat=due.value)
            raise Refused(_STARTS_TOO_LATE if due.kind == "abort" else late)

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
