"""Operations on seeks and challenges, from creation to the game or another ending.

Each operation holds the locks of the people in the seek (`accounts.services`).
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.db.models import Q

from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.accounts.services import with_locked_people
from kakomi.server.chat.services import write_message
from kakomi.server.lobby import feed, selectors
from kakomi.server.lobby.conditions import Visitor, has_account, needs_account, obstacle, why_not_challenged
from kakomi.server.lobby.models import Invitee, LobbyGuest, Place, Seek, SeekGame
from kakomi.server.lobby.notices import (
    notify_challenge,
    notify_challenge_declined,
    notify_challenge_withdrawn,
    notify_game_begun,
)
from kakomi.server.lobby.selectors import SeekState, people_in
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.moderation.restrictions import check_not_barred
from kakomi.server.site import clock
from kakomi.server.site.database import digest_of, writing
from kakomi.server.site.exceptions import KeyReused
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import tables_of
from kakomi.server.tables.services import Sitter, begin
from kakomi.server.tables.table_request import why_unrated
from kakomi.session import Refused
from kakomi.session.time_control import DAY

MOST_OPEN = 20
"""The maximum number of waiting seeks per person."""
LIVE_SECONDS = 15 * 60.0
"""The lifetime of a live seek."""
LONGEST_DAYS = 30
"""The maximum lifetime of other seeks."""


@dataclass(frozen=True)
class Wish:
    """The content of a seek or challenge before it is created."""

    kind: Seek.Kind
    terms: SeekTerms
    is_rated: bool = False
    least: int = 2
    most: int = 2
    times: int = 1
    days: int = 7
    """The seek's lifetime in days; ignored for a live game."""
    rating_low: int | None = None
    rating_high: int | None = None
    """The range of ratings that may join."""
    invitees: Sequence[Guest] = field(default_factory=tuple)
    remark: str = ""
    """The owner's remark to the others: a single line that chat accepts (`chat.services`)."""

    @property
    def digest(self) -> str:
        """A digest that identifies the wish under a key."""
        return digest_of(replace(self, invitees=()), sorted(invitee.pk for invitee in self.invitees))


class SeekOutcome(NamedTuple):
    """A seek after an operation, and the table that it became."""

    seek: Seek
    table: Table | None = None


def create_seek(guest: Guest, wish: Wish, key: str) -> SeekOutcome:
    """Create the seek for a wish. A repeated key returns the existing seek.

    Raises Refused, or KeyReused if the key belongs to a different wish.
    """
    check_wish(guest, wish)

    def created(people: frozenset[int]) -> SeekOutcome:
        known = guest.seeks.filter(key=key).first()
        if known and known.digest != wish.digest:
            raise KeyReused
        if known:
            return SeekOutcome(known, selectors.game_of(known, guest))
        if guest.seeks.filter(ended_at=None).count() >= MOST_OPEN:
            raise Refused(
                lazy_message("You already have {most} open challenges: withdraw one first.", most=MOST_OPEN)
            )
        row = _create_row(guest, wish, key)
        notify_challenge(row, wish.invitees)
        feed.announce_change(people)
        return SeekOutcome(row)

    return with_locked_people(lambda: {guest.pk, *(invitee.pk for invitee in wish.invitees)}, created)


def check_wish(guest: Guest, wish: Wish) -> None:
    """Raise Refused if a wish can't become a game, or this guest may not make it."""
    check_not_barred(guest)
    if why := needs_account(wish.terms.pace, is_rated=wish.is_rated, has_account=has_account(guest)):
        raise Refused(why)
    wish.terms.check_seats(wish.least, wish.most)
    if wish.is_rated and wish.terms.side != "lot":
        raise Refused(lazy_message("In rated games, sides are random."))
    if wish.is_rated:
        terms = wish.terms.config(wish.least)
        for wrong in why_unrated(terms.game, wish.terms.control, terms.position).values():
            raise Refused(wrong)
    if wish.rating_low is not None and wish.rating_high is not None and wish.rating_low > wish.rating_high:
        raise Refused(lazy_message("The minimum rating can’t be above the maximum."))
    if wish.times > 1 and wish.terms.pace == "live":
        raise Refused(lazy_message("Only correspondence challenges can be accepted several times."))
    if wish.kind == Seek.Kind.CHALLENGE:
        _check_challenge(guest, wish)


def _check_challenge(guest: Guest, wish: Wish) -> None:
    if any(invitee.pk == guest.pk for invitee in wish.invitees):
        raise Refused(lazy_message("You can't challenge yourself."))
    if len(wish.invitees) < wish.least - 1:
        raise Refused(
            lazy_plural(
                "Choose a player to challenge.",
                "Choose at least {count} players to challenge.",
                count=wish.least - 1,
            )
        )
    blocked = blocked_by_or_blocking(guest)
    for invitee in wish.invitees:
        name, settings = str(invitee), selectors.settings_of(invitee)
        if invitee.pk in blocked:  # worded as if they took none, to keep the block secret
            raise Refused(lazy_message("{name} doesn’t accept challenges.", name=name))
        games = tables_of(invitee, is_over=False).count() if settings.most_games else 0
        if why := why_not_challenged(name, settings, wish.terms.pace, is_rated=wish.is_rated, games=games):
            raise Refused(why)
        if why := needs_account(wish.terms.pace, is_rated=wish.is_rated, has_account=has_account(invitee)):
            raise Refused(why)


def _create_row(guest: Guest, wish: Wish, key: str) -> Seek:
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


def accept(code: str, guest: Guest, remark: str = "") -> SeekOutcome:
    """Join a seek or accept a challenge, with an optional remark. The last missing player starts the game.

    If the guest has already joined, return the current outcome. Raises Refused, with the reason.
    """

    def accepted(seek: SeekState) -> SeekOutcome:
        row = seek.row
        if row.owner_id == guest.pk:
            raise Refused(lazy_message("This is your own challenge."))
        if row.places.filter(guest=guest).exists():
            return SeekOutcome(row, selectors.game_of(row, guest))
        _check_joining(seek, guest)
        now = clock.now()
        Place.objects.create(
            seek=row, guest=guest, round=row.round, joined_at=now, seen_at=now, remark=remark
        )
        row.invitees.filter(guest=guest).update(answer=Invitee.Answer.ACCEPTED)
        return SeekOutcome(row, settle(selectors.find_seek(code), now, concerned))

    concerned: set[int] = set()
    return _change(code, guest, accepted, concerned)


def _check_joining(seek: SeekState, guest: Guest) -> None:
    if not seek.row.is_open:
        raise Refused(_ENDED[Seek.Ending(seek.row.ending)])
    check_not_barred(guest)
    visitor = Visitor.of(guest)
    if not visitor.sees(seek):
        raise Refused(lazy_message("You can't join this game."))
    if any(i.guest_id == guest.pk and i.answer == Invitee.Answer.DECLINED for i in seek.invitees):
        raise Refused(lazy_message("You declined this challenge."))
    if why := obstacle(seek, visitor):
        raise Refused(why)


_ENDED = {
    Seek.Ending.STARTED: lazy_message("Someone else was faster: this challenge has been accepted."),
    Seek.Ending.WITHDRAWN: lazy_message("This challenge has been withdrawn."),
    Seek.Ending.EXPIRED: lazy_message("This challenge has expired."),
    Seek.Ending.GONE: lazy_message("This challenge has ended: the challenger went offline."),
    Seek.Ending.DECLINED: lazy_message("This challenge has ended: too many players declined."),
    Seek.Ending.PLAYING: lazy_message("This challenge has ended: the challenger is playing another game."),
    Seek.Ending.MERGED: lazy_message("This challenge has been merged with another one."),
}


def leave(code: str, guest: Guest) -> SeekOutcome:
    """Leave a joined seek before its game begins."""

    def left(seek: SeekState) -> SeekOutcome:
        row = seek.row
        if not remove_people(row, [guest.pk]):
            return SeekOutcome(row, selectors.game_of(row, guest))
        row.invitees.filter(guest=guest).update(answer=Invitee.Answer.NONE)
        return SeekOutcome(row)

    return _change(code, guest, left)


def withdraw(code: str, guest: Guest) -> SeekOutcome:
    """End the guest's own seek. A game that has already begun continues."""

    def withdrawn(seek: SeekState) -> SeekOutcome:
        _check_owner(seek, guest)
        if seek.row.is_open:
            end_seek(seek.row, Seek.Ending.WITHDRAWN, clock.now())
            unanswered = [invitee.guest_id for invitee in seek.invitees if not invitee.answer]
            notify_challenge_withdrawn(seek.row, unanswered)
        return SeekOutcome(seek.row, selectors.game_of(seek.row, guest))

    return _change(code, guest, withdrawn)


def dismiss(code: str, guest: Guest) -> SeekOutcome:
    """Record that the owner has read how their seek ended."""

    def dismissed(seek: SeekState) -> SeekOutcome:
        _check_owner(seek, guest)
        if not seek.row.is_open:
            seek.row.is_dismissed = True
            seek.row.save(update_fields=["is_dismissed"])
        return SeekOutcome(seek.row)

    return _change(code, guest, dismissed)


def _check_owner(seek: SeekState, guest: Guest) -> None:
    if seek.row.owner_id != guest.pk:
        raise Refused(lazy_message("Only the challenger can do that."))


def decline(code: str, guest: Guest, reason: str) -> SeekOutcome:
    """Decline a challenge, which ends if too few people are left to accept it. Raises Refused if the guest
    can no longer decline it."""

    def declined(seek: SeekState) -> SeekOutcome:
        row = seek.row
        _expect_unanswered(seek, guest)
        row.invitees.filter(guest=guest).update(answer=Invitee.Answer.DECLINED, reason=reason)
        notify_challenge_declined(row, guest)
        possible = 1 + row.invitees.exclude(answer=Invitee.Answer.DECLINED).count()
        if possible < row.least:
            end_seek(row, Seek.Ending.DECLINED, clock.now())
        return SeekOutcome(row)

    if reason not in Invitee.Reason.values:
        raise Refused(lazy_message("Choose one of the reasons in the list."))
    return _change(code, guest, declined)


def _expect_unanswered(seek: SeekState, guest: Guest) -> None:
    answer = next((invitee.answer for invitee in seek.invitees if invitee.guest_id == guest.pk), None)
    if answer is None:
        raise Refused(lazy_message("You haven’t been challenged to this game."))
    if answer == Invitee.Answer.DECLINED:
        raise Refused(lazy_message("You declined this challenge."))
    if not seek.row.is_open:
        is_begun = answer == Invitee.Answer.ACCEPTED and seek.row.ending == Seek.Ending.STARTED
        raise Refused(_HAS_BEGUN if is_begun else _ENDED[Seek.Ending(seek.row.ending)])
    if answer == Invitee.Answer.ACCEPTED:
        raise Refused(lazy_message("You accepted this challenge. You can leave until the game starts."))


_HAS_BEGUN = lazy_message("You accepted this challenge, and the game has started.")


def _change(
    code: str, guest: Guest, do: Callable[[SeekState], SeekOutcome], concerned: set[int] | None = None
) -> SeekOutcome:
    """Apply `do` to a seek under the locks of everybody in it, and notify them and `concerned`."""
    number = selectors.find_seek(code).row.pk

    def done(people: frozenset[int]) -> SeekOutcome:
        outcome = do(selectors.find_seek(code))
        feed.announce_change(people | (concerned or set()))
        return outcome

    return with_locked_people(lambda: {guest.pk, *selectors.people_in(number)}, done)


def save_settings(guest: Guest, settings: LobbyGuest) -> None:
    """Save a guest's challenge settings."""
    fields = ("challenges_from", "takes_live", "takes_days", "takes_rated", "takes_casual", "most_games")
    with writing():
        LobbyGuest.objects.update_or_create(
            guest=guest, defaults={name: getattr(settings, name) for name in fields}
        )


GATHER_SECONDS = {"live": 20.0, "days": 6 * 3600.0}
"""How long a seek with enough players waits for more, by pace."""


_LOTS = secrets.SystemRandom()


def settle(seek: SeekState, now: float, concerned: set[int]) -> Table | None:
    """Begin a seek's game if it is full, or has enough players and has waited long enough for more.

    Otherwise update the time at which it will begin. The same round never begins twice. Adds people whose
    other seeks change as a result to `concerned`.
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
    sitters = [Sitter(guest, name=guest.name) for guest in in_seat_order(seek.terms, people)]
    table = begin(seek.terms.config(len(people)), sitters, seek.terms.control, is_rated=row.is_rated)
    SeekGame.objects.create(seek=row, round=row.round, table=table)
    notify_game_begun(row, table, seek.numbers)
    _post_remarks(seek, table)
    row.round, row.starts_at = row.round + 1, None
    row.save(update_fields=["round", "starts_at"])
    if row.round > row.times:
        end_seek(row, Seek.Ending.STARTED, now)
    if row.pace == "live":
        concerned |= end_other_live(seek.numbers, now)
    return table


def _post_remarks(seek: SeekState, table: Table) -> None:
    """Post the players' remarks in the table's chat."""
    remarks = [(seek.row.owner, seek.row.remark), *((place.guest, place.remark) for place in seek.places)]
    for guest, remark in remarks:
        if remark:
            with suppress(Refused):  # they may no longer write
                write_message(table, guest, remark, f"seek{seek.row.pk}.{seek.row.round}")


def in_seat_order(terms: SeekTerms, people: Collection[Guest]) -> list[Guest]:
    """The people in the order of their seats, drawn as the terms require. The owner must come first."""
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


def end_seek(row: Seek, ending: Seek.Ending, now: float) -> None:
    """End a seek."""
    row.ended_at, row.ending, row.starts_at = now, ending, None
    row.save(update_fields=["ended_at", "ending", "starts_at"])


def end_other_live(people: Iterable[int], now: float) -> set[int]:
    """End the live seeks of people who begin a live game, and remove them from the live seeks of others.

    Returns the numbers of all people in those seeks.
    """
    playing, concerned = tuple(people), set[int]()
    live = Seek.objects.filter(ended_at=None, pace="live")
    for row in live.filter(Q(owner__in=playing) | Q(places__guest__in=playing)).distinct():
        concerned |= people_in(row.pk)
        if row.owner_id in playing:
            end_seek(row, Seek.Ending.PLAYING, now)
        else:
            remove_people(row, playing)
    return concerned


def remove_people(row: Seek, people: Collection[int]) -> bool:
    """Remove people from the waiting round, cancelling its start if too few are left.

    Returns whether any of them had joined.
    """
    gone = row.places.filter(round=row.round, guest__in=people).delete()[0]
    there = 1 + row.places.filter(round=row.round).count()
    if row.starts_at is not None and there < row.least:
        row.starts_at = None
        row.save(update_fields=["starts_at"])
    return bool(gone)
