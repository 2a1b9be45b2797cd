"""What players did otherwise than by playing, each in a sentence: to those who did it, and to all others."""

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from django.utils.translation import gettext_lazy

from kakomi.core.wording import names_in_words
from kakomi.server.language import translate
from kakomi.server.tables.seat_views import SeatView
from kakomi.session import Entry, MatchGame, Table
from kakomi.session.events import QUIET

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
    "offer pause": (
        gettext_lazy("You ask to stop the clocks."),
        gettext_lazy("{name} asks to stop the clocks."),
    ),
    "offer resume": (
        gettext_lazy("You ask to let the clocks run."),
        gettext_lazy("{name} asks to let the clocks run."),
    ),
    "decline pause": (
        gettext_lazy("You don’t want the clocks stopped."),
        gettext_lazy("{name} doesn’t want the clocks stopped."),
    ),
    "decline resume": (
        gettext_lazy("You don’t want the clocks to run yet."),
        gettext_lazy("{name} doesn’t want the clocks to run yet."),
    ),
    "resign": (gettext_lazy("You resign."), gettext_lazy("{name} resigns.")),
    "flag": (gettext_lazy("Your time is up."), gettext_lazy("{name} has run out of time.")),
    "forfeit": (
        gettext_lazy("The round of the tournament ended, and you had to act."),
        gettext_lazy("The round of the tournament ended, and {name} had to act."),
    ),
    "absence": (
        gettext_lazy("You didn’t begin in time."),
        gettext_lazy("{name} didn’t begin in time."),
    ),
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
    "forfeit": (
        gettext_lazy("The round of the tournament ended, and you had to act."),
        gettext_lazy("The round of the tournament ended, and {losers} had to act."),
    ),
    "absence": (
        gettext_lazy("You didn’t begin in time, and lost the game."),
        gettext_lazy("{losers} didn’t begin in time, and lost the game."),
    ),
    "agreement": (gettext_lazy("The players agreed on a draw."),) * 2,
    "not started": (
        gettext_lazy("You didn’t begin in time, so the game doesn’t count."),
        gettext_lazy("{losers} didn’t begin in time, so the game doesn’t count."),
    ),
    "not seated": (gettext_lazy("Not everybody sat down in time, so there is no game."),) * 2,
    "round over": (
        gettext_lazy("The round of the tournament ended before you had begun, so the game doesn’t count."),
        gettext_lazy(
            "The round of the tournament ended before {losers} had begun, so the game doesn’t count."
        ),
    ),
    "stopped": (
        gettext_lazy("You ended the game before everybody had begun, so it doesn’t count."),
        gettext_lazy("{losers} ended the game before everybody had begun, so it doesn’t count."),
    ),
    "declined": (
        gettext_lazy("You declined the game."),
        gettext_lazy("{losers} declined the game."),
    ),
    "declined busy": (
        gettext_lazy("You declined the game: you have no time now."),
        gettext_lazy("{losers} declined the game, having no time now."),
    ),
    "declined clock": (
        gettext_lazy("You declined the game: you would like another clock."),
        gettext_lazy("{losers} declined the game, and would like another clock."),
    ),
    "declined game": (
        gettext_lazy("You declined the game: you would like another game or board."),
        gettext_lazy("{losers} declined the game, and would like another game or board."),
    ),
}


def last_entry(table: Table) -> Entry | None:
    """The last thing that was done, beside what the site notes of rests and of its own downtime."""
    return next((entry for entry in reversed(table.history) if entry.kind not in QUIET), None)


def told(table: Table) -> Iterator[Entry]:
    """All that was done, the last first, but for a turn that goes on: bots enter each action by itself."""
    begun = len(table.match.position.turn)
    for entry in reversed(table.history):
        if entry.kind in QUIET:
            continue
        begun = begun - 1 if begun and entry.kind == "play" else -1
        if begun < 0:
            yield entry


def last_turns(table: Table) -> list[tuple[int, list[str]]]:
    """The last turn, behind those that came in the same moment: plans answer in that of what they answer.

    Each is its seat and its actions. Empty if something else was done last.
    """
    plays = takewhile(lambda entry: entry.kind == "play", told(table))
    turns: list[tuple[int, list[str]]] = []
    at: float | None = None
    for seat, each in groupby(plays, key=lambda entry: entry.seat):
        turn = list(each)
        if at is not None and turn[0].at != at:
            break
        at = turn[0].at
        turns.append((seat or 0, [str(entry.value) for entry in reversed(turn)]))
    if turns:  # one may have had several turns, one after the other
        seat, actions = turns[0]
        turns[0] = (seat, actions[-max(len(table.match.position.previous_turn), 1) :])
    return turns[::-1]


def announcement(table: Table, places: Sequence[SeatView]) -> str:
    """The last thing that was done, if it is one that the page goes on saying; else empty."""
    last = last_entry(table)
    return done(table, places, last) if last and last.kind in _LASTING else ""


def done(table: Table, places: Sequence[SeatView], entry: Entry) -> str:
    """The last entry of a table's log, which is none of play, as a sentence."""
    leg = table.match.current_game
    if entry.kind == "abort":
        return abort_reason(table, places)
    place = places[entry.seat if entry.seat is not None else int(entry.value or 0)]
    own, others = _DONE[_kind(table, entry)]
    is_named = entry.kind in ("komi", "colour") or not place.colour
    return str(own if _is_you([place], places) else others).format(
        name=place.name if is_named else place.colour, colour=place.colour, komi=leg.komi
    )


def reason(leg: MatchGame, places: Sequence[SeatView]) -> str:
    """Why a game ended."""
    kind = leg.result().reason
    losers = [places[seat] for seat in leg.seats_out_by(kind)]
    return reason_in_words(kind, [place.title for place in losers], is_you=_is_you(losers, places))


def abort_reason(table: Table, places: Sequence[SeatView]) -> str:
    """Why a table ended without a result; empty for one that didn't."""
    if table.abort is None:
        return ""
    losers = [places[seat] for seat in abort_seats(table)]
    names = [place.name for place in losers]
    return reason_in_words(str(table.abort.value), names, is_you=_is_you(losers, places))


def abort_seats(table: Table) -> list[int]:
    """Who ended a table that has no result, or didn't begin in time; nobody where nobody sat down."""
    if table.abort is None or table.abort.value == "not seated":
        return []
    seat = table.match.to_act if table.abort.seat is None else table.abort.seat
    return [] if seat is None else [seat]


def reason_in_words(kind: str, losers: Sequence[str], *, is_you: bool) -> str:
    """Why a game ended, by the kind of its reason and those who lost by it."""
    own, others = _REASONS[kind]
    return str(own if is_you else others).format(losers=translate(names_in_words(losers)))


def _kind(table: Table, entry: Entry) -> str:
    """A key of `_DONE`; what was declined is the last thing that was offered."""
    if entry.kind == "flag":
        left = {leaver.seat: leaver.reason for leaver in table.match.current_game.leavers}
        return "absence" if left.get(int(entry.value or 0)) == "absence" else "flag"
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
