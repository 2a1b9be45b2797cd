"""A ladder: a ranking in which entrants climb by beating those above them.

Founders start in order of strength, later entrants at the bottom. After a game, its players redistribute
their rungs by place; equals keep their order. So of two players the winner gets the upper rung, and tables of
several work in the same way. Absent entrants keep their rungs, which challenges skip.
"""

from dataclasses import dataclass

from kakomi.contest.tournament.config import Ladder
from kakomi.contest.tournament.log import Game, Pairing, Round, Tournament
from kakomi.contest.tournament.seating import History, seat_order
from kakomi.contest.tournament.seeded_random import lot


@dataclass(frozen=True)
class Climb:
    """An entrant's rise on a ladder. Rungs are counted from 1, the top."""

    game: Game
    entrant: str
    before: int
    after: int


def rungs(tournament: Tournament, seed: int) -> list[str]:
    """Return all entrants, from the top of the ladder to the bottom."""
    order = _first_order(tournament, seed)
    for game in tournament.games:
        order = _after(order, game)
    return order


def climbs(tournament: Tournament, seed: int) -> list[Climb]:
    """Return all climbs, in the order in which games were paired."""
    order, found = _first_order(tournament, seed), []
    for game in tournament.games:
        former, order = order, _after(order, game)
        for name in game.seats:
            before, after = former.index(name) + 1, order.index(name) + 1
            if after < before:
                found.append(Climb(game, name, before, after))
    return found


def _first_order(tournament: Tournament, seed: int) -> list[str]:
    people = list(tournament.participants.values())
    founders = [who for who in people if who.joined == 0]
    founders.sort(key=lambda who: (-who.strength, lot(seed, "rank", who.name), who.name))
    return [who.name for who in founders] + [who.name for who in people if who.joined]


def _after(order: list[str], game: Game) -> list[str]:
    """Return the order after a game, whose players redistribute their rungs by place."""
    if game.result is None:
        return order
    own = sorted(order.index(name) for name in game.seats)
    place = dict(zip(game.seats, game.result.places, strict=True))
    climbers = sorted((order[rung] for rung in own), key=lambda name: place[name])  # equals stay in order
    found = list(order)
    for rung, name in zip(own, climbers, strict=True):
        found[rung] = name
    return found


def why_not_challenge(
    tournament: Tournament, config: Ladder, seed: int, entrant: str, opponents: tuple[str, ...]
) -> str | None:
    """Return the reason why a challenge isn't possible now, in a sentence; None if it is.

    Entrants may challenge people at most `reach` rungs above them, if all are free. The same people may play
    again only after `rest` other games, unless nobody else is within reach.
    """
    present = {who.name for who in tournament.present}
    if not opponents or len({entrant, *opponents}) <= len(opponents):
        return "a challenge should name others, each once"
    if missing := [name for name in (entrant, *opponents) if name not in present]:
        return f"not on the ladder now: {', '.join(missing)}"
    order = [name for name in rungs(tournament, seed) if name in present]
    own = order.index(entrant)
    above = order[max(0, own - config.reach) : own]
    if far := [name for name in opponents if name not in above]:
        return f"not among the {config.reach} above: {', '.join(far)}"
    busy = {name for game in tournament.open_games for name in game.seats}
    busy |= {name for each in tournament.challenges for name in (each.entrant, *each.opponents)}
    if taken := [name for name in (entrant, *opponents) if name in busy]:
        return f"in a game or a challenge: {', '.join(taken)}"
    if len(above) > len(opponents) and _ended_since(tournament, {entrant, *opponents}) < config.rest:
        return "the same people played just now; somebody else has to play before"
    return None


def _ended_since(tournament: Tournament, people: set[str]) -> float:
    """Return how many of the games paired since the last one of exactly these people have ended; infinite
    without one."""
    ended = 0
    for game in reversed(tournament.games):
        if set(game.seats) == people:
            return ended
        ended += not game.is_open
    return float("inf")


def next_ladder_round(tournament: Tournament, seed: int) -> Round | None:
    """Return a round of the challenges whose people are all free and present; None if there are none."""
    present = {who.name for who in tournament.present}
    busy = {name for game in tournament.open_games for name in game.seats}
    past, number = History(tournament).seats, len(tournament.rounds) + 1
    pairings = []
    for challenge in tournament.challenges:
        people = (challenge.entrant, *challenge.opponents)
        if set(people) <= present and not busy & set(people):
            busy.update(people)
            pairings.append(Pairing(seat_order(people, past, lot(seed, number))))
    return Round(tuple(pairings)) if pairings else None
