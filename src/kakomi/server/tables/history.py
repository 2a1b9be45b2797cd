"""The past of a game: the list of its turns, and its earlier moments."""

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
from kakomi.server.language import deeds, translate
from kakomi.session import Match, MatchGame

CACHED = 2_000
"""Games whose lists are remembered; one takes about 200 bytes a turn."""


@dataclass(frozen=True)
class MoveList:
    """The turns of a match's game: the finished ones and the current one."""

    items: tuple[str, ...] = ()
    """Each turn as an element of the list, each action in it a link to the position after it."""
    etags: tuple[str, ...] = ()
    """For every turn that is finished a name of the list up to there."""

    def after(self, known: str) -> tuple[int, SafeString]:
        """Of a list whose beginning is known by its etag the rest, and how many turns come before that."""
        count = self.etags.index(known) + 1 if known in self.etags else 0
        return count, mark_safe("".join(self.items[count:]))

    @property
    def etag(self) -> str:
        """Of all that will not change if the game goes on."""
        return self.etags[-1] if self.etags else ""


@dataclass(frozen=True)
class _Finished:
    """All turns that are finished, and what they have led to."""

    moves: MoveList
    position: Position


def move_list(leg: MatchGame, number: int) -> MoveList:
    """The turns of a match's game, which is the match's first, second, and so on."""
    actions = tuple(leg.actions())
    going_on = len(leg.position.turn)
    finished = MOVE_LISTS.upto(leg.start, number, actions[: len(actions) - going_on])
    if not going_on:
        return finished.moves
    begun = _item(finished.position, len(finished.moves.items), number, actions[-going_on:])
    return MoveList((*finished.moves.items, begun), finished.moves.etags)


class _Lists:
    """The latest lists. Everybody at a table sees the same one, and the next list has one turn more."""

    def __init__(self, most: int = CACHED) -> None:
        self._known: LRUCache[tuple[Position, int, str | None, tuple[int, ...]], _Finished] = LRUCache(most)
        self._lock = threading.Lock()

    def upto(self, start: Position, number: int, actions: tuple[int, ...]) -> _Finished:
        """All turns that these actions finish."""
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
        """Forget them."""
        with self._lock:
            self._known.clear()


MOVE_LISTS = _Lists()
"""This process's."""


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
    """A turn after so many; written here and not by a template, since a page has a hundred of them."""
    names, texts, player = before.game.player_names, before.game.action_texts, before.to_move
    style = player_styles(names)[player]
    links = "".join(
        f' <a href="?game={number}&amp;ply={at}" data-part{_heard(before, action)}>'
        f"{escape(texts[action])}</a>"
        for at, action in enumerate(turn, before.ply + 1)
    )
    return (
        f'<li><span class="number" aria-hidden="true">{count + 1}</span> '
        f'<span class="stone stone-{style.name}">'
        f'<span class="visually-hidden">{escape(translate(names[player]))}</span></span>{links}</li>\n'
    )


def _heard(before: Position, number: int) -> str:
    """How an action is read aloud, where its text is more than the name of a place."""
    action = before.game.actions[number]
    return "" if action.kind == "place" else f' aria-label="{escape(deeds(before.game, [action.text]))}"'


@dataclass(frozen=True)
class PastMoment:
    """A game of a match as it was after so many actions."""

    leg: MatchGame
    game: int
    """The first game of a match is 1."""
    ply: int
    length: int
    """The number of actions in the game so far."""

    @staticmethod
    def of(match: Match, game: int | None, ply: int | None) -> "PastMoment | None":
        """The requested moment; None for the present, and for moments beyond it."""
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
    """Links from a moment of a game to others; None where there is none."""

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
    """The position of a game after so many actions."""
    position = leg.start
    for action in leg.actions()[:ply]:
        position = position.play_action(action)
    return position


def numbers(leg: MatchGame, position: Position) -> dict[str, str]:
    """For every point with a stone, by which action it was put there last, up to a position."""
    stones, found = position.stones(), {}
    for ply, action in enumerate(leg.actions()[: position.ply], 1):
        target = leg.game.actions[action].target
        if target in stones:
            found[target] = str(ply)
    return found
