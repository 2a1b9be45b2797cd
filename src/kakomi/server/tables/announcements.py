"""What players did otherwise than by playing, each in a sentence: to those who did it, and to all others."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from kakomi.core.wording import names_in_words
from kakomi.server.language import translate
from kakomi.server.tables.seat_views import SeatView
from kakomi.session import Entry, MatchGame, Table

_DONE = {
    "komi": (
        gettext_lazy("You name a komi of {komi}."),
        gettext_lazy("{name} names a komi of {komi}."),
    ),
    "colour": (
        gettext_lazy("You take {colour}, with a komi of {komi}."),
        gettext_lazy("{name} takes {colour}, with a komi of {komi}."),
    ),
    "swap": (gettext_lazy("You swap colours."), gettext_lazy("{name} swaps colours.")),
    "resign": (gettext_lazy("You resign."), gettext_lazy("{name} resigns.")),
    "flag": (gettext_lazy("Your time is up."), gettext_lazy("{name} has run out of time.")),
    "offer draw": (gettext_lazy("You offer a draw."), gettext_lazy("{name} offers a draw.")),
    "offer takeback": (gettext_lazy("You ask for a takeback."), gettext_lazy("{name} asks for a takeback.")),
    "accept": (gettext_lazy("You agree."), gettext_lazy("{name} agrees.")),
    "decline draw": (gettext_lazy("You decline the draw."), gettext_lazy("{name} declines the draw.")),
    "decline takeback": (
        gettext_lazy("You decline the takeback."),
        gettext_lazy("{name} declines the takeback."),
    ),
    "withdraw": (gettext_lazy("You withdraw your offer."), gettext_lazy("{name} withdraws the offer.")),
    "takeback": (gettext_lazy("You take a turn back."), gettext_lazy("{name} takes a turn back.")),
}
"""By kind, and by what was offered where that says what it is about."""
_LASTING = ("komi", "colour", "swap", "decline", "takeback")
"""Kinds that are said beside the next decision until something else happens."""
_REASONS = {
    "rules": (gettext_lazy("The game is played out."),) * 2,
    "resignation": (gettext_lazy("You resigned."), gettext_lazy("{losers} resigned.")),
    "time": (gettext_lazy("Your time was up."), gettext_lazy("{losers} ran out of time.")),
    "agreement": (gettext_lazy("The players agreed on a draw."),) * 2,
}


def announcement(table: Table, places: Sequence[SeatView]) -> str:
    """The last thing that was done, if it is one that the page goes on saying; else empty."""
    if not table.history or table.history[-1].kind not in _LASTING:
        return ""
    return done(table, places)


def done(table: Table, places: Sequence[SeatView]) -> str:
    """The last entry of a table's log, which is none of play, as a sentence."""
    entry, leg = table.history[-1], table.match.current_game
    place = places[entry.seat if entry.seat is not None else int(entry.value or 0)]
    own, others = _DONE[_kind(table, entry)]
    is_named = entry.kind in ("komi", "colour") or not place.colour
    return str(own if _is_you([place], places) else others).format(
        name=place.name if is_named else place.colour, colour=place.colour, komi=leg.komi
    )


def reason(leg: MatchGame, places: Sequence[SeatView]) -> str:
    """Why a game ended."""
    kind = leg.result().reason
    gone = [seat for seat in leg.resigned_seats if (leg.players or ())[seat] in leg.out_of_time]
    losers = [places[seat] for seat in leg.resigned_seats if (seat in gone) == (kind == "time")]
    own, others = _REASONS[kind]
    names = translate(names_in_words([place.title for place in losers]))
    return str(own if _is_you(losers, places) else others).format(losers=names)


def _kind(table: Table, entry: Entry) -> str:
    """A key of `_DONE`; what was declined is the last thing that was offered."""
    if entry.kind == "offer":
        return f"offer {entry.value}"
    if entry.kind == "decline":
        offered = next(each.value for each in reversed(table.history) if each.kind == "offer")
        return f"decline {offered}"
    return entry.kind


def _is_you(those: Sequence[SeatView], places: Sequence[SeatView]) -> bool:
    """Whether somebody is the viewer, who has no other seat."""
    is_alone = len(those) == 1 and those[0].is_own
    return is_alone and sum(place.is_own for place in places) == 1
