"""The next round of a knock-out: a game for every match that can be played now."""

from kakomi.contest.tournament.bracket import walk
from kakomi.contest.tournament.config import Elimination
from kakomi.contest.tournament.entries import Pairing, Round
from kakomi.contest.tournament.history import History
from kakomi.contest.tournament.lots import lot
from kakomi.contest.tournament.seating import seat_order
from kakomi.contest.tournament.state import Tournament


def next_elimination_round(tournament: Tournament, config: Elimination, seed: int) -> Round | None:
    """The next round; those who are in the bracket and have no match now have a bye. None when all is
    decided."""
    bracket = walk(tournament, config, seed)
    if not bracket.ready:
        return None
    past, number = History(tournament).seats, len(tournament.rounds) + 1
    pairings = [
        Pairing(seat_order(match.players, past, lot(seed, number)), match.stage) for match in bracket.ready
    ]
    waiting = [
        name for name in bracket.seeds if name in bracket.waiting and tournament.participants[name].is_present
    ]
    return Round(tuple(pairings), tuple(waiting))


def progress(tournament: Tournament, config: Elimination, seed: int) -> dict[str, int]:
    """How far everybody came: the step at which they went out, more for those who are in it, most for the
    champion, and 0 for whoever came too late for the bracket."""
    bracket = walk(tournament, config, seed)
    beyond = max(bracket.out_at.values(), default=0) + 1
    found = dict.fromkeys(tournament.participants, 0)
    for name in bracket.seeds:
        found[name] = bracket.out_at.get(name, beyond + (name == bracket.champion))
    return found
