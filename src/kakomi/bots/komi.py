"""The fair komi: the measured value, or an estimate from trying a few komis."""

from collections.abc import Callable
from functools import lru_cache

from kakomi.core import Game
from kakomi.core.known_results import nearest_komi
from kakomi.kernel import Mode, mode
from kakomi.search.playout import Playouts

PLAYOUTS = 2000


def with_komi(game: Game, komi: int) -> Game:
    """The same game with another komi."""
    return Game(game.description, {**game.options, game.description.komi_option: komi})


def named_komi(game: Game, first_leads: Callable[[Game], float]) -> int:
    """Return the allowed komi nearest to the known fair komi, or `fair_komi`'s estimate if none is known.

    Raises ValueError for a game without komi.
    """
    allowed = _allowed(game)
    known = game.description.fair_komi(game.options)
    return nearest_komi(known.fair, allowed) if known else fair_komi(game, first_leads)


def better_player(game: Game, komi: int, first_leads: Callable[[Game], float]) -> int:
    """Return the side to choose at a komi: 0 (first) up to the fair komi, 1 (second) above it."""
    known = game.description.fair_komi(game.options)
    lead = known.fair - komi if known else first_leads(with_komi(game, komi))
    return 0 if lead >= 0 else 1


def fair_komi(game: Game, first_leads: Callable[[Game], float]) -> int:
    """Return the allowed komi that comes closest to making both colours equally good.

    `first_leads` returns the first player's advantage in a game with its komi. It falls as komi rises, so
    a kind of bisection needs few calls. Raises ValueError for a game without komi.
    """
    komis = _allowed(game)
    low, high = 0, len(komis) - 1  # the first player is better off at `low` and not at `high`
    leads = {low: first_leads(with_komi(game, komis[low])), high: -1.0}
    if leads[low] <= 0:
        return komis[low]
    while high - low > 1:
        middle = low + max(1, (high - low) // 4)  # nearer `low`: fair komis are a few points on every board
        leads[middle] = first_leads(with_komi(game, komis[middle]))
        low, high = (middle, high) if leads[middle] > 0 else (low, middle)
    return komis[min((low, high), key=lambda place: abs(leads[place]))]


def _allowed(game: Game) -> list[int]:
    return sorted(game.description.komi.allowed_given(game.options))


@lru_cache(maxsize=128)
def lead_of_random_play(game: Game, seed: int = 0) -> float:
    """Return the first player's mean lead over the second in random games, in points.

    Fewer games are played in `Mode.ADAPTIVE` while playouts aren't compiled, to keep the wait short.
    """
    random_games = Playouts(game, seed)
    count = PLAYOUTS if mode() is not Mode.ADAPTIVE or random_games.is_compiled() else PLAYOUTS // 100
    lead = 0.0
    for _ in range(count):
        random_games.run(1)
        lead += random_games.final_scores[0] - random_games.final_scores[1]
    return lead / count
