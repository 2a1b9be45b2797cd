"""A table in words: seats, the next decision, the result, and what players did other than play."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from kakomi.core import Description
from kakomi.core.known_results import nearest_komi
from kakomi.core.level_config import Adviser
from kakomi.core.wording import names_in_words, winners_in_words
from kakomi.server.games import allowed_label
from kakomi.server.language import deeds, translate
from kakomi.server.tables import models
from kakomi.server.tables.commands import Turn
from kakomi.server.tables.seats import SeatView
from kakomi.session import Entry, Match, MatchGame, Table
from kakomi.session.events import QUIET

LEVEL_WORDS = (
    gettext_lazy("for a first game"),
    gettext_lazy("for a second game"),
    gettext_lazy("knows a trick or two"),
    gettext_lazy("plays with a plan"),
    gettext_lazy("a fair opponent"),
    gettext_lazy("punishes mistakes"),
    gettext_lazy("hard to surprise"),
    gettext_lazy("strong"),
    gettext_lazy("very strong"),
    gettext_lazy("thinks for about two seconds a turn"),
)
"""Levels 1 to 10 in words, for newcomers;"""
LEARNED = {
    Adviser.PATTERNS: gettext_lazy("has learned patterns from its own games"),
    Adviser.NETWORK: gettext_lazy("asks a network that learned from its own games"),
}
"""and those above, by who advises them."""


def seat_label(seat: models.Seat) -> str:
    """The occupant of a seat, in a few words."""
    if seat.bot.isdecimal():
        return gettext("level {level}").format(level=seat.bot)
    if seat.is_free:
        return gettext("a friend")
    if seat.bot or seat.name:
        return seat.bot or seat.name
    return (seat.guest.called if seat.guest else gettext("deleted player")) or gettext("a guest")


def public_names(seats: Sequence[models.Seat]) -> list[str]:
    """The players of a game that strangers look at, each with a name of their own."""
    names = [_public_name(seat) for seat in seats]
    twice = {name for name in names if names.count(name) > 1}
    return [
        f"{name} {names[:number].count(name) + 1}" if name in twice else name
        for number, name in enumerate(names)
    ]


def _public_name(seat: models.Seat) -> str:
    """Nobody is invited any more to a game that is listed: who is missing was there once."""
    return gettext("deleted player") if not seat.bot and seat.guest_id is None else seat_label(seat)


def result_label(seats: Sequence[models.Seat]) -> str:
    """Who has won, as a sentence without its stop; empty if nobody knows."""
    if any(seat.share is None for seat in seats):
        return ""
    winners = [name for name, seat in zip(public_names(seats), seats, strict=True) if seat.share]
    said = translate(winners_in_words(winners, len(seats)))
    return said[:1].upper() + said[1:]


def level_label(description: Description, level: int) -> str:
    """A game's level in words."""
    if level <= len(LEVEL_WORDS):
        return str(LEVEL_WORDS[level - 1])
    return str(LEARNED.get(description.levels[level - 1].adviser, LEVEL_WORDS[-1]))


_WANTED = {
    "komi": (
        gettext_lazy("Name a komi, points for White: {range}. Then your opponent chooses a colour."),
        gettext_lazy("{name} names a komi; then a colour is chosen."),
    ),
    "colour": (
        gettext_lazy("Choose your colour."),
        gettext_lazy("{name} chooses a colour."),
    ),
}
"""By phase: for the viewer who decides, and for all others."""
_FAIR = gettext_lazy("Fair for bots: {komi} ± {doubt}.")
"""For whoever names a komi, and for whoever chooses a colour; there is room for three lines in all."""


def expected(turn: Turn) -> str:
    """The next step of the player to act, by the rules."""
    return translate(turn.position.game.description.explain.expects(turn.position))


def prompt(table: Table, places: Sequence[SeatView], acting: SeatView | None, turn: Turn) -> str:
    """The next decision, who makes it, and before that what somebody has just decided."""
    decision = _decision(table, places, acting, turn)
    return f"{announcement(table, places)} {decision}".strip() if not turn.is_begun else decision


def _decision(table: Table, places: Sequence[SeatView], acting: SeatView | None, turn: Turn) -> str:
    if any(place.seat.is_free for place in places):
        return _("Waiting for somebody to sit down.")
    if table.to_act is None:
        over = _("The match is over.") if table.match.config.games > 1 else _("The game is over.")
        return f"{over} {headline(table.ending.winners if table.ending else (), places)}"
    phase, wanted = table.match.phase, places[table.to_act]
    if phase in _WANTED:
        own, others = _WANTED[phase]
        game = table.match.current_game.game
        allowed = game.description.komi.allowed_given(game.options)
        said = str(own if acting else others).format(name=wanted.name, range=allowed_label(allowed))
        known = game.description.fair_komi(game.options) if acting else None
        if not known:
            return said
        fair = _FAIR.format(komi=nearest_komi(known.fair, allowed), doubt=known.doubt)
        return f"{said} {fair}"
    if wanted.is_preparing:
        return _("{name} is getting ready: this machine prepares the game, once.").format(name=wanted.name)
    if wanted.is_replaced:
        if wanted.is_own:
            return _("The bot at your seat is thinking.")
        return _("The bot at {name}’s seat is thinking.").format(name=wanted.name)
    if acting is None:
        said = _("{name} is thinking.") if wanted.is_bot else _("Waiting for {name}.")
        is_clear = [place.name for place in places].count(wanted.name) == 1
        return said.format(name=wanted.name if is_clear else wanted.title)
    if turn.is_complete:
        return _("Your turn is complete: confirm it, or undo a step.")
    if sum(place.is_own for place in places) > 1:
        return _("{colour} to play: {expected}.").format(colour=wanted.colour, expected=expected(turn))
    return _("Your turn: {expected}.").format(expected=expected(turn))


def latest(table: Table, places: Sequence[SeatView], kept: Collection[int] = ()) -> str:
    """What was done last: a sentence for each turn, and all turns that came in the same moment.

    `kept` are the seats whose turns in it had been kept by mail.
    """
    if turns := last_turns(table):
        said = (turn_told(table, places[seat], actions, is_kept=seat in kept) for seat, actions in turns)
        return " ".join(said)
    last = next(told(table), None)
    return done(table, places, last) if last else ""


def turn_told(table: Table, place: SeatView, actions: Sequence[str], *, is_kept: bool = False) -> str:
    """A turn, or some of its actions, as a sentence."""
    said = deeds(table.match.current_game.game, actions)
    if is_kept:
        return _("{name} {deeds} (Auto).").format(name=place.colour, deeds=said)
    return _("{name} {deeds}.").format(name=place.colour, deeds=said)


def rematch(wanting: Sequence[SeatView]) -> str:
    """Who would like a rematch, while it waits for others."""
    if not wanting:
        return ""
    if any(place.is_own for place in wanting):
        return _("You would like a rematch; it begins when everybody agrees.")
    names = translate(names_in_words([place.name for place in wanting]))
    return _("{names} would like a rematch.").format(names=names)


def listing(wanting: Sequence[SeatView], *, is_listed: bool, faces_people: bool) -> str:
    """Whether everybody can find a game, or what that still takes, for one of its players."""
    if is_listed:
        return _("This game is listed for everybody.")
    if any(place.is_own for place in wanting):
        return _("It is listed as soon as everybody who plays here agrees.")
    if wanting:
        names = translate(names_in_words([place.name for place in wanting]))
        return _("{names} would like to list this game for everybody.").format(names=names)
    if faces_people:
        return _("Once it is listed, everybody can find and watch it. All who play here have to agree.")
    return _("Once it is listed, everybody can find and watch it.")


def headline(winners: Sequence[int], places: Sequence[SeatView]) -> str:
    """Who has won, as a headline."""
    if not winners:
        return _("No result.")
    sole = places[winners[0]] if len(winners) == 1 else None
    if sole and sole.is_replaced:
        if sole.is_own:
            return _("The bot at your seat wins.")
        return _("The bot at {name}’s seat wins.").format(name=sole.name)
    if sole and sole.is_own and sum(place.is_own for place in places) == 1:
        return _("You win.")
    own_first = sorted(winners, key=lambda seat: not places[seat].is_own)
    return translate(winners_in_words(_titles(own_first, places), len(places))) + "."


def account(leg: MatchGame) -> str:
    """The parts of a game's score."""
    sentence = translate(leg.game.description.explain.account(leg.position))
    return sentence[:1].upper() + sentence[1:] + "."


def _titles(seats: Sequence[int], places: Sequence[SeatView]) -> list[str]:
    return [places[seat].title for seat in seats]


@dataclass(frozen=True)
class GameResult:
    """How a game ended."""

    number: int
    """The first of a match is 1."""
    headline: str
    reason: str
    account: str
    """The parts of its score."""
    is_played_out: bool
    """Whether the rules ended it."""
    points: tuple[float, ...]
    """The score of each seat."""


def game_results(match: Match, places: Sequence[SeatView]) -> list[GameResult]:
    """Those of a match, in their order."""
    return [
        GameResult(
            number,
            headline(result.winners, places),
            reason(leg, places),
            account(leg),
            result.reason == "rules",
            result.points,
        )
        for number, (leg, result) in enumerate(zip(match.games, match.results(), strict=False), 1)
    ]


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
