"""Round robin in groups: everybody plays everybody of their group, by Berger's tables; then perhaps a final
stage.

A group keeps to its table with whoever is present. When the table is at its end, or if somebody came late,
those who have most games left play first, until all who are present have met as often as agreed.
"""

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from kakomi.contest.tournament.berger import berger_rounds
from kakomi.contest.tournament.config import RoundRobin
from kakomi.contest.tournament.entries import Pairing, Round
from kakomi.contest.tournament.history import History
from kakomi.contest.tournament.lots import lot
from kakomi.contest.tournament.matching import Costs, best_pairs
from kakomi.contest.tournament.seating import seat_order
from kakomi.contest.tournament.state import Tournament

FINAL = "final"


def groups(tournament: Tournament, config: RoundRobin, seed: int) -> list[list[str]]:
    """Who is in which group: founders by strength, there and back (snake), then everybody who came late in
    the
    group that has fewest. No group is for one alone, so there may be fewer than agreed."""
    people = list(tournament.participants.values())
    founders = sorted(
        (who for who in people if who.joined == 0),
        key=lambda who: (-who.strength, lot(seed, "rank", who.name), who.name),
    )
    count = max(1, min(config.groups, len(founders) // 2))
    found: list[list[str]] = [[] for _ in range(count)]
    for rank, who in enumerate(founders):
        turn, place = divmod(rank, count)
        found[count - 1 - place if turn % 2 else place].append(who.name)
    for who in people:
        if who.joined:
            min(found, key=len).append(who.name)
    return found


def group_stage_rounds(tournament: Tournament) -> int:
    """How many rounds there were before the final stage."""
    for number, played in enumerate(tournament.rounds):
        if any(game.stage.startswith(FINAL) for game in played.games):
            return number
    return len(tournament.rounds)


def next_group_round(tournament: Tournament, config: RoundRobin, seed: int) -> Round | None:
    """The next round of all groups. None if everybody who is present has played all games."""
    history = History(tournament)
    own_groups = groups(tournament, config, seed)
    pairings: list[Pairing] = []
    byes: list[str] = []
    for number, names in enumerate(own_groups, start=1):
        stage = f"group {number}" if len(own_groups) > 1 else ""
        present = [name for name in names if tournament.participants[name].is_present]
        pairs = _group_pairs(tournament, config, names, present, history)
        if pairs is None:
            continue
        pairings += [Pairing(pair, stage) for pair in pairs]
        byes += [name for name in present if not any(name in pair for pair in pairs)]
    return Round(tuple(pairings), tuple(byes)) if pairings else None


def _group_pairs(
    tournament: Tournament, config: RoundRobin, names: list[str], present: list[str], history: History
) -> list[tuple[str, ...]] | None:
    """The games of a group in the next round; None if it has no more to play."""
    left = games_left(tournament, config)
    if not any(left(*pair) for pair in combinations(present, 2)):
        return None
    founders = [name for name in names if tournament.participants[name].joined == 0]
    table = berger_rounds(len(founders))
    number = len(tournament.rounds)
    if len(founders) == len(names) and number < len(table) * config.legs:
        leg, of_leg = divmod(number, len(table))
        pairs = [(founders[one], founders[other]) for one, other in table[of_leg]]
        scheduled = [
            pair[:: -1 if leg % 2 else 1] for pair in pairs if set(pair) <= set(present) and left(*pair)
        ]
        if scheduled:
            return list(scheduled)
    chosen = best_pairs(len(present), _most_left_first(present, left))
    return [
        seat_order((present[one], present[other]), history.seats, lot(0, number)) for one, other in chosen
    ]


def games_left(tournament: Tournament, config: RoundRobin) -> Callable[[str, str], int]:
    """How many games two have yet to play. A game that somebody didn't appear for isn't played again."""
    paired = Counter(frozenset(game.seats) for game in tournament.games)
    return lambda one, other: max(0, config.legs - paired[frozenset((one, other))])


def has_games_left(tournament: Tournament, config: RoundRobin, seed: int, entrant: str) -> bool:
    """Whether somebody has yet to meet others of their group who are there."""
    left = games_left(tournament, config)
    group = next(names for names in groups(tournament, config, seed) if entrant in names)
    others = [name for name in group if name != entrant and tournament.participants[name].is_present]
    return any(left(entrant, other) for other in others)


def _most_left_first(
    present: list[str], left: Callable[[str, str], int]
) -> Callable[[int, int], Costs | None]:
    """The costs of pairs for whom games are left: the more each of them has left, the cheaper."""
    totals = [sum(left(name, other) for other in present if other != name) for name in present]
    most = 2 * max(totals)

    def costs(one: int, other: int) -> Costs | None:
        games = left(present[one], present[other])
        return (most - totals[one] - totals[other], most - games, one * one + other) if games else None

    return costs
