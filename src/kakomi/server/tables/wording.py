"""A table in words: seats, the next decision, the result, and what players did besides playing."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, takewhile

from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _

from kakomi.core import Description, Position
from kakomi.core.effects import PlayedTurn, played_turns, summed, why_won
from kakomi.core.i18n import capitalised, names_in_words, winners_in_words
from kakomi.core.known_results import nearest_komi
from kakomi.core.level_config import Adviser
from kakomi.server.site.games import allowed_label
from kakomi.server.site.language import describe_actions, translate
from kakomi.server.tables import models
from kakomi.server.tables.commands import Turn
from kakomi.server.tables.seats import SeatView
from kakomi.session import Entry, Match, MatchGame, Table
from kakomi.session.events import NON_BLOCKING_KINDS

LEVEL_WORDS = (
    gettext_lazy("for a first game"),
    gettext_lazy("for a second game"),
    gettext_lazy("knows a few tricks"),
    gettext_lazy("plays with a plan"),
    gettext_lazy("a fair opponent"),
    gettext_lazy("punishes mistakes"),
    gettext_lazy("hard to surprise"),
    gettext_lazy("strong"),
    gettext_lazy("very strong"),
    gettext_lazy("thinks for about two seconds per turn"),
)
"""Levels 1 to 10 in words, for newcomers."""
LEARNED = {
    Adviser.PATTERNS: gettext_lazy("learned patterns from its own games"),
    Adviser.NETWORK: gettext_lazy("uses a neural network trained on its own games"),
}
"""The levels above 10 in words, by their adviser."""


def seat_label(seat: models.Seat) -> str:
    """The occupant of a seat, in a few words."""
    if seat.bot.isdecimal():
        return gettext("level {level}").format(level=seat.bot)
    if seat.is_free:
        return gettext("a friend")
    if seat.bot or seat.name:
        return seat.bot or seat.name
    return (seat.guest.display_name if seat.guest else gettext("deleted player")) or gettext("a guest")


def public_names(seats: Sequence[models.Seat]) -> list[str]:
    """The players' names for strangers, numbered where they would be equal."""
    names = [_public_name(seat) for seat in seats]
    twice = {name for name in names if names.count(name) > 1}
    return [
        f"{name} {names[:number].count(name) + 1}" if name in twice else name
        for number, name in enumerate(names)
    ]


def _public_name(seat: models.Seat) -> str:
    """A seat's name in a listed game. Such games have no free seats: an empty one is a deleted player's."""
    return gettext("deleted player") if not seat.bot and seat.guest_id is None else seat_label(seat)


def result_label(seats: Sequence[models.Seat]) -> str:
    """Who has won, as a sentence without its full stop.

    Empty if that isn't recorded, or if a bot has won in the place of somebody who left.
    """
    winners = [name for name, seat in zip(public_names(seats), seats, strict=True) if seat.share]
    if not winners or any(seat.share is None for seat in seats):
        return ""
    said = translate(winners_in_words(winners, len(seats)))
    is_name = said.startswith(tuple(winners))
    return said if is_name else capitalised(said)


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
"""The prompt by phase: for the viewer who decides, and for all others."""
_FAIR = gettext_lazy("Fair: {komi} ± {doubt}.")
"""For the viewer who names a komi or chooses a colour. The whole prompt has space for three lines."""


def expected(turn: Turn) -> str:
    """The next step of the player to act, by the rules."""
    return translate(turn.position.game.description.explain.expects(turn.position))


def prompt_sentence(table: Table, places: Sequence[SeatView], acting: SeatView | None, turn: Turn) -> str:
    """The next decision and who makes it, after an announcement of what somebody has just decided."""
    decision = _decision(table, places, acting, turn)
    return f"{announcement(table, places)} {decision}".strip() if not turn.is_begun else decision


def _decision(table: Table, places: Sequence[SeatView], acting: SeatView | None, turn: Turn) -> str:
    if any(place.seat.is_free for place in places):
        return _("Waiting for a player to join.")
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
    if wanted.is_replaced:
        if wanted.is_own:
            return _("The bot playing for you is thinking.")
        return _("The bot playing for {name} is thinking.").format(name=wanted.name)
    if acting is None:
        said = _("{name} is thinking.") if wanted.is_bot else _("Waiting for {name}.")
        is_clear = [place.name for place in places].count(wanted.name) == 1
        return said.format(name=wanted.name if is_clear else wanted.title)
    if turn.is_complete:
        return _("Your move is complete: confirm it or undo a step.")
    if sum(place.is_own for place in places) > 1:
        return _("{colour} to play: {expected}.").format(colour=wanted.colour, expected=expected(turn))
    return _("Your turn: {expected}.").format(expected=expected(turn))


def last_action_sentence(table: Table, places: Sequence[SeatView], kept: Collection[int] = ()) -> str:
    """The last action in words, or all turns that were made at the same time, with a sentence for each.

    `kept` are the seats whose turns were prepared by mail.
    """
    if turns := last_turns(table):
        said = (turn_sentence(table, places[seat], actions, is_kept=seat in kept) for seat, actions in turns)
        return " ".join(said)
    last = next(visible_entries(table), None)
    return entry_sentence(table, places, last) if last else ""


def turn_sentence(table: Table, place: SeatView, actions: Sequence[str], *, is_kept: bool = False) -> str:
    """A turn, or some of its actions, as a sentence."""
    said = describe_actions(table.match.current_game.game, actions)
    if is_kept:
        return _("{name} {actions} (Auto).").format(name=place.colour, actions=said)
    return _("{name} {actions}.").format(name=place.colour, actions=said)


def rematch(wanting: Sequence[SeatView]) -> str:
    """Who would like a rematch, while others have yet to agree."""
    if not wanting:
        return ""
    if any(place.is_own for place in wanting):
        return _("You offered a rematch. It starts when everyone accepts.")
    names = translate(names_in_words([place.name for place in wanting]))
    return _("{names} offered a rematch.").format(names=names)


def listing(wanting: Sequence[SeatView], *, is_listed: bool, faces_people: bool) -> str:
    """Whether a game is publicly listed, or what that still requires, for one of its players."""
    if is_listed:
        return _("This game is public.")
    if any(place.is_own for place in wanting):
        return _("The game becomes public once all players agree.")
    if wanting:
        names = translate(names_in_words([place.name for place in wanting]))
        return _("{names} would like to make this game public.").format(names=names)
    if faces_people:
        return _("Public games can be found and watched by everyone. All players have to agree.")
    return _("Public games can be found and watched by everyone.")


def headline(winners: Sequence[int], places: Sequence[SeatView]) -> str:
    """Who has won, as a headline."""
    if not winners:
        return _("No result.")
    sole = places[winners[0]] if len(winners) == 1 else None
    if sole and sole.is_replaced:
        if sole.is_own:
            return _("The bot playing for you wins.")
        return _("The bot playing for {name} wins.").format(name=sole.name)
    if sole and sole.is_own and sum(place.is_own for place in places) == 1:
        return _("You win.")
    own_first = sorted(winners, key=lambda seat: not places[seat].is_own)
    titles = [places[seat].title for seat in own_first]
    return translate(winners_in_words(titles, len(places))) + "."


def account(leg: MatchGame) -> str:
    """The parts of a game's score."""
    sentence = translate(leg.game.description.explain.account(leg.position))
    return capitalised(sentence) + "."


@dataclass(frozen=True)
class ScoreLine:
    """A player's score in a finished game, and what made it up."""

    place: SeatView
    has_won: bool
    parts: str
    """In the game's own terms, such as "2 rings closed, 7 stones captured"; may be empty."""


def score_lines(leg: MatchGame, places: Sequence[SeatView]) -> list[ScoreLine]:
    """The scores of a finished game, of the winners first."""
    turns, winners = _turns(leg.start, tuple(leg.actions())), leg.result().winners
    komi = leg.game.options.get(leg.game.description.komi_option, 0)
    lines = []
    for place in places:
        counts = summed(count for turn in turns if turn.player == place.player for count in turn.counts)
        board = f"{(place.score or 0) - komi:g}"
        parts = (
            [_("{board} + {komi} komi").format(board=board, komi=komi)] if komi and place.player == 1 else []
        )
        parts += [translate(count) for count in counts if count.values["count"]]
        lines.append(ScoreLine(place, place.number in winners, ", ".join(parts)))
    return sorted(lines, key=lambda line: (not line.has_won, -(line.place.score or 0)))


def why(leg: MatchGame, places: Sequence[SeatView]) -> str:
    """How a finished game ended, unless it was played out, and why its winner was ahead."""
    result = leg.result()
    is_played_out, said = result.reason == "rules", ""
    if len(result.winners) == 1 and leg.players and result.reason in ("rules", "resignation"):
        winner, turns = leg.players[result.winners[0]], _turns(leg.start, tuple(leg.actions()))
        said = translate(why_won(leg.start, turns, winner, is_played_out=is_played_out))
    if not is_played_out:
        return f"{reason(leg, places)} {said}".strip()
    return said or account(leg)


@lru_cache(maxsize=64)
def _turns(start: Position, actions: tuple[int, ...]) -> list[PlayedTurn]:
    return played_turns(start, actions)


@dataclass(frozen=True)
class GameResult:
    """How a game ended."""

    number: int
    """The number of the game in its match, from 1."""
    headline: str
    reason: str
    account: str
    """The parts of its score."""
    points: tuple[float, ...]
    """The score of each seat."""


def game_results(match: Match, places: Sequence[SeatView]) -> list[GameResult]:
    """The results of a match's finished games, in order."""
    return [
        GameResult(
            number,
            headline(result.winners, places),
            reason(leg, places),
            account(leg),
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
        gettext_lazy("You ask to pause the clocks."),
        gettext_lazy("{name} asks to pause the clocks."),
    ),
    "offer resume": (
        gettext_lazy("You ask to resume the clocks."),
        gettext_lazy("{name} asks to resume the clocks."),
    ),
    "decline pause": (
        gettext_lazy("You decline to pause the clocks."),
        gettext_lazy("{name} declines to pause the clocks."),
    ),
    "decline resume": (
        gettext_lazy("You decline to resume the clocks."),
        gettext_lazy("{name} declines to resume the clocks."),
    ),
    "resign": (gettext_lazy("You resign."), gettext_lazy("{name} resigns.")),
    "flag": (gettext_lazy("You ran out of time."), gettext_lazy("{name} ran out of time.")),
    "forfeit": (
        gettext_lazy("The tournament round ended on your turn."),
        gettext_lazy("The tournament round ended on {name}’s turn."),
    ),
    "absence": (
        gettext_lazy("You didn’t make your first move in time."),
        gettext_lazy("{name} didn’t make the first move in time."),
    ),
    "offer draw": (gettext_lazy("You offer a draw."), gettext_lazy("{name} offers a draw.")),
    "offer takeback": (gettext_lazy("You ask for a takeback."), gettext_lazy("{name} asks for a takeback.")),
    "accept": (gettext_lazy("You accept."), gettext_lazy("{name} accepts.")),
    "decline draw": (gettext_lazy("You decline the draw."), gettext_lazy("{name} declines the draw.")),
    "decline takeback": (
        gettext_lazy("You decline the takeback."),
        gettext_lazy("{name} declines the takeback."),
    ),
    "withdraw": (gettext_lazy("You withdraw your offer."), gettext_lazy("{name} withdraws the offer.")),
    "takeback": (gettext_lazy("You take back a move."), gettext_lazy("{name} takes back a move.")),
}
"""Sentences by kind of entry and, for offers, by what was offered: for the viewer's own, and for others'."""


_LASTING = ("komi", "colour", "swap", "decline", "takeback")
"""Kinds that are announced with the next decision until something else happens."""


_REASONS = {
    "rules": (gettext_lazy("The game is played out."),) * 2,
    "resignation": (gettext_lazy("You resigned."), gettext_lazy("{losers} resigned.")),
    "time": (gettext_lazy("You ran out of time."), gettext_lazy("{losers} ran out of time.")),
    "forfeit": (
        gettext_lazy("The tournament round ended on your turn."),
        gettext_lazy("The tournament round ended on {losers}’s turn."),
    ),
    "absence": (
        gettext_lazy("You didn’t make your first move in time."),
        gettext_lazy("{losers} didn’t make the first move in time."),
    ),
    "agreement": (gettext_lazy("Draw by agreement."),) * 2,
    "not started": (
        gettext_lazy("Game aborted: you didn’t make your first move in time."),
        gettext_lazy("Game aborted: {losers} didn’t make the first move in time."),
    ),
    "not seated": (gettext_lazy("Game cancelled: not everyone joined in time."),) * 2,
    "round over": (
        gettext_lazy("Game aborted: the tournament round ended before your first move."),
        gettext_lazy("Game aborted: the tournament round ended before {losers}’s first move."),
    ),
    "stopped": (
        gettext_lazy("You aborted the game."),
        gettext_lazy("{losers} aborted the game."),
    ),
    "declined": (
        gettext_lazy("You declined the game."),
        gettext_lazy("{losers} declined the game."),
    ),
    "declined busy": (
        gettext_lazy("You declined the game: no time right now."),
        gettext_lazy("{losers} declined the game: no time right now."),
    ),
    "declined clock": (
        gettext_lazy("You declined the game: you’d like another time control."),
        gettext_lazy("{losers} declined the game and would like another time control."),
    ),
    "declined game": (
        gettext_lazy("You declined the game: you’d like another game or board."),
        gettext_lazy("{losers} declined the game and would like another game or board."),
    ),
}


def last_entry(table: Table) -> Entry | None:
    """The last entry, except those about time off and downtime."""
    return next((entry for entry in reversed(table.history) if entry.kind not in NON_BLOCKING_KINDS), None)


def visible_entries(table: Table) -> Iterator[Entry]:
    """The entries in reverse, without time off, downtime, and a bot's unfinished turn."""
    begun = len(table.match.position.turn)
    for entry in reversed(table.history):
        if entry.kind in NON_BLOCKING_KINDS:
            continue
        begun = begun - 1 if begun and entry.kind == "play" else -1
        if begun < 0:
            yield entry


def last_turns(table: Table) -> list[tuple[int, list[str]]]:
    """The last turn, preceded by those made at the same time: plans' turns have the time of those they
    answer.

    Each is a seat and its actions. Empty if the last entry isn't part of a turn.
    """
    plays = takewhile(lambda entry: entry.kind == "play", visible_entries(table))
    turns: list[tuple[int, list[str]]] = []
    at: float | None = None
    for seat, each in groupby(plays, key=lambda entry: entry.seat):
        turn = list(each)
        if at is not None and turn[0].at != at:
            break
        at = turn[0].at
        turns.append((seat or 0, [str(entry.value) for entry in reversed(turn)]))
    if turns:  # the first group may contain several turns in a row by the same seat
        seat, actions = turns[0]
        turns[0] = (seat, actions[-max(len(table.match.position.previous_turn), 1) :])
    return turns[::-1]


def announcement(table: Table, places: Sequence[SeatView]) -> str:
    """The last entry in words, if it is of a kind that stays announced; else empty."""
    last = last_entry(table)
    return entry_sentence(table, places, last) if last and last.kind in _LASTING else ""


def entry_sentence(table: Table, places: Sequence[SeatView], entry: Entry) -> str:
    """An entry that isn't an action of the game, as a sentence."""
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
    """The seat that aborted a table or didn't begin in time; empty if not everybody sat down."""
    if table.abort is None or table.abort.value == "not seated":
        return []
    seat = table.match.to_act if table.abort.seat is None else table.abort.seat
    return [] if seat is None else [seat]


def reason_in_words(kind: str, losers: Sequence[str], *, is_you: bool) -> str:
    """Why a game ended, given the kind of the reason and the names of those who lost by it."""
    own, others = _REASONS[kind]
    return str(own if is_you else others).format(losers=translate(names_in_words(losers)))


def _kind(table: Table, entry: Entry) -> str:
    """The key of an entry in `_DONE`; what was declined is the last offer."""
    if entry.kind == "flag":
        left = {leaver.seat: leaver.reason for leaver in table.match.current_game.leavers}
        return "absence" if left.get(int(entry.value or 0)) == "absence" else "flag"
    if entry.kind == "offer":
        return f"offer {entry.value}"
    if entry.kind == "decline":
        before = takewhile(lambda each: each is not entry, table.history)
        offered = [each.value for each in before if each.kind == "offer"][-1]
        return f"decline {offered}"
    return entry.kind


def _is_you(those: Sequence[SeatView], places: Sequence[SeatView]) -> bool:
    """Whether the only one of those is the viewer, who has no other seat."""
    is_alone = len(those) == 1 and those[0].is_own
    return is_alone and sum(place.is_own for place in places) == 1
