"""A seek becomes a game, and ends: inside a transaction that holds the locks of everybody in it."""

import secrets
from collections.abc import Collection, Iterable
from contextlib import suppress

from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.chat.services import write
from kakomi.server.lobby.models import Seek, SeekGame
from kakomi.server.lobby.notices import tell_begun
from kakomi.server.lobby.selectors import SeekState, people_in
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.tables.models import Table
from kakomi.server.tables.services import Sitter, begin
from kakomi.session import Refused

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
