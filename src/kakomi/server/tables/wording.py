"""A table in words: seats, clocks, the next decision, the last action and the result."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from kakomi.core import Description
from kakomi.core.known_results import nearest_komi
from kakomi.core.level_config import Adviser
from kakomi.core.wording import names_in_words, winners_in_words
from kakomi.server.labels import allowed_label
from kakomi.server.language import deeds, translate
from kakomi.server.tables import models
from kakomi.server.tables.announcements import announcement, done, last_turns, reason, told
from kakomi.server.tables.seat_views import SeatView
from kakomi.server.tables.turn import Turn
from kakomi.session import Match, MatchGame, Table

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
