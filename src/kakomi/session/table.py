"""A table: a match with clocks, offers and takebacks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, cast

from kakomi.core.i18n import lazy_error, lazy_message
from kakomi.session.clock import LONGEST_PAUSE, Clock, changed
from kakomi.session.events import (
    ABORTS,
    NON_BLOCKING_KINDS,
    OFFERS,
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
from kakomi.session.record import StartLimit, TableData
from kakomi.session.time_control import TimeControl

_EVENTS_OF_LEAVING: Mapping[LeaveReason, EventKind] = {
    "resignation": "resign",
    "time": "flag",
    "forfeit": "forfeit",
    "absence": "absence",
}
_STARTS_TOO_LATE = lazy_message("the time for the first move has run out")


@dataclass(frozen=True, eq=False)
class Table:
    """The state of a table: terms, seats, clocks, and the log of entries that determines everything else.

    Immutable: `apply` returns the next table. It never reads the system time: entries contain the time when
    they were accepted, and an entry with an earlier time than the last one counts as simultaneous with it.

    **Offers.** Only one offer is open at a time. It lapses when somebody who has to answer plays instead,
    when somebody leaves the game, or when the next game of the match begins; a takeback also when the
    offering seat plays. A lapsed offer can be repeated at once, a declined or withdrawn one after the seat's
    next action. Two players can agree on a draw if the game has draws; it ends the game, and in a match each
    gets half of the points so far. A takeback needs the consent of all other people in the game. Bots always
    consent; if all others are bots, no offer is needed.

    **Clocks.** Every game of a match begins with full clocks. The clock of the seat to act runs, from its
    second turn on, for bots as for people. A seat that runs out of time leaves the game as if it resigned
    (RULES G8), by the site's `flag`; until that is added, entries of seats are refused. A takeback restores
    no time. A pause needs the consent of all people; clocks are then stopped but play may continue. It ends
    by consent or after `LONGEST_PAUSE`.

    **Forfeits.** When the round of a tournament ends, the site adds a `forfeit`: the seat to act leaves the
    game as if it resigned. In older logs, the site aborted tables at which some hadn't had a first turn, with
    `round over`.

    **Starting.** A table may have a `StartLimit` for komi, colour and first turns. When it expires,
    the site aborts the table without a result, or, in a later game of a match, the late seat loses on time.
    Until everyone has had a first turn in the first game, anyone at the table may abort it. A binding table
    is never aborted: a seat that doesn't start in time leaves the game as if it resigned, by a `flag`.

    **Leaving.** If the terms name a bot for leavers, it replaces a person who resigns or runs out of time in
    a game of three or more, as long as another person is left; else the seat passes (RULES G8).
    """

    match: Match
    time: TimeControl | None
    begun_at: float
    at: float
    """The time of the last entry, or of the beginning."""
    clock: Clock | None = None
    offer: Offer | None = None
    """The open offer."""
    asked: frozenset[tuple[int, OfferKind]] = frozenset()
    """The offers that seats have made since their last action, without lapsed ones."""
    start: StartLimit = field(default_factory=StartLimit)
    """The limit for komi, colours and first turns, and the seats that have had one."""
    abort: Entry | None = None
    """The entry that ended the table without a result."""
    last_relevant_entry: int = 0
    """The length of the log after its last relevant entry: not a quiet one, nor an acceptance that leaves an
    offer open. A client that has seen this many entries may act."""
    history: tuple[Entry, ...] = ()
    takes_back: bool = True
    """Whether takebacks are allowed."""
    is_binding: bool = False
    """Whether nobody can abort the game and a seat that starts late loses, as in tournaments."""

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
        """Return a table without entries. Raises Refused if the seats don't fit the game.

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
            start=StartLimit(start, at),
            takes_back=takes_back,
            is_binding=is_binding,
        )

    @cached_property
    def _allowed(self) -> dict[tuple[int, str, str | None], bool]:
        """The cached results of `may`, as all viewers of a table need the same ones."""
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
        """Whether the match has ended, with or without a result."""
        return self.abort is not None or self.match.is_over

    @property
    def ending(self) -> Ending | None:
        """The result of the match; None while it isn't over."""
        return Ending("aborted", (), self.match.points()) if self.abort else Ending.of(self.match)

    def has_seen(self, entries: int) -> bool:
        """Whether a client that has seen this many entries may act."""
        return self.last_relevant_entry <= entries <= self.entries

    def apply(self, entry: Entry) -> "Table":
        """Return the table after an entry. Raises Refused, or IllegalAction if the rules forbid an action."""
        if entry.at < self.at:
            entry = replace(entry, at=self.at)
        after = self._changed_by(entry)
        if len(after.match.games) > len(self.match.games) or after.is_over:
            after = changed(after, offer=None, asked=frozenset())
        if self.offer and not after.offer and entry.kind not in ("decline", "withdraw"):  # accepted or lapsed
            after = changed(after, asked=after.asked - {(self.offer.seat, self.offer.kind)})
        is_quiet = entry.kind in NON_BLOCKING_KINDS
        is_one_yes = entry.kind == "accept" and after.offer is not None  # the others still have to answer
        return changed(
            after,
            at=entry.at,
            clock=after.clock if is_quiet else self._clock_after(entry, after),
            start=after.start.after(self.match, entry, after.match),
            last_relevant_entry=self.last_relevant_entry if is_quiet or is_one_yes else self.entries + 1,
            history=(*self.history, entry),
        )

    def _changed_by(self, entry: Entry) -> "Table":
        """Return the table after an entry, with log and clocks unchanged. Raises what `apply` raises."""
        if self.is_over:
            raise Refused(lazy_message("the match is over"))
        after = self._by_site(entry)
        if after is None:
            self._expect_in_time(entry.at)
            after = self._done(entry, self._seat(entry))
        return after

    def may(self, seat: int, kind: str, value: str | None = None) -> bool:
        """Whether the seat may make an entry of this kind now; for offers without a value, any offer."""
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
        """Return the seconds left for every seat at a time; None without clocks."""
        return self.clock.remaining(now) if self.clock else None

    def due(self, now: float) -> Entry | None:
        """Return the entry that the site has to add because time is up; None if it isn't."""
        moment, due = max(now, self.at), self.next_due()
        if due is None or moment < due:
            return None
        is_started = self.clock is not None and self.clock.running is not None
        if not is_started and len(self.match.games) == 1 and not self.is_binding:
            return Entry(None, "abort", "not started", moment)
        return Entry(None, "flag", self.to_act, moment)

    def next_due(self) -> float | None:
        """Return the time from which `due` returns an entry if nothing happens before; None if never."""
        if self.is_over:
            return None
        if self.clock and self.clock.running is not None:
            return self.clock.deadline
        return self.start.deadline(self.match)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
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
        """Read a table from JSON data. Raises Refused with the first error in it."""
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
                    raise Refused(lazy_message("seat {seat} has no open offer", seat=seat))
                return changed(self, offer=None)
            case "takeback":
                self._expect_takebacks()
                taken_back = self._taken_back(seat)
                if self.match.people_but(seat):
                    raise Refused(lazy_message("ask your opponents for a takeback"))
                return taken_back
            case "resign":
                if not self.is_binding:
                    self.match.expect_colours()
                return self._left_by(seat, "resignation")
            case "abort":
                if self.is_binding:
                    raise Refused(lazy_message("this game can’t be aborted: you can only resign"))
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
        """Return the table after a seat has left the game or, if the terms say so, a bot has replaced it."""
        bot = self.match.config.leavers
        event = Event(seat, _EVENTS_OF_LEAVING[reason])
        if bot and not self.match.seats[seat].is_bot and self.match.people_but(seat):
            event = Event(seat, "replace", f"{reason} {bot}")
        return changed(self, match=self.match.apply(event), offer=None)

    def _by_site(self, entry: Entry) -> "Table | None":
        """Return the table after an entry by the site; None for an entry by a seat."""
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
            raise Refused(lazy_message("seat {seat} still has time", seat=seat))
        is_late = self.is_binding and len(self.match.games) == 1 and seat not in self.start.acted
        return self._left_by(cast(int, seat), "absence" if is_late else "time")

    def _forfeited(self, entry: Entry) -> "Table":
        if entry.value != self.to_act:
            raise Refused(lazy_message("only the player to move can forfeit"))
        return self._left_by(cast(int, entry.value), "forfeit")

    def _aborted(self, entry: Entry) -> "Table":
        due = self.due(entry.at)
        is_due = due is not None and due.kind == "abort"
        if entry.value == "round over":
            self._expect_beginning()
        elif self.last_relevant_entry if entry.value == "not seated" else not is_due:
            raise Refused(lazy_message("it’s too early to end this game"))
        return changed(self, abort=entry)

    def _expect_beginning(self) -> None:
        if self.start.is_everybody_in(self.match):
            raise Refused(lazy_message("everyone has made a move: you can only resign now"))

    def _rested(self, entry: Entry, seat: int) -> "Table":
        if self.clock is None or self.clock.time.pace != "days":
            raise Refused(lazy_message("time off applies to correspondence games only"))
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
                self.match.apply(Event(seat, "draw"))  # raises if there can be none
                waiting = (1 - seat,)
            case "takeback":
                self._expect_takebacks()
                take_back(self.match, seat)  # raises if there is nothing
                if not waiting:
                    raise Refused(lazy_message("you can take back without asking"))
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
        """Return the table with a pause begun or ended."""
        if self.clock is None or self.clock.running is None:
            raise Refused(lazy_message("no clock is running"))
        is_paused = self.clock.is_paused(at)
        if is_paused and kind == "pause":
            raise Refused(lazy_message("the clocks are already paused"))
        if not is_paused and kind == "resume":
            raise Refused(lazy_message("the clocks aren’t paused"))
        clock = self.clock.at(at)
        pause = (at, at + LONGEST_PAUSE[clock.time.pace]) if kind == "pause" else None
        return changed(self, clock=changed(clock, pause=pause), offer=None, asked=frozenset())

    def _expect_takebacks(self) -> None:
        if not self.takes_back:
            raise Refused(lazy_message("this game doesn’t allow takebacks"))

    def _taken_back(self, seat: int) -> "Table":
        return changed(self, match=take_back(self.match, seat), offer=None, asked=frozenset())

    def _clock_after(self, entry: Entry, after: "Table") -> Clock | None:
        """Return the clocks after an entry: charge the running clock, then run that of the seat to act."""
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
            late = lazy_message("seat {seat} has run out of time", seat=due.value)
            raise Refused(_STARTS_TOO_LATE if due.kind == "abort" else late)

    def _seat(self, entry: Entry) -> int:
        if entry.seat is None or not 0 <= entry.seat < len(self.match.seats):
            raise lazy_error(
                Refused,
                "there is no seat {seat}: seats are numbered 0 to {last}",
                seat=entry.seat,
                last=len(self.match.seats) - 1,
            )
        return entry.seat
