"""Positions of a game, which are immutable."""

import hashlib
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from kakomi.core import steps
from kakomi.core.action import IllegalAction, normalised
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.core.returns import share_returns
from kakomi.draw import Hint, Overlay, Scene
from kakomi.kernel.records import EMPTY

if TYPE_CHECKING:
    from kakomi.core.game import Game


class DrawOptions(TypedDict, total=False):
    """The arguments of `Position.scene`, for functions that pass them on."""

    legal: bool
    overlays: Iterable[str]
    turned: int
    numbers: Mapping[str, str] | None
    draft: Iterable[str]
    hints: Iterable[Hint]


class Position:
    """A position of a game; `play` returns the next one.

    Positions are equal, and have equal hashes, if their identity fields are, whichever actions led to them.
    """

    __slots__ = ("_past", "_states", "_status", "game", "ply", "previous_turn", "turn")

    def __init__(
        self,
        game: "Game",
        states: np.ndarray,
        status: int,
        ply: int = 0,
        turn: tuple[int, ...] = (),
        previous_turn: tuple[int, ...] = (),
        past: object = None,
    ) -> None:
        self.game = game
        self._states = states
        self._status = status
        self.ply = ply
        """The number of actions played."""
        self.turn = turn
        """The actions already played in the current turn."""
        self.previous_turn = previous_turn
        """The actions of the last finished turn."""
        self._past = past or object()
        """A pair of the previous position's `_past` and the action that led here, or a unique object where
        the known past begins. The chain identifies earlier positions without keeping them."""

    @property
    def to_move(self) -> int:
        """The player to act, or the one who would act if the game weren't over."""
        return self._status & (steps.OVER - 1)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._status >= steps.OVER

    @property
    def is_between_turns(self) -> bool:
        """Whether a turn is about to begin, or the game has ended."""
        return self.is_over or not self.turn

    @property
    def state(self) -> np.void:
        """The state's record, read-only by convention: changing it would change the position."""
        record: np.void = self._states[0]
        return record

    def states(self) -> np.ndarray:
        """A copy of the state as a one-element record array, for drivers."""
        return self._states.copy()

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, in ascending order; empty when the game is over."""
        game = self.game
        scratch = game.scratch
        count = steps.list_legal(game.board, self._states, scratch)
        return scratch["actions"][0, :count].tolist()  # type: ignore[no-any-return]

    def legal(self) -> list[str]:
        """The texts of the legal actions; empty when the game is over."""
        texts = self.game.action_texts
        return [texts[action] for action in self.legal_actions()]

    def play_action(self, action: int) -> "Position":
        """The position after an action, by number. Raises IllegalAction, with the reason, and TypeError if
        the number isn't an integer."""
        game, number = self.game, operator.index(action)
        states = np.empty(1, game.description.rules.STATE)
        status = steps.ILLEGAL
        if number.bit_length() < 64:  # compiled code takes no more
            status = steps.advance(game.board, self._states, states, game.scratch, number)
        if status < 0:
            raise IllegalAction(self.why_illegal(number))
        turn = (*self.turn, number)
        past = (self._past, number)
        if status == self._status:
            return Position(game, states, status, self.ply + 1, turn, self.previous_turn, past)
        return Position(game, states, status, self.ply + 1, (), turn, past)

    def actions_since(self, earlier: "Position") -> list[int] | None:
        """The actions that led here from an earlier position; None if play didn't pass through it."""
        actions: list[int] = []
        past = self._past
        while past is not earlier._past:
            if not isinstance(past, tuple) or len(actions) == self.ply - earlier.ply:
                return None
            past, action = past
            actions.append(action)
        return actions[::-1]

    def played(self) -> list[int]:
        """The actions that led here from the start of the game, or from a position set up otherwise."""
        actions: list[int] = []
        past = self._past
        while isinstance(past, tuple):
            past, action = past
            actions.append(action)
        return actions[::-1]

    def play(self, text: str) -> "Position":
        """The position after an action, or after several with spaces between them, in lenient spelling.

        Raises IllegalAction, with the reason.
        """
        numbers = self.game._numbers
        number = numbers.get(text)
        if number is None:
            number = numbers.get(normalised(text))
        if number is not None:
            return self.play_action(number)
        return self._play_several(text)

    def _play_several(self, text: str) -> "Position":
        """Play several actions, putting removals into a legal order."""
        parts = text.split()
        if len(parts) < 2:
            self.game.action(text)  # raises, saying what is wrong with it
        waiting = [self.game.action(part) for part in parts]
        position = self
        while waiting:
            action = position.next_of(waiting)
            position = position.play_action(action)
            waiting.remove(action)
        return position

    def next_of(self, waiting: Sequence[int]) -> int:
        """The first of a turn's remaining actions, by number; if it is a removal, the first of the removals
        that is legal now. (One always is: a connected group shrinks to a connected part of it leaf by
        leaf.)"""
        actions = self.game.actions
        if actions[waiting[0]].kind != "remove":
            return waiting[0]
        legal = set(self.legal_actions())
        for action in waiting:
            if actions[action].kind != "remove":
                break
            if action in legal:
                return action
        return waiting[0]

    def why_illegal(self, action: int) -> str:
        """The reason why an action is illegal here, in one sentence."""
        if not 0 <= action < len(self.game.actions):
            return lazy_message(
                "there is no action {action}: actions are numbered 0 to {last}",
                action=action,
                last=len(self.game.actions) - 1,
            )
        text = self.game.action_texts[action]
        if self.is_over:
            return lazy_message("{action} can't be played: the game is over", action=text)
        reason: str = self.game.description.explain.why_illegal(self, action)
        return lazy_message("{action} can't be played: {reason}", action=text, reason=reason)

    def stones(self) -> dict[str, int]:
        """Point text -> player, for every point with a stone."""
        return {name: stone % self.game.players for name, stone in self._held()}

    def kinds(self) -> dict[str, int]:
        """Point text -> kind of piece, as an index into the style's `kinds`, for every point with one."""
        return {name: stone // self.game.players for name, stone in self._held()}

    def _held(self) -> Iterator[tuple[str, int]]:
        """Point text and value of the state's `stones`, for every point with a stone."""
        stones = self._states["stones"][0, : self.game.geometry.points].tolist()
        held = zip(self.game.geometry.names, stones, strict=True)
        return ((name, stone) for name, stone in held if stone != EMPTY)

    def scores(self) -> list[int | float]:
        """Each player's current score; docs/rules.md says what each game counts."""
        return [int(score) if score.is_integer() else score for score in self._scores().tolist()]

    def contested(self) -> int | float:
        """The part of every player's score that nobody has for good yet; 0 in most games (RULES L4)."""
        count = getattr(self.game.description.explain, "contested", None)
        return count(self) if count else 0

    def scores_in_words(self) -> str:
        """The scores, with contested points apart: `Black 1, White 0, contested 80`."""
        contested, names = self.contested(), map(lazy_message, self.game.player_names)
        owned = [(name, score - contested) for name, score in zip(names, self.scores(), strict=True)]
        named = [*owned, (lazy_message("contested"), contested)] if contested else owned
        parts = [lazy_message("{name} {score}", name=name, score=score) for name, score in named]
        return lazy_join(", ", parts)

    def gains(self, turn: Sequence[int]) -> list[str]:
        """What each action of a turn scores for its player, such as `+2`, where lists of moves show it."""
        gains, before = [""] * len(turn), self
        for number, action in enumerate(turn if self.game.description.lists_gains else ()):
            after = before.play_action(action)
            gain = after.scores()[before.to_move] - before.scores()[before.to_move]
            gains[number] = f"+{gain}" if gain > 0 else ""
            before = after
        return gains

    def returns(self) -> list[float]:
        """Each player's return of the finished game: 1 for a sole win, and their sum is 0.

        Raises ValueError while the game goes on.
        """
        if not self.is_over:
            raise ValueError("the game isn't over: returns exist only for a finished game")
        out = [0.0] * self.game.players
        share_returns(self._scores().tolist(), self.game.players, out)
        return out

    def _scores(self) -> np.ndarray:
        out = np.zeros(self.game.players)
        steps.count_scores(self.game.board, self._states, out)
        return out

    def guidance(self) -> Guidance | None:
        """The game's guidance for the player to act; None if it has none or is over."""
        guide = getattr(self.game.description.explain, "guide", None)
        return None if guide is None or self.is_over else guide(self)

    def overlays(self) -> tuple[Overlay, ...]:
        """The overlays that the game can show, such as living stones or influence."""
        found: tuple[Overlay, ...] = tuple(self.game.description.explain.overlays(self))
        return found

    def scene(
        self,
        *,
        legal: bool = False,
        overlays: Iterable[str] = (),
        turned: int = 0,
        numbers: Mapping[str, str] | None = None,
        draft: Iterable[str] = (),
        hints: Iterable[Hint] = (),
    ) -> Scene:
        """The position as data for a drawing; `Scene` describes what can be shown.

        Raises ValueError for an unknown overlay.
        """
        game, actions = self.game, self.game.actions
        touched = [actions[action].target for action in self.turn or self.previous_turn]
        return Scene(
            geometry=game.geometry,
            style=game.description.style,
            stones=dict(self._held()),
            player_names=game.player_names,
            title=game.description.title,
            to_move=None if self.is_over else self.to_move,
            last=tuple(target for target in touched if target),
            legal=self._playable() if legal else {},
            overlays=self._chosen_overlays(list(overlays)),
            turned=turned,
            numbers=dict(numbers or {}),
            draft=tuple(draft),
            hints=tuple(hints),
        )

    def _playable(self) -> dict[str, str]:
        """The text of the first legal action on each point and cell that has any.

        A click can mean only one of several actions with the same target (docs/what-fits.md)."""
        playable: dict[str, str] = {}
        for number in self.legal_actions():
            action = self.game.actions[number]
            if target := action.target:
                playable.setdefault(target, action.text)
        return playable

    def _chosen_overlays(self, names: list[str]) -> tuple[Overlay, ...]:
        if not names:
            return ()
        known = {overlay.name: overlay for overlay in self.overlays()}
        for name in names:
            if name not in known:
                raise ValueError(
                    f"{self.game.name} has no overlay {name!r}; it has: {', '.join(known) or 'none'}"
                )
        return tuple(known[name] for name in names)

    def text(self, *, colour: bool = False, legal: bool = False, overlays: Iterable[str] = ()) -> str:
        """The board in characters; `colour` adds terminal colours."""
        from kakomi.draw.text import draw_text

        lasting = [overlay.name for overlay in self.overlays() if overlay.is_lasting] if self.is_over else ()
        return draw_text(
            self.scene(legal=legal, overlays=dict.fromkeys([*overlays, *lasting])), colour=colour
        )

    def svg(
        self,
        *,
        theme: str = "auto",
        prefix: str = "",
        styled: bool = True,
        interactive: bool = False,
        translate: Callable[[str], str] = str,
        **shown: Unpack[DrawOptions],
    ) -> str:
        """The board as an SVG document; `theme` is "light", "dark" or "auto" (the viewer's).

        `draw_svg` describes the other arguments, `scene` those of what is shown.
        """
        from kakomi.draw.svg import draw_svg

        scene = self.scene(**shown)
        return draw_svg(scene, theme, prefix, styled=styled, interactive=interactive, translate=translate)

    def _repr_svg_(self) -> str:
        return self.svg()

    def key(self) -> bytes:
        """The identity fields as bytes: equal for equal positions of equal games, and only for them."""
        return b"".join(self._states[name].tobytes() for name in self.game.description.rules.IDENTITY)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self.key() == other.key()

    def __hash__(self) -> int:
        """Equal in every process, so that it can be stored."""
        named = repr(self.game).encode()
        return int.from_bytes(hashlib.blake2b(self.key(), digest_size=8, key=named[:64]).digest(), "big") >> 3

    def __str__(self) -> str:
        """The identity fields as a line of ASCII, which `Game.position` reads (docs/positions.md)."""
        return self.game.notation.written(self.state)

    def __repr__(self) -> str:
        over = " over" if self.is_over else ""
        return f"<Position of {self.game!r}, ply {self.ply},{over} player {self.to_move} to move>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.game, self.key(), self.ply, self.turn, self.previous_turn)


def _unpickled(
    game: "Game", key: bytes, ply: int, turn: tuple[int, ...], previous_turn: tuple[int, ...]
) -> Position:
    position = position_from_key(game, key)
    return Position(game, position._states, position._status, ply, turn, previous_turn)


def position_from_key(game: "Game", key: bytes) -> Position:
    """The position with this key. Raises ValueError if there is none."""
    rules = game.description.rules
    states = np.zeros(1, rules.STATE)
    steps.begin(game.board, states)
    wanted = sum(states[name].nbytes for name in rules.IDENTITY)
    if len(key) != wanted:
        raise ValueError(f"a position of {game.name} has a key of {wanted} bytes, not {len(key)}")
    start = 0
    for name in rules.IDENTITY:
        field = states[name]
        field[...] = np.frombuffer(key, field.dtype, field.size, start).reshape(field.shape)
        start += field.nbytes
    return game.restored(states)


def rotate_players(position: Position, by: int = 1) -> Position:
    """The position in which each player takes the place of the player `by` seats earlier; with two players
    and 1, the colours are swapped.

    Play commutes with this: actions stay the same, and scores and returns rotate too. Raises ValueError for a
    game that doesn't treat its players alike.
    """
    game, description = position.game, position.game.description
    if not description.players_are_alike(game.options):
        raise ValueError(f"{game!r} doesn't treat its players alike: they can't change places")
    states = position.states()
    stones = states["stones"]
    owned = stones >= 0
    kinds, owners = np.divmod(stones[owned], game.players)
    stones[owned] = kinds * game.players + (owners + by) % game.players
    states["to_move"] = (position.to_move + by) % game.players
    for name in description.player_fields:
        states[name][0, : game.players] = np.roll(states[name][0, : game.players], by, axis=0)
    return game.restored(states, position.ply)


def stones_in_words(position: Position) -> str:
    """The `account` for games that count stones on the board."""
    return lazy_message("stones on the board: {scores}", scores=position.scores_in_words())
