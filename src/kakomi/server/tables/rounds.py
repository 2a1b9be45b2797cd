"""A game as a list of turns, to be read and stepped through."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from kakomi.core import Game, Position
from kakomi.draw.livery import liveries
from kakomi.server.pages.part import part
from kakomi.session import Leg


@dataclass(frozen=True)
class Round:
    """One player's turn."""

    number: int
    player: str
    livery: str
    letter: str
    actions: tuple[tuple[int, str], ...]
    """Each with the number of actions after which the board shows it."""


def list_of_rounds(leg: Leg, game: int) -> SafeString:
    """The turns of a match's game, each action a link to the position after it."""
    return listed(leg.game, tuple(leg.actions()), game, get_language())


def rounds(game: Game, actions: Sequence[int]) -> Iterator[Round]:
    """The turns that some actions make up, the one that is going on included."""
    names, texts = game.player_names, game.action_texts
    looks = liveries(names)
    position, number = game.start(), 1
    begun: list[tuple[int, str]] = []
    for ply, action in enumerate(actions, 1):
        player = position.to_move
        position = position.play_action(action)
        begun.append((ply, texts[action]))
        if not position.turn:
            yield Round(number, names[player], looks[player].name, looks[player].letter, tuple(begun))
            number, begun = number + 1, []
    if begun:
        player = position.to_move
        yield Round(number, names[player], looks[player].name, looks[player].letter, tuple(begun))


def position_at(leg: Leg, ply: int) -> Position:
    """The position of a game after so many actions."""
    position = leg.game.start()
    for action in leg.actions()[:ply]:
        position = position.play_action(action)
    return position


def numbers(leg: Leg, position: Position) -> dict[str, str]:
    """For every point with a stone, by which action it was put there last, up to a position."""
    stones, found = position.stones(), {}
    for ply, action in enumerate(leg.actions()[: position.ply], 1):
        target = leg.game.actions[action].target
        if target in stones:
            found[target] = str(ply)
    return found


@lru_cache(maxsize=500)
def listed(game: Game, actions: tuple[int, ...], number: int, language: str | None) -> SafeString:
    """Whoever is at a table sees the same list; and of the next one all but the last turn is known."""
    parts = (part("tables/_table_round.html", game=number, **vars(turn)) for turn in rounds(game, actions))
    return mark_safe("".join(parts))
