"""The fair komi: by what was measured, else by a look at the game under each of a few komis."""

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
    """The komi to name: the nearest to the fair one that is known, else the one that `fair_komi` finds.

    Raises ValueError for a game without komi.
    """
    allowed = _allowed(game)
    known = game.description.fair_komi(game.options)
    return nearest_komi(known.fair, allowed) if known else fair_komi(game, first_leads)


def better_player(game: Game, komi: int, first_leads: Callable[[Game], float]) -> int:
    """The player to be under a komi, 0 or 1: the first while komi is less than the fair one."""
    known = game.description.fair_komi(game.options)
    lead = known.fair - komi if known else first_leads(with_komi(game, komi))
    return 0 if lead >= 0 else 1


def fair_komi(game: Game, first_leads: Callable[[Game], float]) -> int:
    """The komi that makes both colours worth the same, as near as it may be.

    `first_leads` says of a game with its komi how much better the first player's side is; it falls as
    komi rises, so few komis need to be tried. Raises ValueError for a game without komi.
    """
    komis = _allowed(game)
    low, high = 0, len(komis) - 1  # the first player is better off at `low` and not at `high`
    leads = {low: first_leads(with_komi(game, komis[low])), high: -1.0}
    if leads[low] <= 0:
        return komis[low]
    while high - low > 1:
        middle = _between(low, high)
        leads[middle] = first_leads(with_komi(game, komis[middle]))
        low, high = (middle, high) if leads[middle] > 0 else (low, middle)
    return komis[min((low, high), key=lambda place: abs(leads[place]))]


def _between(low: int, high: int) -> int:
    """Nearer the small komis: fair ones are a few points, whatever the board."""
    return low + max(1, (high - low) // 4)


def _allowed(game: Game) -> list[int]:
    return sorted(game.description.komi.allowed_given(game.options))


@lru_cache(maxsize=128)
def lead_of_random_play(game: Game, seed: int = 0) -> float:
    """By how many points the first player ends ahead of the second in random games, on average.

    There are fewer of them while playouts are not compiled and somebody waits (`Mode.ADAPTIVE`).
    """
    random_games = Playouts(game, seed)
    count = PLAYOUTS if mode() is not Mode.ADAPTIVE or random_games.is_compiled() else PLAYOUTS // 100
    lead = 0.0
    for _ in range(count):
        random_games.run(1)
        lead += random_games.final_scores[0] - random_games.final_scores[1]
    return lead / count
