"""A match: its seats, games, events and ending; offers of one seat to the others, and takebacks."""

import math
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from kakomi.bots import Bot
from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.session.events import Event, OfferKind
from kakomi.session.exceptions import Refused
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.match_game import MatchGame, Phase, Reason, Result, leave_reason

VERSION = 1
"""The version of the data that `to_json` writes."""


@dataclass(frozen=True, eq=False)
class Match:
    """The state of a match. Immutable: an event returns the next `Match`, whose `before` is this one."""

    config: MatchConfig
    seats: tuple[Seat, ...]
    games: tuple[MatchGame, ...]
    """The games, finished ones first; the last is the one being played."""
    last: Event | None = None
    before: "Match | None" = None

    @staticmethod
    def begun(config: MatchConfig, seats: Collection[Seat]) -> "Match":
        """Return a match without events. Raises Refused if the number of seats doesn't fit the game."""
        if len(seats) != config.game.players:
            title = config.game.description.title
            raise Refused(f"{title} needs {config.game.players} seats here, not {len(seats)}")
        return Match(config, tuple(seats), (MatchGame.begun(config, config.first),))

    @property
    def current_game(self) -> MatchGame:
        """The game being played, or the last one."""
        return self.games[-1]

    @property
    def position(self) -> Position:
        """The position of the game being played."""
        return self.current_game.position

    @property
    def phase(self) -> Phase:
        """The next decision."""
        return self.current_game.phase

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the match is over."""
        return self.current_game.to_act

    @property
    def is_over(self) -> bool:
        """Whether all games have been played."""
        return self.current_game.is_over

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(match.last for match in reversed(list(self._back())) if match.last)

    @property
    def first_seats(self) -> tuple[Seat, ...]:
        """The original seats, before bots took over any."""
        return next(match.seats for match in self._back() if match.before is None)

    def name_komi(self, seat: int, komi: int, *, seconds: float | None = None) -> "Match":
        """Name the komi as first player (RULES L5)."""
        return self.apply(Event(seat, "komi", komi, seconds))

    def choose_player(self, seat: int, player: int, *, seconds: float | None = None) -> "Match":
        """Choose a colour as second player (RULES L5)."""
        return self.apply(Event(seat, "colour", player, seconds))

    def swap(self, seat: int, *, seconds: float | None = None) -> "Match":
        """Take over the first turn's stones as second player."""
        return self.apply(Event(seat, "swap", None, seconds))

    def play(self, seat: int, text: str, *, seconds: float | None = None) -> "Match":
        """Play an action, or several of a turn separated by spaces.

        Raises Refused if it isn't this seat's turn, IllegalAction if the rules forbid it.
        """
        return self.apply(Event(seat, "play", text, seconds))

    def resign(self, seat: int, *, seconds: float | None = None) -> "Match":
        """Resign the current game (RULES G8, N11)."""
        self.expect_colours()
        return self.apply(Event(seat, "resign", None, seconds))

    def expect_colours(self) -> None:
        """Raise Refused while komi and colours aren't settled: the game can't be resigned yet."""
        if self.current_game.players is None:
            raise Refused(lazy_message("you can’t resign before the game has started"))

    def apply(self, event: Event) -> "Match":
        """Return the match after an event. Raises Refused, or IllegalAction if the rules forbid an action."""
        match_game, seat, value, seats = self.current_game, event.seat, event.value, self.seats
        match event.kind:
            case "komi":
                match_game = match_game.name_komi(seat, int(value or 0))
            case "colour":
                match_game = match_game.choose_player(seat, int(value or 0))
            case "swap":
                match_game = match_game.swap(seat)
            case "play":
                match_game = match_game.play(seat, str(value))
            case "resign":
                match_game = match_game.resign(seat)
            case "flag":
                match_game = match_game.resign(seat, "time")
            case "forfeit":
                match_game = match_game.resign(seat, "forfeit")
            case "absence":
                match_game = match_game.resign(seat, "absence")
            case "draw":
                match_game = match_game.agree_draw(seat)
            case "replace":
                reason, _, bot = str(value).partition(" ")
                match_game = match_game.replace_with_bot(seat, leave_reason(reason))
                seats = (*seats[:seat], Seat(seats[seat].name, bot), *seats[seat + 1 :])
        games = (*self.games[:-1], match_game, *self._next_game(match_game))
        return Match(self.config, seats, games, event, self)

    def action_by_action(self, seat: int, after: "Match") -> "Match":
        """Split what a seat played at once into one event per action, so that each can be taken back. Raises
        Refused if the text continues into another seat's turn."""
        match_game = after.games[len(self.games) - 1]
        plies = enumerate(match_game.position.actions_since(self.position) or (), self.position.ply)
        actions = [action for ply, action in plies if ply not in match_game.automatic]
        if len(actions) == 1:
            return after
        match = self
        for action in actions:
            match = match.play(seat, match_game.game.action_texts[action])
        return match

    def taken_back(self, seats: Collection[int]) -> "Match":
        """Return the match before the last event of these seats. Raises Refused if there is none."""
        for match in self._back():
            if match.last and match.last.seat in seats and match.before:
                return match.before
        raise Refused(lazy_message("there is no move to take back"))

    def results(self) -> tuple[Result, ...]:
        """Return the results of the finished games."""
        return tuple(game.result() for game in self.games if game.is_over)

    def points(self, games: Sequence[MatchGame] | None = None) -> tuple[float, ...]:
        """Return each seat's total score over the given games, by default all finished ones (RULES N11)."""
        finished = [game for game in (self.games if games is None else games) if game.is_over]
        scored = [game.result().points for game in finished] + [
            self.config.brought or (0.0,) * len(self.seats)
        ]
        return tuple(math.fsum(points[seat] for points in scored) for seat in range(len(self.seats)))

    def winners(self) -> tuple[int, ...]:
        """Return the seats that won or share the win. Raises Refused while the match isn't over."""
        if not self.is_over:
            raise Refused(lazy_message("the match isn't over yet"))
        if self.config.games == 1:
            return self.current_game.result().winners
        points = self.points()
        return tuple(seat for seat, total in enumerate(points) if total == max(points))

    def people_but(self, seat: int) -> tuple[int, ...]:
        """Return the seats of other people who are still in the game."""
        left = {seat, *self.current_game.resigned_seats}
        return tuple(other for other, who in enumerate(self.seats) if other not in left and not who.is_bot)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data: the configuration, seats and events, which determine everything else."""
        return {
            "kakomi_match": VERSION,
            "terms": self.config.to_json(),
            "seats": [seat.to_json() for seat in self.first_seats],
            "events": [event.to_json() for event in self.events],
        }

    @staticmethod
    def from_json(data: Any) -> "Match":
        """Read a match from JSON data. Raises Refused with the first error in it."""
        if not isinstance(data, Mapping) or data.get("kakomi_match") != VERSION:
            raise Refused(f"this isn't a match of version {VERSION}")
        seats, events = data.get("seats"), data.get("events")
        if not isinstance(seats, list) or not isinstance(events, list):
            raise Refused("a match should have lists of 'seats' and 'events'")
        match = Match.begun(
            MatchConfig.from_json(data.get("terms")), [Seat.from_json(seat) for seat in seats]
        )
        for number, event in enumerate(events, 1):
            try:
                match = match.apply(Event.from_json(event))
            except ValueError as error:
                raise Refused(f"event {number}: {error}") from None
        return match

    def __reduce__(self) -> tuple[Any, ...]:
        return Match.from_json, (self.to_json(),)

    def _next_game(self, match_game: MatchGame) -> tuple[MatchGame, ...]:
        """Return the next game, if there is one, with the next seat as first player (RULES N11)."""
        if not match_game.is_over or self.config.played + len(self.games) == self.config.games:
            return ()
        return (MatchGame.begun(self.config, (match_game.first + 1) % len(self.seats)),)

    def _back(self) -> Iterator["Match"]:
        match: Match | None = self
        while match:
            yield match
            match = match.before


EndReason = Reason | Literal["aborted"]
"""Why a match ended."""


@dataclass(frozen=True)
class Ending:
    """The result of a match, by seat."""

    reason: EndReason
    """Why the last game ended; an aborted match has no result and doesn't count."""
    winners: tuple[int, ...]
    """The seats that won or share the win: all after a draw, none in an aborted match."""
    points: tuple[float, ...]
    """The score of each seat over all games."""

    @staticmethod
    def of(match: Match) -> "Ending | None":
        """Return the ending of a match; None while it isn't over."""
        if not match.is_over:
            return None
        return Ending(match.current_game.result().reason, match.winners(), match.points())


def act_for_bot(match: Match, bot: Bot, *, stop: threading.Event | None = None) -> Match:
    """Let the bot whose seat is to act make a decision, and return the match after it.

    Once `stop` is set, the bot uses the best action found so far. Raises Refused if the match is over.
    """
    seat, match_game = match.to_act, match.current_game
    if seat is None:
        raise Refused(lazy_message("the match is over"))
    if match_game.phase == "komi":
        return match.name_komi(seat, bot.name_komi(match_game.game))
    if match_game.phase == "colour":
        return match.choose_player(seat, bot.choose_player(match_game.game, match_game.komi or 0))
    if match_game.may_swap and bot.wants_swap(match_game.position, stop=stop):
        return match.swap(seat)
    return match.play(seat, match_game.game.action_texts[bot.choose(match_game.position, stop=stop)])


@dataclass(frozen=True)
class Offer:
    """An open offer."""

    kind: OfferKind
    seat: int
    """The seat that made it."""
    waiting: tuple[int, ...]
    """The seats that still have to answer."""

    def accepted_by(self, seat: int) -> "Offer":
        """Return the offer after a seat has accepted it."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def lapses_when_acting(self, seat: int) -> bool:
        """Whether it lapses when a seat plays: one that has to answer, or one that asked for a takeback."""
        return seat in self.waiting or (self.kind == "takeback" and seat == self.seat)


TO_BE_ANSWERED = {
    "draw": lazy_message("answer the draw offer first"),
    "takeback": lazy_message("answer the takeback request first"),
    "pause": lazy_message("answer the request to pause the clocks first"),
    "resume": lazy_message("answer the request to resume the clocks first"),
}
"""The reason why no offer can be made while one is open."""
OFFERED_BEFORE = {
    "draw": lazy_message("you can offer a draw again after your next move"),
    "takeback": lazy_message("you can ask for a takeback again after your next move"),
    "pause": lazy_message("you can ask for a pause again after your next move"),
    "resume": lazy_message("you can ask again after your next move"),
}
"""The reason why an offer can't be made again yet."""

DECISIONS = ("komi", "colour", "swap", "play")
"""The events that can be taken back."""
LEAVING = ("resign", "flag", "forfeit", "absence", "replace")
"""The events that can't: a player who has left a game doesn't return."""


def expect_still_in(match: Match, seat: int) -> None:
    """Raise Refused if the seat's player has left the game."""
    if seat in match.current_game.resigned_seats:
        raise Refused(lazy_message("seat {seat} has left the game, and that can’t be undone", seat=seat))


def take_back(match: Match, seat: int) -> Match:
    """Return the match as it was when the seat made its last decision.

    During its own turn, this takes back one action; a complete turn is taken back to its start. Finished
    games stay finished, and players who have left since stay out. Raises Refused if there is nothing to take
    back.
    """
    expect_still_in(match, seat)
    back = _before_last_decision(match, seat)
    in_own_turn = match.to_act == seat and match.position.turn
    while not in_own_turn and back.position.turn and back.before:
        back = back.before
    return _without_those_who_left(back, match)


def _before_last_decision(match: Match, seat: int) -> Match:
    back: Match | None = match
    while back and back.last and back.before and len(back.before.games) == len(match.games):
        if back.last.seat == seat and back.last.kind in DECISIONS:
            return back.before
        back = back.before
    raise Refused(lazy_message("there is no move to take back"))


def _without_those_who_left(back: Match, match: Match) -> Match:
    """Return an earlier state of a match, in which everyone who has left since leaves in the same order."""
    events, step = [], match
    while step is not back and step.before:
        if step.last and step.last.kind in LEAVING:
            events.append(step.last)
        step = step.before
    for event in reversed(events):
        back = back.apply(event)
    return back
