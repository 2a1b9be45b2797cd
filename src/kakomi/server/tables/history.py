"""The history of a game: its list of turns, and its earlier positions."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from cachetools import LRUCache
from django.utils.functional import cached_property
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi.core import Position
from kakomi.draw.player_style import player_styles
from kakomi.server.site.language import describe_actions, translate
from kakomi.session import Match, MatchGame

CACHED = 2_000
"""The number of lists to cache; one takes about 200 bytes a turn."""


@dataclass(frozen=True)
class MoveList:
    """The turns of a match's game, finished and unfinished, as HTML."""

    items: tuple[str, ...] = ()
    """Each turn as an `<li>`, in which each action is a link to the position after it."""
    etags: tuple[str, ...] = ()
    """For every finished turn, an etag of the list up to that turn."""

    def after(self, known: str) -> tuple[int, SafeString]:
        """The rest of the list after a part given by its etag, and the number of turns in that part."""
        count = self.etags.index(known) + 1 if known in self.etags else 0
        return count, mark_safe("".join(self.items[count:]))

    @property
    def etag(self) -> str:
        """The etag of all finished turns, which don't change as the game goes on."""
        return self.etags[-1] if self.etags else ""


@dataclass(frozen=True)
class _Finished:
    """All finished turns, and the position after them."""

    moves: MoveList
    position: Position


def move_list(leg: MatchGame, number: int) -> MoveList:
    """The turns of a match's game; `number` is that of the game, 1 for the first."""
    actions = tuple(leg.actions())
    going_on = len(leg.position.turn)
    finished = MOVE_LISTS.upto(leg.start, number, actions[: len(actions) - going_on])
    if not going_on:
        return finished.moves
    begun = _item(finished.position, len(finished.moves.items), number, actions[-going_on:])
    return MoveList((*finished.moves.items, begun), finished.moves.etags)


class _Lists:
    """A cache of the latest lists. A table's viewers share one, and the next list extends it by a turn."""

    def __init__(self, most: int = CACHED) -> None:
        self._known: LRUCache[tuple[Position, int, str | None, tuple[int, ...]], _Finished] = LRUCache(most)
        self._lock = threading.Lock()

    def upto(self, start: Position, number: int, actions: tuple[int, ...]) -> _Finished:
        """The finished turns that consist of these actions."""
        language = get_language()
        with self._lock:
            finished = _Finished(MoveList(), start)
            for length in range(len(actions), 0, -1):
                if known := self._known.get((start, number, language, actions[:length])):
                    finished = known
                    break
        if finished.position.ply < len(actions):
            finished = _gone_on(finished, number, actions[finished.position.ply :])
            with self._lock:
                self._known[start, number, language, actions] = finished
        return finished

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._known.clear()


MOVE_LISTS = _Lists()
"""The cache of this process."""


def _gone_on(finished: _Finished, number: int, actions: Sequence[int]) -> _Finished:
    items, etags = list(finished.moves.items), list(finished.moves.etags)
    before = position = finished.position
    for action in actions:
        position = position.play_action(action)
        if not position.turn:
            items.append(_item(before, len(items), number, position.previous_turn))
            etags.append(_etag(etags[-1] if etags else "", items[-1]))
            before = position
    return _Finished(MoveList(tuple(items), tuple(etags)), position)


def _etag(before: str, item: str) -> str:
    return hashlib.blake2b(f"{before}{item}".encode(), digest_size=8).hexdigest()


def _item(before: Position, count: int, number: int, turn: Sequence[int]) -> str:
    """A turn's list item after `count` others. Not a template, for speed: a page has a hundred of them."""
    names, texts, player = before.game.player_names, before.game.action_texts, before.to_move
    style = player_styles(names)[player]
    links = "".join(
        f' <a href="?game={number}&amp;ply={at}" data-part{_aria_label(before, action)}>'
        f"{escape(texts[action])}</a>{gain and f' <b>{gain}</b>'}"
        for at, (action, gain) in enumerate(zip(turn, before.gains(turn), strict=True), before.ply + 1)
    )
    return (
        f'<li><span class="number" aria-hidden="true">{count + 1}</span> '
        f'<span class="stone stone-{style.name}">'
        f'<span class="visually-hidden">{escape(translate(names[player]))}</span></span>{links}</li>\n'
    )


def _aria_label(before: Position, number: int) -> str:
    """The `aria-label` of an action, unless it is a mere placement, which screen readers read as it is."""
    action = before.game.actions[number]
    if action.kind == "place":
        return ""
    return f' aria-label="{escape(describe_actions(before.game, [action.text]))}"'


@dataclass(frozen=True)
class PastMoment:
    """A game of a match after some of its actions."""

    leg: MatchGame
    game: int
    """The first game of a match is 1."""
    ply: int
    length: int
    """The number of actions in the game so far."""

    @staticmethod
    def of(match: Match, game: int | None, ply: int | None) -> "PastMoment | None":
        """The requested moment; None for the present and anything beyond it."""
        game = len(match.games) if game is None else min(max(game, 1), len(match.games))
        leg = match.games[game - 1]
        length = leg.position.ply
        is_now = game == len(match.games) and (ply is None or ply >= length)
        return None if is_now else PastMoment(leg, game, length if ply is None else min(ply, length), length)

    @cached_property
    def position(self) -> Position:
        """The position at that moment."""
        return position_at(self.leg, self.ply)


@dataclass(frozen=True)
class Steps:
    """The plies that a moment of a game links to; None for no link."""

    game: int
    ply: int
    length: int

    @property
    def first(self) -> int | None:
        return 0 if self.ply else None

    @property
    def before(self) -> int | None:
        return self.ply - 1 if self.ply else None

    @property
    def after(self) -> int | None:
        return self.ply + 1 if self.ply < self.length else None

    @property
    def last(self) -> int | None:
        return self.length if self.ply < self.length else None


def position_at(leg: MatchGame, ply: int) -> Position:
    """The position of a game after `ply` actions."""
    position = leg.start
    for action in leg.actions()[:ply]:
        position = position.play_action(action)
    return position


def numbers(leg: MatchGame, position: Position) -> dict[str, str]:
    """The number of the action that last placed each stone of a position, by point."""
    stones, found = position.stones(), {}
    for ply, action in enumerate(leg.actions()[: position.ply], 1):
        target = leg.game.actions[action].target
        if target in stones:
            found[target] = str(ply)
    return found
