"""How games are begun on this site."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Count

from kakomi.core import Game
from kakomi.core.known_results import Figure
from kakomi.server.search.models import Opening
from kakomi.server.search.openings import opening_key
from kakomi.study.tournament.statistics import estimated

MOST = 5
"""First moves that are listed."""


@dataclass(frozen=True)
class FirstMove:
    """A first action, one for all that a symmetry maps onto it, and how many listed games began with it."""

    action: str
    games: int
    of: int
    """Listed games on this board that are over."""
    first_wins: Figure | None
    """The first player's share of the win in them."""


def first_moves(game: Game) -> list[FirstMove]:
    """The first actions of finished listed games on a board, the most frequent first."""
    actions = _actions_by_key(game)
    rows = (
        Opening.objects.filter(key__in=actions, table__listed_at__isnull=False)
        .values_list("key", "first_share")
        .annotate(games=Count("pk"))
    )
    shares: defaultdict[str, list[float | None]] = defaultdict(list)
    for key, share, games in rows:
        shares[key] += [share] * games
    total = sum(map(len, shares.values()))
    often = sorted(shares, key=lambda key: (-len(shares[key]), key))[:MOST]
    return [FirstMove(actions[key], len(shares[key]), total, _mean(shares[key])) for key in often]


def _mean(shares: Sequence[float | None]) -> Figure | None:
    """The mean of the games that have a result, with Wilson's interval."""
    found = estimated([share for share in shares if share is not None], 1)
    if found is None:
        return None
    return Figure(value=found.score, low=found.low, high=found.high, games=found.blocks)


@lru_cache(maxsize=32)
def _actions_by_key(game: Game) -> Mapping[str, str]:
    """The first actions by the keys of the positions after them, of those that are alike the first one."""
    start = game.start()
    found: dict[str, str] = {}
    for action in map(int, start.legal_actions()):
        found.setdefault(opening_key(start.play_action(action)), game.action_texts[action])
    return found
