"""Rounds at tables of several: everybody meets the others as evenly as can be.

A schedule of all rounds is followed that has as few repeats as are known (`designs.py`), with whoever is
there. When somebody came late, or tables would have other sizes than need be, annealing looks for the round
with the fewest repeated meetings. A larger number of past meetings costs more, so that repeats are spread.
"""

from kakomi.contest.tournament.config import Tables
from kakomi.contest.tournament.designs import schedule, table_sizes
from kakomi.contest.tournament.entries import Pairing, Round
from kakomi.contest.tournament.history import History
from kakomi.contest.tournament.lots import by_lot, generator, lot
from kakomi.contest.tournament.seating import seat_order
from kakomi.contest.tournament.state import Tournament
from kakomi.contest.tournament.table_search import TableSearch

Seating = list[list[str]]

_SMALL = 1
"""What it costs to sit at a smaller table once more than others."""
_REPEAT = 64
"""What it costs to meet again, for each time that two met. A repeat weighs more than a smaller table."""


def next_tables_round(tournament: Tournament, config: Tables, seed: int) -> Round | None:
    """The next round. None after the last one, or if there are no two to play."""
    if len(tournament.rounds) >= config.rounds or len(tournament.present) < 2:
        return None
    history = History(tournament)
    seating = _seating(tournament, config, history, seed)
    number = len(tournament.rounds) + 1
    return Round(tuple(Pairing(seat_order(table, history.seats, lot(seed, number))) for table in seating))


def _seating(tournament: Tournament, config: Tables, history: History, seed: int) -> Seating:
    rounds = _scheduled(tournament, config, seed)
    number = len(tournament.rounds)
    if rounds and rounds[number] and _is_followed(tournament, rounds):
        return rounds[number]
    searched = _searched(tournament, config, history, seed)
    possible = [*filter(None, rounds), searched]
    return min(possible, key=lambda seating: _burden(seating, history))


def _scheduled(tournament: Tournament, config: Tables, seed: int) -> list[Seating]:
    """The rounds of the founders' schedule with those who are present; a round is empty if its tables would
    have other sizes than need be. No rounds at all if somebody came later."""
    founders = [who.name for who in tournament.participants.values() if who.joined == 0]
    present = {who.name for who in tournament.present}
    if not present <= set(founders):
        return []
    order = by_lot(founders, seed, "founders")
    rounds = []
    for tables in schedule(len(founders), config.seats, config.rounds):
        seating = [[order[person] for person in table if order[person] in present] for table in tables]
        seating = [table for table in seating if table]
        sizes = sorted(map(len, seating), reverse=True)
        rounds.append(seating if sizes == table_sizes(len(present), config.seats) else [])
    return rounds


def _is_followed(tournament: Tournament, rounds: list[Seating]) -> bool:
    """Whether so far, those who are present met only as the schedule has it."""
    present = {who.name for who in tournament.present}
    for played, seating in zip(tournament.rounds, rounds, strict=False):
        table_of = {name: number for number, table in enumerate(seating) for name in table}
        for game in played.games:
            if len({table_of.get(name, -1) for name in game.seats if name in present}) > 1:
                return False
    return True


def _burden(seating: Seating, history: History) -> int:
    """How often those who meet at tables have met, all together."""
    return sum(
        history.met(one, other)
        for table in seating
        for i, one in enumerate(table)
        for other in table[i + 1 :]
    )


def _searched(tournament: Tournament, config: Tables, history: History, seed: int) -> Seating:
    """The seating with the fewest repeats that annealing finds, tables in the order of their best person."""
    names = by_lot((who.name for who in tournament.present), seed, "tables", len(tournament.rounds))
    sizes = table_sizes(len(names), config.seats)
    pair_costs = [[_REPEAT * history.met(one, other) for other in names] for one in names]
    small = [_small_cost(history, name, sizes[0]) for name in names]
    draw = generator(seed, "annealing", sum(history.meetings.values()), len(names))
    tables = TableSearch(sizes, pair_costs, small).run(draw)
    return [[names[person] for person in sorted(table)] for table in sorted(tables, key=min)]


def _small_cost(history: History, name: str, largest: int) -> int:
    """What it costs that somebody sits at a smaller table: the oftener they did, the more."""
    times = sum(count for size, count in history.sizes[name].items() if size < largest)
    return _SMALL * (2 * times + 1)
