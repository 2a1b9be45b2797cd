"""Whatever changes seeks and challenges, until one becomes a game, and ends.

Each deed holds the locks of the people in it (`accounts.services`).
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db.models import Q

from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.accounts.services import with_people
from kakomi.server.chat.services import write
from kakomi.server.database import digest_of, writing
from kakomi.server.exceptions import KeyReused
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.conditions import Visitor, has_account, needs_account, obstacle, why_not_challenged
from kakomi.server.lobby.models import Invitee, LobbyGuest, Place, Seek, SeekGame
from kakomi.server.lobby.notices import tell_begun, tell_challenge, tell_declined, tell_withdrawn
from kakomi.server.lobby.selectors import SeekState, people_in
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.moderation.restrictions import expect_free
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import tables_of
from kakomi.server.tables.services import Sitter, begin
from kakomi.server.tables.table_request import why_unrated
from kakomi.session import Refused
from kakomi.session.time_control import DAY

MOST_OPEN = 20
"""Seeks of one person that wait at a time."""
LIVE_SECONDS = 15 * 60.0
"""For so long at most a live seek waits."""
LONGEST_DAYS = 30
"""For so many days at most others wait."""


@dataclass(frozen=True)
class Wish:
    """A seek or a challenge that somebody asks for."""

    kind: Seek.Kind
    terms: SeekTerms
    is_rated: bool = False
    least: int = 2
    most: int = 2
    times: int = 1
    days: int = 7
    """For so many days it waits, if it is one over days."""
    rating_low: int | None = None
    rating_high: int | None = None
    """The ratings of those who may join."""
    invitees: Sequence[Guest] = field(default_factory=tuple)
    remark: str = ""
    """What they say to the others, on one line and such as they may write (`chat.services`)."""

    @property
    def digest(self) -> str:
        """What a key stands for under which this is sent."""
        return digest_of(replace(self, invitees=()), sorted(invitee.pk for invitee in self.invitees))


class Outcome(NamedTuple):
    """A seek after something was done, and the table that it became."""

    seek: Seek
    table: Table | None = None


def create(guest: Guest, wish: Wish, key: str) -> Outcome:
    """Keep what somebody wishes; under the same key it is the same seek.

    Raises Refused; KeyReused if the key was sent with another wish before.
    """
    check_wish(guest, wish)

    def created(people: frozenset[int]) -> Outcome:
        known = guest.seeks.filter(key=key).first()
        if known and known.digest != wish.digest:
            raise KeyReused
        if known:
            return Outcome(known, selectors.game_of(known, guest))
        if guest.seeks.filter(ended_at=None).count() >= MOST_OPEN:
            raise Refused(
                lazy_message("You have {most} seeks that wait: withdraw one of them first.", most=MOST_OPEN)
            )
        row = _kept(guest, wish, key)
        tell_challenge(row, wish.invitees)
        news.tell(people)
        return Outcome(row)

    return with_people(lambda: {guest.pk, *(invitee.pk for invitee in wish.invitees)}, created)


def check_wish(guest: Guest, wish: Wish) -> None:
    """Raise Refused for what can't become a game, or not one of this guest's."""
    expect_free(guest)
    if why := needs_account(wish.terms.pace, is_rated=wish.is_rated, has_account=has_account(guest)):
        raise Refused(why)
    wish.terms.check_seats(wish.least, wish.most)
    if wish.is_rated and wish.terms.side != "lot":
        raise Refused(lazy_message("In a rated game lots decide who begins."))
    if wish.is_rated:
        terms = wish.terms.config(wish.least)
        for wrong in why_unrated(terms.game, wish.terms.control, terms.position).values():
            raise Refused(wrong)
    if wish.rating_low is not None and wish.rating_high is not None and wish.rating_low > wish.rating_high:
        raise Refused(lazy_message("The lowest rating may not be above the highest."))
    if wish.times > 1 and wish.terms.pace == "live":
        raise Refused(
            lazy_message("A live seek becomes one game: only one over days can be taken several times.")
        )
    if wish.kind == Seek.Kind.CHALLENGE:
        _check_challenge(guest, wish)


def _check_challenge(guest: Guest, wish: Wish) -> None:
    if any(invitee.pk == guest.pk for invitee in wish.invitees):
        raise Refused(lazy_message("You can't challenge yourself."))
    if len(wish.invitees) < wish.least - 1:
        raise Refused(
            lazy_plural(
                "Name somebody whom you challenge.",
                "Name at least {count} people whom you challenge.",
                count=wish.least - 1,
            )
        )
    kept_from = blocked_by_or_blocking(guest)
    for invitee in wish.invitees:
        name, settings = str(invitee), selectors.settings_of(invitee)
        if invitee.pk in kept_from:  # which nobody is told
            raise Refused(lazy_message("{name} takes no challenges.", name=name))
        games = tables_of(invitee, is_over=False).count() if settings.most_games else 0
        if why := why_not_challenged(name, settings, wish.terms.pace, is_rated=wish.is_rated, games=games):
            raise Refused(why)
        if why := needs_account(wish.terms.pace, is_rated=wish.is_rated, has_account=has_account(invitee)):
            raise Refused(why)


def _kept(guest: Guest, wish: Wish, key: str) -> Seek:
    now = clock.now()
    waits = LIVE_SECONDS if wish.terms.pace == "live" else wish.days * DAY
    row = Seek.objects.create(
        owner=guest,
        key=key,
        digest=wish.digest,
        kind=wish.kind,
        game=wish.terms.game,
        terms=wish.terms.to_json(),
        pace=wish.terms.pace,
        is_rated=wish.is_rated,
        rating_low=wish.rating_low,
        rating_high=wish.rating_high,
        least=wish.least,
        most=wish.most,
        times=wish.times,
        remark=wish.remark,
        created_at=now,
        seen_at=now,
        due_at=now + waits,
    )
    Invitee.objects.bulk_create(Invitee(seek=row, guest=invitee) for invitee in wish.invitees)
    return row


def accept(code: str, guest: Guest, remark: str = "") -> Outcome:
    """Join a seek, or accept a challenge, with something to say; with the last who is missing its game
    begins.

    Whoever has joined already gets what came of it. Raises Refused, saying why not.
    """

    def accepted(seek: SeekState) -> Outcome:
        row = seek.row
        if row.owner_id == guest.pk:
            raise Refused(lazy_message("This is your own seek: others accept it."))
        if row.places.filter(guest=guest).exists():
            return Outcome(row, selectors.game_of(row, guest))
        _check_joining(seek, guest)
        now = clock.now()
        Place.objects.create(
            seek=row, guest=guest, round=row.round, joined_at=now, seen_at=now, remark=remark
        )
        row.invitees.filter(guest=guest).update(answer=Invitee.Answer.ACCEPTED)
        return Outcome(row, settle(selectors.find_seek(code), now, concerned))

    concerned: set[int] = set()
    return _change(code, guest, accepted, concerned)


def _check_joining(seek: SeekState, guest: Guest) -> None:
    if not seek.row.is_open:
        raise Refused(_ENDED[Seek.Ending(seek.row.ending)])
    expect_free(guest)
    visitor = Visitor.of(guest)
    if not visitor.sees(seek):
        raise Refused(lazy_message("You can't join this game."))
    if any(i.guest_id == guest.pk and i.answer == Invitee.Answer.DECLINED for i in seek.invitees):
        raise Refused(lazy_message("You have declined this challenge."))
    if why := obstacle(seek, visitor):
        raise Refused(why)


_ENDED = {
    Seek.Ending.STARTED: lazy_message("Somebody was quicker: this seek has become a game."),
    Seek.Ending.WITHDRAWN: lazy_message("This seek has been withdrawn."),
    Seek.Ending.EXPIRED: lazy_message("This seek has ended: nobody came in time."),
    Seek.Ending.GONE: lazy_message("This seek has ended: whoever looked for a game has left."),
    Seek.Ending.DECLINED: lazy_message("This challenge has ended: too many have declined."),
    Seek.Ending.PLAYING: lazy_message(
        "This seek has ended: whoever looked for a game is playing another one."
    ),
    Seek.Ending.MERGED: lazy_message("This seek has become part of another one."),
}


def leave(code: str, guest: Guest) -> Outcome:
    """Leave a seek that one has joined, as long as its game has not begun."""

    def left(seek: SeekState) -> Outcome:
        row = seek.row
        if not let_go(row, [guest.pk]):
            return Outcome(row, selectors.game_of(row, guest))
        row.invitees.filter(guest=guest).update(answer=Invitee.Answer.NONE)
        return Outcome(row)

    return _change(code, guest, left)


def withdraw(code: str, guest: Guest) -> Outcome:
    """End one's own seek; the game that it became meanwhile goes on."""

    def withdrawn(seek: SeekState) -> Outcome:
        _check_owner(seek, guest)
        if seek.row.is_open:
            end(seek.row, Seek.Ending.WITHDRAWN, clock.now())
            tell_withdrawn(seek.row, _unanswered(seek))
        return Outcome(seek.row, selectors.game_of(seek.row, guest))

    return _change(code, guest, withdrawn)


def _unanswered(seek: SeekState) -> list[int]:
    return [invitee.guest_id for invitee in seek.invitees if not invitee.answer]


def dismiss(code: str, guest: Guest) -> Outcome:
    """Note that its owner has read how a seek ended."""

    def dismissed(seek: SeekState) -> Outcome:
        _check_owner(seek, guest)
        if not seek.row.is_open:
            seek.row.is_dismissed = True
            seek.row.save(update_fields=["is_dismissed"])
        return Outcome(seek.row)

    return _change(code, guest, dismissed)


def _check_owner(seek: SeekState, guest: Guest) -> None:
    if seek.row.owner_id != guest.pk:
        raise Refused(lazy_message("Only who looks for the game can do that."))


def decline(code: str, guest: Guest, reason: str) -> Outcome:
    """Decline a challenge. It ends when too few are left who could still accept. Raises Refused, saying why
    there is nothing to decline any more."""

    def declined(seek: SeekState) -> Outcome:
        row = seek.row
        _expect_unanswered(seek, guest)
        row.invitees.filter(guest=guest).update(answer=Invitee.Answer.DECLINED, reason=reason)
        tell_declined(row, guest)
        possible = 1 + row.invitees.exclude(answer=Invitee.Answer.DECLINED).count()
        if possible < row.least:
            end(row, Seek.Ending.DECLINED, clock.now())
        return Outcome(row)

    if reason not in Invitee.Reason.values:
        raise Refused(lazy_message("There is no such reason: choose one of those offered."))
    return _change(code, guest, declined)


def _expect_unanswered(seek: SeekState, guest: Guest) -> None:
    answer = next((invitee.answer for invitee in seek.invitees if invitee.guest_id == guest.pk), None)
    if answer is None:
        raise Refused(lazy_message("You are not challenged to this game."))
    if answer == Invitee.Answer.DECLINED:
        raise Refused(lazy_message("You have declined this challenge."))
    if not seek.row.is_open:
        is_begun = answer == Invitee.Answer.ACCEPTED and seek.row.ending == Seek.Ending.STARTED
        raise Refused(_HAS_BEGUN if is_begun else _ENDED[Seek.Ending(seek.row.ending)])
    if answer == Invitee.Answer.ACCEPTED:
        raise Refused(
            lazy_message("You have accepted this challenge: you can leave it until its game begins.")
        )


_HAS_BEGUN = lazy_message("You have accepted this challenge, and its game has begun.")


def _change(
    code: str, guest: Guest, do: Callable[[SeekState], Outcome], concerned: set[int] | None = None
) -> Outcome:
    """Do something with a seek under the locks of everybody in it, and tell them and others `concerned`."""
    number = selectors.find_seek(code).row.pk

    def done(people: frozenset[int]) -> Outcome:
        outcome = do(selectors.find_seek(code))
        news.tell(people | (concerned or set()))
        return outcome

    return with_people(lambda: {guest.pk, *selectors.people_in(number)}, done)


def keep_settings(guest: Guest, settings: LobbyGuest) -> None:
    """Keep which challenges somebody takes."""
    fields = ("challenges_from", "takes_live", "takes_days", "takes_rated", "takes_casual", "most_games")
    with writing():
        LobbyGuest.objects.update_or_create(
            guest=guest, defaults={name: getattr(settings, name) for name in fields}
        )


GATHER_SECONDS = {"live": 20.0, "days": 6 * 3600.0}
"""How long enough players wait for more of them, by pace."""


_LOTS = secrets.SystemRandom()


def settle(seek: SeekState, now: float, concerned: set[int]) -> Table | None:
    """Begin a seek's game if everybody is there, or if they have waited long enough for more.

    Until then it is noted when that will be. The same round never begins twice. Whoever else waits
    differently from then on is added to `concerned`.
    """
    there, row = len(seek.numbers), seek.row
    if there >= row.most or (there >= row.least and row.starts_at is not None and row.starts_at <= now):
        return _begin(seek, now, concerned)
    wanted = None if there < row.least else row.starts_at or now + GATHER_SECONDS[row.pace]
    if wanted != row.starts_at:
        row.starts_at = wanted
        row.save(update_fields=["starts_at"])
    return None


def _begin(seek: SeekState, now: float, concerned: set[int]) -> Table:
    row, people = seek.row, seek.people
    sitters = [Sitter(guest, name=guest.name) for guest in seated(seek.terms, people)]
    table = begin(seek.terms.config(len(people)), sitters, seek.terms.control, is_rated=row.is_rated)
    SeekGame.objects.create(seek=row, round=row.round, table=table)
    tell_begun(row, table, seek.numbers)
    _pass_on(seek, table)
    row.round, row.starts_at = row.round + 1, None
    row.save(update_fields=["round", "starts_at"])
    if row.round > row.times:
        end(row, Seek.Ending.STARTED, now)
    if row.pace == "live":
        concerned |= end_other_live(seek.numbers, now)
    return table


def _pass_on(seek: SeekState, table: Table) -> None:
    """Let what its people have said beforehand stand beside the board."""
    said = [(seek.row.owner, seek.row.remark), *((place.guest, place.remark) for place in seek.places)]
    for guest, remark in said:
        if remark:
            with suppress(Refused):  # somebody who may write no longer
                write(table, guest, remark, f"seek{seek.row.pk}.{seek.row.round}")


def seated(terms: SeekTerms, people: Collection[Guest]) -> list[Guest]:
    """The people in the order of their seats; the owner is the first of them, and lots decide the rest."""
    owner, *others = people
    _LOTS.shuffle(others)
    match terms.side:
        case "first":
            return [owner, *others]
        case "last":
            return [*others, owner]
        case "lot":
            drawn = [owner, *others]
            _LOTS.shuffle(drawn)
            return drawn


def end(row: Seek, ending: Seek.Ending, now: float) -> None:
    """A seek waits no longer."""
    row.ended_at, row.ending, row.starts_at = now, ending, None
    row.save(update_fields=["ended_at", "ending", "starts_at"])


def end_other_live(people: Iterable[int], now: float) -> set[int]:
    """Whoever begins a live game waits for no other: their live seeks end, and they leave those of others.

    Returns the numbers of all who wait with them there.
    """
    playing, concerned = tuple(people), set[int]()
    live = Seek.objects.filter(ended_at=None, pace="live")
    for row in live.filter(Q(owner__in=playing) | Q(places__guest__in=playing)).distinct():
        concerned |= people_in(row.pk)
        if row.owner_id in playing:
            end(row, Seek.Ending.PLAYING, now)
        else:
            let_go(row, playing)
    return concerned


def let_go(row: Seek, people: Collection[int]) -> bool:
    """Let people leave the round that waits, which may have too few then; whether anybody was there."""
    gone = row.places.filter(round=row.round, guest__in=people).delete()[0]
    there = 1 + row.places.filter(round=row.round).count()
    if row.starts_at is not None and there < row.least:
        row.starts_at = None
        row.save(update_fields=["starts_at"])
    return bool(gone)
