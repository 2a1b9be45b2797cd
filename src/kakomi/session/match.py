"""A match: people and bots, one game or several, all that has happened, and how it ended; offers of one seat
to the others, and takebacks.
"""

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
"""Of the data that `to_json` writes."""


@dataclass(frozen=True, eq=False)
class Match:
    """A match as it stands. Immutable: an event gives the next `Match`, which knows this one as `before`."""

    config: MatchConfig
    seats: tuple[Seat, ...]
    games: tuple[MatchGame, ...]
    """The games, finished ones first; the last is the one being played."""
    last: Event | None = None
    before: "Match | None" = None

    @staticmethod
    def begun(config: MatchConfig, seats: Collection[Seat]) -> "Match":
        """A match in which nothing has happened. Raises Refused if there are too few seats or too many."""
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
        """All that has happened."""
        return tuple(match.last for match in reversed(list(self._back())) if match.last)

    @property
    def first_seats(self) -> tuple[Seat, ...]:
        """Who sat down, before bots took over from some."""
        return next(match.seats for match in self._back() if match.before is None)

    def name_komi(self, seat: int, komi: int, *, seconds: float | None = None) -> "Match":
        """The first player names the komi (RULES L5)."""
        return self.apply(Event(seat, "komi", komi, seconds))

    def choose_player(self, seat: int, player: int, *, seconds: float | None = None) -> "Match":
        """The second player chooses a colour (RULES L5)."""
        return self.apply(Event(seat, "colour", player, seconds))

    def swap(self, seat: int, *, seconds: float | None = None) -> "Match":
        """The second player takes over the first turn's stones."""
        return self.apply(Event(seat, "swap", None, seconds))

    def play(self, seat: int, text: str, *, seconds: float | None = None) -> "Match":
        """A seat plays an action, or several of a turn with spaces between them.

        Raises Refused if it isn't this seat's turn, IllegalAction if the rules forbid it.
        """
        return self.apply(Event(seat, "play", text, seconds))

    def resign(self, seat: int, *, seconds: float | None = None) -> "Match":
        """A seat gives up the game being played (RULES G8, N11)."""
        self.expect_colours()
        return self.apply(Event(seat, "resign", None, seconds))

    def expect_colours(self) -> None:
        """Raise Refused while komi and colours are being settled: there may be nothing to resign yet."""
        if self.current_game.players is None:
            raise Refused(lazy_message("the game hasn't begun: there is nothing to resign yet"))

    def apply(self, event: Event) -> "Match":
        """The match after an event. Raises Refused, or IllegalAction for an action the rules forbid."""
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
        """The match after what a seat has played at once, with an event for each action, as they can be taken
        back one by one; nor can a text go on into another seat's turn that way."""
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
        """The match before the last thing that any of these seats did. Raises Refused if they did nothing."""
        for match in self._back():
            if match.last and match.last.seat in seats and match.before:
                return match.before
        raise Refused(lazy_message("there is nothing to take back"))

    def results(self) -> tuple[Result, ...]:
        """The results of the finished games."""
        return tuple(game.result() for game in self.games if game.is_over)

    def points(self, games: Sequence[MatchGame] | None = None) -> tuple[float, ...]:
        """The score of each seat over some games, by default over all finished ones (RULES N11)."""
        finished = [game for game in (self.games if games is None else games) if game.is_over]
        scored = [game.result().points for game in finished] + [
            self.config.brought or (0.0,) * len(self.seats)
        ]
        return tuple(math.fsum(points[seat] for points in scored) for seat in range(len(self.seats)))

    def winners(self) -> tuple[int, ...]:
        """The seats that won, or share the win. Raises Refused while the match goes on."""
        if not self.is_over:
            raise Refused(lazy_message("the match isn't over yet"))
        if self.config.games == 1:
            return self.current_game.result().winners
        points = self.points()
        return tuple(seat for seat, total in enumerate(points) if total == max(points))

    def people_but(self, seat: int) -> tuple[int, ...]:
        """The seats of other people who are still in the game."""
        left = {seat, *self.current_game.resigned_seats}
        return tuple(other for other, who in enumerate(self.seats) if other not in left and not who.is_bot)

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold: configuration, seats and events, from which everything follows."""
        return {
            "kakomi_match": VERSION,
            "terms": self.config.to_json(),
            "seats": [seat.to_json() for seat in self.first_seats],
            "events": [event.to_json() for event in self.events],
        }

    @staticmethod
    def from_json(data: Any) -> "Match":
        """A match from data. Raises Refused, naming the first thing in it that can't be."""
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
        """The next game, its first player the next seat round (RULES N11), if there is another to play."""
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
    """The result of a match, seat by seat."""

    reason: EndReason
    """Why its last game ended; a match that was aborted has no result, and counts for nothing."""
    winners: tuple[int, ...]
    """The seats that won or share the win; all of them after a draw, none of a match that was aborted."""
    points: tuple[float, ...]
    """The score of each seat over all games."""

    @staticmethod
    def of(match: Match) -> "Ending | None":
        """The ending of a match; None while it goes on."""
        if not match.is_over:
            return None
        return Ending(match.current_game.result().reason, match.winners(), match.points())


def act_for_bot(match: Match, bot: Bot, *, stop: threading.Event | None = None) -> Match:
    """The match after the decision of the bot to act.

    `stop` ends its thinking with the best found so far. Raises Refused if the match is over.
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
        """The offer with one answer less to wait for."""
        return replace(self, waiting=tuple(other for other in self.waiting if other != seat))

    def lapses_when_acting(self, seat: int) -> bool:
        """Whether it is over once a seat plays on: one that was asked, or one that wanted to take back."""
        return seat in self.waiting or (self.kind == "takeback" and seat == self.seat)


TO_BE_ANSWERED = {
    "draw": lazy_message("the open offer of a draw has to be answered first"),
    "takeback": lazy_message("the open request for a takeback has to be answered first"),
    "pause": lazy_message("the open request to stop the clocks has to be answered first"),
    "resume": lazy_message("the open request to let the clocks run has to be answered first"),
}
"""The reason why no offer can be made while one is open."""
OFFERED_BEFORE = {
    "draw": lazy_message("a draw can be offered again only after the next own action"),
    "takeback": lazy_message("a takeback can be offered again only after the next own action"),
    "pause": lazy_message("a pause can be offered again only after the next own action"),
    "resume": lazy_message("one can ask again only after the next own action"),
}
"""The reason why an offer can't be made again yet."""

DECISIONS = ("komi", "colour", "swap", "play")
"""The events that can be taken back."""
LEAVING = ("resign", "flag", "forfeit", "replace")
"""Those that stay: a player who has left a game does not return."""


def expect_still_in(match: Match, seat: int) -> None:
    """Raises Refused for a seat whose player has left the game."""
    if seat in match.current_game.resigned_seats:
        raise Refused(lazy_message("seat {seat} has left the game, which can't be taken back", seat=seat))


def take_back(match: Match, seat: int) -> Match:
    """The match when the seat had its last decision before it.

    Within its own turn that is the last action; a turn that is complete is taken back to its start. Finished
    games stay finished, and who has resigned meanwhile, or whose time was up, stays out. Raises Refused if
    there is nothing to take back.
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
    raise Refused(lazy_message("there is nothing to take back"))


def _without_those_who_left(back: Match, match: Match) -> Match:
    """An earlier state of a match, with all those gone who have left since, in their order."""
    events, step = [], match
    while step is not back and step.before:
        if step.last and step.last.kind in LEAVING:
            events.append(step.last)
        step = step.before
    for event in reversed(events):
        back = back.apply(event)
    return back
