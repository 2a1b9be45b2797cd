"""How games are begun on this site."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Count

from kakomi.core import Game
from kakomi.server.search.models import Opening
from kakomi.server.search.openings import opening_key

MOST = 5
"""First moves that are listed."""


@dataclass(frozen=True)
class FirstMove:
    """A first action, one for all that a symmetry maps onto it, and how many listed games began with it."""

    action: str
    games: int
    of: int
    """Listed games on this board that are over."""


def first_moves(game: Game) -> list[FirstMove]:
    """The first actions of finished listed games on a board, the most frequent first."""
    actions = _actions_by_key(game)
    rows = (
        Opening.objects.filter(key__in=actions, table__listed_at__isnull=False)
        .values_list("key")
        .annotate(games=Count("pk"))
        .order_by("-games", "key")
    )
    counted: list[tuple[str, int]] = list(rows)
    total = sum(games for _, games in counted)
    return [FirstMove(actions[key], games, total) for key, games in counted[:MOST]]


@lru_cache(maxsize=32)
def _actions_by_key(game: Game) -> Mapping[str, str]:
    """The first actions by the keys of the positions after them, of those that are alike the first one."""
    start = game.start()
    found: dict[str, str] = {}
    for action in map(int, start.legal_actions()):
        found.setdefault(opening_key(start.play_action(action)), game.action_texts[action])
    return found
