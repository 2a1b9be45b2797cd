"""One game of a match, from the naming of the komi to its result."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.core.resignation import ends_game, idle_actions
from kakomi.core.returns import share_returns
from kakomi.core.wording import range_in_words
from kakomi.session.clock import changed
from kakomi.session.exceptions import Refused
from kakomi.session.match_config import MatchConfig

Phase = Literal["komi", "colour", "play", "over"]
"""The phase of a game: naming the komi, choosing colours, play, over."""

Reason = Literal["rules", "resignation", "time", "forfeit", "absence", "agreement"]
"""Why a game ended."""
LeaveReason = Literal["resignation", "time", "forfeit", "absence"]
"""Why a person left a game. A forfeit is decided from outside: the round of a tournament ended. An absence is
that of somebody who didn't begin in time where that loses the game."""

RESIGNED_MARGIN = 10
"""By how many points at least a resigned game of a match counts as lost (RULES N11)."""


def leave_reason(text: str) -> LeaveReason:
    """The reason of a text; whatever else it says is a resignation."""
    match text:
        case "time" | "forfeit" | "absence":
            return text
    return "resignation"


@dataclass(frozen=True)
class Result:
    """The result of a game, seat by seat."""

    points: tuple[float, ...]
    """The score of each seat, which a match adds up."""
    returns: tuple[float, ...]
    """The sum is 0; +1 a sole win (RULES, "Returns")."""
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
    """How many actions had been played by then."""
    reason: LeaveReason
    has_bot: bool
    """Whether a bot went on in their place."""


@dataclass(frozen=True, eq=False)
class MatchGame:
    """One game of a match. Immutable: every operation returns the next `MatchGame` or raises `Refused`."""

    config: MatchConfig
    first: int
    """The seat that is first player, or names the komi."""
    position: Position
    komi: int | None = None
    """The komi that was named."""
    players: tuple[int, ...] | None = None
    """Seat -> player, once that is settled."""
    swapped: bool = False
    resigned: Mapping[int, int] = field(default_factory=dict)
    """Players who have resigned -> how many actions had been played by then."""
    unchosen: Mapping[int, LeaveReason] = field(default_factory=dict)
    """The resigned ones who did not choose to -> why they are out."""
    replaced: Mapping[int, int] = field(default_factory=dict)
    """Players whom a bot replaced -> how many actions had been played by then."""
    left: Mapping[int, LeaveReason] = field(default_factory=dict)
    """The players of both kinds -> why they left, in the order in which they did."""
    agreed: bool = False
    """Whether both players called it a draw."""
    automatic: frozenset[int] = frozenset()
    """The plies that the match played for players who had resigned (RULES G8)."""

    @staticmethod
    def begun(config: MatchConfig, first: int) -> "MatchGame":
        """A game in which nothing has happened yet."""
        game = MatchGame(config, first, config.start)
        return game if config.negotiate else changed(game, players=game._usual_players())

    @property
    def game(self) -> Game:
        """The game as it is played, with the komi that was named."""
        return self.position.game

    @property
    def phase(self) -> Phase:
        """The next decision."""
        if self.players is None:
            return "komi" if self.komi is None else "colour"
        return "over" if self.is_over else "play"

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules, by resignation or by agreement."""
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
        """Seats that have resigned."""
        return tuple(seat for seat, player in enumerate(self.players or ()) if player in self.resigned)

    def seats_out_by(self, reason: str) -> tuple[int, ...]:
        """The seats that have resigned in the wider sense, for one reason."""
        return tuple(seat for seat in self.resigned_seats if self.out_by(seat) == reason)

    def out_by(self, seat: int) -> LeaveReason | Literal[""]:
        """Why a seat has resigned in the wider sense; empty if it hasn't."""
        if seat not in self.resigned_seats:
            return ""
        return self.unchosen.get((self.players or ())[seat], "resignation")

    @property
    def leavers(self) -> tuple[Leaver, ...]:
        """The people who left the game, the first one first."""
        players, after = self.players or (), {**self.resigned, **self.replaced}
        return tuple(
            Leaver(players.index(player), after[player], reason, player in self.replaced)
            for player, reason in self.left.items()
        )

    def seat_of(self, player: int) -> int | None:
        """The seat that plays a colour, once colours are settled."""
        return self.players.index(player) if self.players else None

    @property
    def start(self) -> Position:
        """The first position, under the komi that was named."""
        return self.config.start if self.config.position else self.game.start()

    def actions(self) -> list[int]:
        """All actions so far, with those that the match played."""
        return self.position.actions_since(self.start) or []

    def name_komi(self, seat: int, komi: int) -> "MatchGame":
        """The first player names the komi (RULES L5)."""
        self._expect(seat, "komi")
        game = self.position.game
        allowed = game.description.komi.allowed_given(game.options)
        if komi not in allowed:
            raise Refused(
                lazy_message(
                    "a komi of {komi} isn't possible here: it may be {allowed}",
                    komi=komi,
                    allowed=range_in_words(allowed),
                )
            )
        return changed(self, komi=komi, position=self.config.with_komi(komi).start())

    def choose_player(self, seat: int, player: int) -> "MatchGame":
        """The second player chooses a colour (RULES L5)."""
        self._expect(seat, "colour")
        if player not in (0, 1):
            raise Refused(
                lazy_message(
                    "there is no player {player}: choose 0 ({first}) or 1 ({second})",
                    player=player,
                    first=lazy_message(self._name(0)),
                    second=lazy_message(self._name(1)),
                )
            )
        return changed(self, players=(player, 1 - player) if seat == 0 else (1 - player, player))

    def swap(self, seat: int) -> "MatchGame":
        """The second player takes over the first turn's stones."""
        self._expect(seat, "play")
        if not self.may_swap:
            raise Refused(
                lazy_message("colours can be swapped only instead of the second player's first turn")
                if self.config.swap
                else lazy_message("colours can't be swapped in this match")
            )
        assert self.players is not None
        return changed(self, players=self.players[::-1], swapped=True)

    def play(self, seat: int, text: str) -> "MatchGame":
        """The seat to act plays an action. Raises IllegalAction for one that the rules forbid."""
        self._expect(seat, "play")
        return changed(self, position=self.position.play(text))._passed_for_resigned()

    def resign(self, seat: int, reason: LeaveReason = "resignation") -> "MatchGame":
        """A seat resigns, on its turn or not (RULES G8), or leaves in the same way for another reason.

        Who leaves before colours are settled does so as if nothing had been negotiated.
        """
        is_chosen = reason == "resignation"
        if self.players is None:
            return changed(self, players=self._usual_players()).resign(seat, reason)
        player = self._expect_in_game(seat)
        return changed(
            self,
            resigned={**self.resigned, player: self.position.ply},
            unchosen=self.unchosen if is_chosen else {**self.unchosen, player: reason},
            left=self._left_by(player, reason),
        )._passed_for_resigned()

    def replace_with_bot(self, seat: int, reason: LeaveReason) -> "MatchGame":
        """A bot goes on for a seat whose person has left."""
        player = self._expect_in_game(seat)
        if player in self.replaced:
            raise Refused(lazy_message("a bot plays for seat {seat} already", seat=seat))
        replaced = {**self.replaced, player: self.position.ply}
        return changed(self, replaced=replaced, left=self._left_by(player, reason))

    def _left_by(self, player: int, reason: LeaveReason) -> Mapping[int, LeaveReason]:
        """`left`, with a player who leaves now; a bot that leaves later changes nothing."""
        return {**self.left, player: self.left.get(player, reason)}

    def _expect_in_game(self, seat: int) -> int:
        """The player of a seat that is still in the game."""
        assert self.players is not None
        if self.is_over:
            raise Refused(lazy_message("the game is over already"))
        self._known(seat)
        if self.players[seat] in self.resigned:
            raise Refused(lazy_message("seat {seat} has resigned already", seat=seat))
        return self.players[seat]

    def _usual_players(self) -> tuple[int, ...]:
        """Seat -> player where nothing is negotiated."""
        seats = self.config.game.players
        return tuple((seat - self.first) % seats for seat in range(seats))

    def agree_draw(self, seat: int) -> "MatchGame":
        """A seat accepts the draw that the other one offers."""
        self._known(seat)
        if self.game.players != 2:
            raise Refused(lazy_message("a draw is agreed on between two players only"))
        if not self.game.description.has_draws:
            raise Refused(lazy_message("{title} has no draws", title=self.game.description.title))
        if self.phase != "play":
            raise Refused(lazy_message("a draw can be agreed on only while the game is played"))
        return changed(self, agreed=True)

    def result(self) -> Result:
        """The result of the game. Raises Refused while it goes on."""
        if not self.is_over or self.players is None:
            raise Refused(lazy_message("the game isn't over yet"))
        scores = [float(score) for score in self.position.scores()]
        standing = [self._standing(player, score) for player, score in enumerate(scores)]
        returns = [0.0] * len(scores)
        share_returns(standing, len(scores), returns)
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
        return self.unchosen.get(list(self.resigned)[-1], "resignation")

    def _standing(self, player: int, score: float) -> float:
        """The score that decides: −∞ for a resigned player, the same for all in an agreed draw."""
        if self.agreed:
            return 0.0
        return float("-inf") if player in self.resigned else score

    def _points(self, scores: list[float]) -> list[float]:
        """Scores; in a match a game that was agreed to be a draw counts level, the points so far shared,
        and a resigned one is lost by a margin (RULES N11)."""
        if self.position.is_over or self.config.games == 1:
            return scores
        if self.agreed:
            return [math.fsum(scores) / len(scores)] * len(scores)
        least = max(scores[player] for player in self.resigned) + RESIGNED_MARGIN
        return [score if p in self.resigned else max(score, least) for p, score in enumerate(scores)]

    @property
    def _ended_by_resignation(self) -> bool:
        """Then the best score among those who are left wins."""
        return ends_game(self.game, self.resigned)

    def _passed_for_resigned(self) -> "MatchGame":
        """Play for resigned players until another player is to act: pass, convert nothing (RULES G8)."""
        position, automatic = self.position, set(self.automatic)
        while not self._ended_by_resignation and not position.is_over and position.to_move in self.resigned:
            automatic.add(position.ply)
            position = position.play_action((idle_actions(position) or position.legal_actions())[0])
        return changed(self, position=position, automatic=frozenset(automatic))

    def _expect(self, seat: int, phase: Phase) -> None:
        self._known(seat)
        if self.phase == "over":
            raise Refused(lazy_message("the game is over"))
        if self.phase != phase:
            raise Refused(_WANTED[self.phase])
        if seat != self.to_act:
            raise Refused(
                lazy_message("it isn't seat {seat}'s turn but seat {to_act}'s", seat=seat, to_act=self.to_act)
            )

    def _known(self, seat: int) -> None:
        if not 0 <= seat < self.config.game.players:
            raise Refused(
                lazy_message(
                    "there is no seat {seat}: there are the seats 0 to {last}",
                    seat=seat,
                    last=self.config.game.players - 1,
                )
            )

    def _name(self, player: int) -> str:
        return self.config.game.player_names[player]


_WANTED = {
    "komi": lazy_message("a komi has to be named first"),
    "colour": lazy_message("a colour has to be chosen first"),
    "play": lazy_message("the game has begun, so an action has to be played first"),
}
