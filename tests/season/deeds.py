"""Choosing and executing the actions of people who visit the site's pages in a season."""

import random
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.db.models import F
from django.http import Http404

from kakomi.core import IllegalAction
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.feed import topic_of
from kakomi.server.moderation.models import Case
from kakomi.server.site import clock
from kakomi.server.tables import selectors
from kakomi.server.tables.models import Seat
from kakomi.session import Refused
from season import lobby_deeds, moderation_deeds, table_deeds, tournament_deeds
from season.ears import EARS

Deed = dict[str, Any]
"""An action as data: `do` names one of `DEEDS`, the rest are its arguments."""
DEEDS: dict[str, Callable[[Guest, Deed], object]] = {
    **table_deeds.DEEDS,
    **lobby_deeds.DEEDS,
    **tournament_deeds.DEEDS,
    **moderation_deeds.DEEDS,
}
OF_STAFF = ("decide", "ask_erasure", "confirm_erasure", "withdraw_erasure", "remove_message")
"""Actions with an entry in the audit log of staff."""


def look(person: int, seed: int, slowness: float) -> list[Deed]:
    """The actions of a person who visits now, drawn from the seed."""
    EARS.listen(topic_of(person))
    cache.add(f"season-{person}", 0)  # never fails, whatever is away
    guest = Guest.objects.get(pk=person)
    if guest.is_erased:
        return []
    chance = random.Random(seed)
    if guest.user.is_staff:
        return keyed(list(moderation_deeds.of_staff(guest, chance, slowness)), person, seed)
    rows = list(selectors.tables_of(guest, is_over=False))
    deeds = [deed for row in rows for deed in table_deeds.at_table(row, guest, chance)]
    if len(rows) < lobby_deeds.MOST_GAMES:
        deeds += lobby_deeds.in_lobby(guest, chance, slowness)
    deeds += tournament_deeds.at_tournaments(guest, chance, slowness)
    if chance.random() < 0.01:
        deeds.append({"do": "rest", "days": chance.uniform(0.5, 3)})
    deeds += moderation_deeds.about_others(guest, rows, chance)
    return keyed(deeds, person, seed)


def keyed(deeds: list[Deed], person: int, seed: int) -> list[Deed]:
    """Actions with their person and unique keys."""
    return [deed | {"person": person, "key": f"season-{seed}-{n}"} for n, deed in enumerate(deeds)]


def do(deed: Deed) -> str:
    """Execute an action. The answer is `done` or the reason for a refusal."""
    guest = Guest.objects.get(pk=deed["person"])
    if deed["do"] == "act":
        EARS.listen(deed["code"])
    if guest.is_erased and deed["do"] != "erase":
        return "refused: they are erased"
    try:
        DEEDS[deed["do"]](guest, deed)
    except (Refused, IllegalAction, Http404, Case.DoesNotExist) as error:
        return f"refused: {error}"
    return "done"


def warned(seconds: float) -> list[int]:
    """People whose time at a table runs out within a number of seconds, of which the site warns them."""
    soon = Seat.objects.filter(table__is_over=False, table__due_at__lt=clock.now() + seconds)
    acting = soon.filter(number=F("table__to_act"), guest__is_erased=False)
    return sorted(set(acting.values_list("guest", flat=True)))


COMMANDS: dict[str, Callable[..., Any]] = {"look": look, "do": do, "warned": warned}
