"""One game of a match, from naming the komi to the result."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kakomi.core import Game, Position
from kakomi.core.game import ends_game, idle_actions
from kakomi.core.i18n import lazy_error, lazy_message, range_in_words
from kakomi.core.returns import share_returns
from kakomi.session.clock import changed
from kakomi.session.exceptions import Refused
from kakomi.session.match_config import MatchConfig

Phase = Literal["komi", "colour", "play", "over"]
"""The phase of a game: naming the komi, choosing colours, play, over."""

Reason = Literal["rules", "resignation", "time", "forfeit", "absence", "agreement"]
"""Why a game ended."""
LeaveReason = Literal["resignation", "time", "forfeit", "absence"]
"""Why a person left a game. A `forfeit` is external: the round of a tournament ended. An `absence` is a late
start where that loses the game."""

RESIGNED_MARGIN = 10
"""The minimum margin, in points, of a resigned game in a match (RULES N11)."""


def leave_reason(text: str) -> LeaveReason:
    """Return the reason that a text names; any other text means a resignation."""
    match text:
        case "time" | "forfeit" | "absence":
            return text
    return "resignation"


@dataclass(frozen=True)
class Result:
    """The result of a game, by seat."""

    points: tuple[float, ...]
    """The score of each seat, which a match sums."""
    returns: tuple[float, ...]
    """Returns that sum to 0; +1 is a sole win (RULES, "Returns")."""
    reason: Reason

    @property
    def by_resignation(self) -> bool:
        """Whether the game ended by resignation."""
        return self.reason == "resignation"

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won or share the win."""
        return tuple(seat for seat, share in enumerate(self.returns) if share == max(self.returns))


@dataclass(frozen=True)
class Leaver:
    """A person who left a game before its end."""

    seat: int
    after: int
    """The number of actions played by then."""
    reason: LeaveReason
    has_bot: bool
    """Whether a bot replaced them."""


@dataclass(frozen=True, eq=False)
class MatchGame:
    """One game of a match. Immutable: every operation returns the next `MatchGame` or raises `Refused`."""

    config: MatchConfig
    first: int
    """The seat that is first player or names the komi."""
    position: Position
    komi: int | None = None
    """The named komi; None before that, or without negotiation."""
    players: tuple[int, ...] | None = None
    """Seat -> player; None until it is settled."""
    swapped: bool = False
    out_after: Mapping[int, int] = field(default_factory=dict)
    """Resigned players, in a wider sense -> the number of actions played by then."""
    involuntary_reasons: Mapping[int, LeaveReason] = field(default_factory=dict)
    """Resigned players who left involuntarily -> the reason."""
    replaced: Mapping[int, int] = field(default_factory=dict)
    """Players replaced by a bot -> the number of actions played by then."""
    leave_reasons: Mapping[int, LeaveReason] = field(default_factory=dict)
    """All resigned and replaced players -> the reason, in the order in which they left."""
    agreed: bool = False
    """Whether the players agreed on a draw."""
    automatic: frozenset[int] = frozenset()
    """The plies that the match played for resigned players (RULES G8)."""

    @staticmethod
    def begun(config: MatchConfig, first: int) -> "MatchGame":
        """Return a game that has just begun."""
        game = MatchGame(config, first, config.start)
        return game if config.negotiate else changed(game, players=game._usual_players())

    @property
    def game(self) -> Game:
        """The game with the named komi."""
        return self.position.game

    @property
    def phase(self) -> Phase:
        """The next decision."""
        if self.players is None:
            return "komi" if self.komi is None else "colour"
        return "over" if self.is_over else "play"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules, by resignation or by agreement."""
        return self.position.is_over or self.agreed or self._ended_by_resignation

    @property
    def to_act(self) -> int | None:
        """The seat to act; None when the game is over."""
        if self.phase == "over":
            return None
        if self.players is None:
            return self.first if self.komi is None else 1 - self.first
        return self.players.index(self.position.to_move)

    @property
    def may_swap(self) -> bool:
        """Whether the seat to act may take over the first turn's stones instead of playing."""
        position = self.position
        after_first_turn = position.ply > 0 and position.ply == len(position.previous_turn)
        return self.config.swap and self.phase == "play" and not self.swapped and after_first_turn

    @property
    def resigned_seats(self) -> tuple[int, ...]:
        """The seats that have resigned, in a wider sense."""
        return tuple(seat for seat, player in enumerate(self.players or ()) if player in self.out_after)

    def seats_out_by(self, reason: str) -> tuple[int, ...]:
        """Return the resigned seats, in a wider sense, with this reason."""
        return tuple(seat for seat in self.resigned_seats if self.out_by(seat) == reason)

    def out_by(self, seat: int) -> LeaveReason | Literal[""]:
        """Return why a seat has resigned, in a wider sense; empty if it hasn't."""
        if seat not in self.resigned_seats:
            return ""
        return self.involuntary_reasons.get((self.players or ())[seat], "resignation")

    @property
    def leavers(self) -> tuple[Leaver, ...]:
        """The people who left the game, in order."""
        players, after = self.players or (), {**self.out_after, **self.replaced}
        return tuple(
            Leaver(players.index(player), after[player], reason, player in self.replaced)
            for player, reason in self.leave_reasons.items()
        )

    def seat_of(self, player: int) -> int | None:
        """Return the seat of a player; None until colours are settled."""
        return self.players.index(player) if self.players else None

    @property
    def start(self) -> Position:
        """The start position, with the named komi."""
        return self.config.start if self.config.position else self.game.start()

    def actions(self) -> list[int]:
        """Return all actions so far, including those that the match played."""
        return self.position.actions_since(self.start) or []

    def name_komi(self, seat: int, komi: int) -> "MatchGame":
        """Name the komi as first player (RULES L5)."""
        self._expect(seat, "komi")
        game = self.position.game
        allowed = game.description.komi.allowed_given(game.options)
        if komi not in allowed:
            raise lazy_error(
                Refused,
                "a komi of {komi} isn’t possible here: choose {allowed}",
                komi=komi,
                allowed=range_in_words(allowed),
            )
        return changed(self, komi=komi, position=self.config.with_komi(komi).start())

    def choose_player(self, seat: int, player: int) -> "MatchGame":
        """Choose a colour as second player (RULES L5)."""
        self._expect(seat, "colour")
        if player not in (0, 1):
            raise lazy_error(
                Refused,
                "there is no player {player}: choose 0 ({first}) or 1 ({second})",
                player=player,
                first=lazy_message(self._name(0)),
                second=lazy_message(self._name(1)),
            )
        return changed(self, players=(player, 1 - player) if seat == 0 else (1 - player, player))

    def swap(self, seat: int) -> "MatchGame":
        """Take over the first turn's stones as second player."""
        self._expect(seat, "play")
        if not self.may_swap:
            raise Refused(
                lazy_message("colours can be swapped only in place of the second player’s first move")
                if self.config.swap
                else lazy_message("this game has no colour swap")
            )
        assert self.players is not None
        return changed(self, players=self.players[::-1], swapped=True)

    def play(self, seat: int, text: str) -> "MatchGame":
        """Play an action with the seat to act. Raises IllegalAction if the rules forbid it."""
        self._expect(seat, "play")
        return changed(self, position=self.position.play(text))._passed_for_resigned()

    def resign(self, seat: int, reason: LeaveReason = "resignation") -> "MatchGame":
        """Resign, on the seat's turn or not (RULES G8), or leave in the same way for another reason.

        Before colours are settled, the seats get the players that they would have without negotiation.
        """
        if self.players is None:
            return changed(self, players=self._usual_players()).resign(seat, reason)
        player = self._expect_in_game(seat)
        involuntary = {} if reason == "resignation" else {player: reason}
        return changed(
            self,
            out_after={**self.out_after, player: self.position.ply},
            involuntary_reasons={**self.involuntary_reasons, **involuntary},
            leave_reasons=self._leave_reasons_with(player, reason),
        )._passed_for_resigned()

    def replace_with_bot(self, seat: int, reason: LeaveReason) -> "MatchGame":
        """Let a bot replace a person who has left."""
        player = self._expect_in_game(seat)
        if player in self.replaced:
            raise Refused(lazy_message("a bot is already playing for seat {seat}", seat=seat))
        replaced = {**self.replaced, player: self.position.ply}
        return changed(self, replaced=replaced, leave_reasons=self._leave_reasons_with(player, reason))

    def _leave_reasons_with(self, player: int, reason: LeaveReason) -> Mapping[int, LeaveReason]:
        """Return `leave_reasons` with a player added; a bot that leaves later keeps the person's reason."""
        return {**self.leave_reasons, player: self.leave_reasons.get(player, reason)}

    def _expect_in_game(self, seat: int) -> int:
        """Return the player of a seat. Raises Refused if it is no longer in the game."""
        assert self.players is not None
        if self.is_over:
            raise Refused(lazy_message("the game is already over"))
        self._expect_seat(seat)
        if self.players[seat] in self.out_after:
            raise Refused(lazy_message("seat {seat} has already resigned", seat=seat))
        return self.players[seat]

    def _usual_players(self) -> tuple[int, ...]:
        """Return seat -> player without negotiation."""
        seats = self.config.game.players
        return tuple((seat - self.first) % seats for seat in range(seats))

    def agree_draw(self, seat: int) -> "MatchGame":
        """Accept the draw that the other seat offered."""
        self._expect_seat(seat)
        if self.game.players != 2:
            raise Refused(lazy_message("only two-player games can be drawn by agreement"))
        if not self.game.description.has_draws:
            raise Refused(lazy_message("{title} has no draws", title=self.game.description.title))
        if self.phase != "play":
            raise Refused(lazy_message("you can offer a draw only during the game"))
        return changed(self, agreed=True)

    def result(self) -> Result:
        """Return the result of the game. Raises Refused while it isn't over."""
        if not self.is_over or self.players is None:
            raise Refused(lazy_message("the game isn't over yet"))
        scores = [float(score) for score in self.position.scores()]
        deciding = [self._deciding_score(player, score) for player, score in enumerate(scores)]
        returns = [0.0] * len(scores)
        share_returns(deciding, len(scores), returns)
        points = self._points(scores)
        return Result(
            points=tuple(points[player] for player in self.players),
            returns=tuple(returns[player] for player in self.players),
            reason=self._reason(),
        )

    def _reason(self) -> Reason:
        if self.position.is_over:
            return "rules"
        if self.agreed:
            return "agreement"
        return self.involuntary_reasons.get(list(self.out_after)[-1], "resignation")

    def _deciding_score(self, player: int, score: float) -> float:
        """Return the score that decides the result: −∞ for a resigned player, 0 for all in an agreed draw."""
        if self.agreed:
            return 0.0
        return float("-inf") if player in self.out_after else score

    def _points(self, scores: list[float]) -> list[float]:
        """Return the points by player. In a match of several games, an agreed draw shares the points so far
        equally, and a resigned game is lost by a minimum margin (RULES N11)."""
        if self.position.is_over or self.config.games == 1:
            return scores
        if self.agreed:
            return [math.fsum(scores) / len(scores)] * len(scores)
        least = max(scores[player] for player in self.out_after) + RESIGNED_MARGIN
        return [score if p in self.out_after else max(score, least) for p, score in enumerate(scores)]

    @property
    def _ended_by_resignation(self) -> bool:
        """Whether resignations ended the game; the best score among the others then wins."""
        return ends_game(self.game, self.out_after)

    def _passed_for_resigned(self) -> "MatchGame":
        """Pass for resigned players, without conversion, until another player is to act (RULES G8)."""
        position, automatic = self.position, set(self.automatic)
        while not self._ended_by_resignation and not position.is_over and position.to_move in self.out_after:
            automatic.add(position.ply)
            position = position.play_action((idle_actions(position) or position.legal_actions())[0])
        return changed(self, position=position, automatic=frozenset(automatic))

    def _expect(self, seat: int, phase: Phase) -> None:
        self._expect_seat(seat)
        if self.phase == "over":
            raise Refused(lazy_message("the game is over"))
        if self.phase != phase:
            raise Refused(_WANTED[self.phase])
        if seat != self.to_act:
            raise lazy_error(
                Refused, "it isn't seat {seat}'s turn but seat {to_act}'s", seat=seat, to_act=self.to_act
            )

    def _expect_seat(self, seat: int) -> None:
        if not 0 <= seat < self.config.game.players:
            raise lazy_error(
                Refused,
                "there is no seat {seat}: seats are numbered 0 to {last}",
                seat=seat,
                last=self.config.game.players - 1,
            )

    def _name(self, player: int) -> str:
        return self.config.game.player_names[player]


_WANTED = {
    "komi": lazy_message("name a komi first"),
    "colour": lazy_message("choose a colour first"),
    "play": lazy_message("the game has started: make a move"),
}
