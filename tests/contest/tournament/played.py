"""Tournaments for tests: fields of entrants, and rounds with chosen results."""

from collections.abc import Callable, Sequence

from kakomi.contest.tournament import (
    AnyFormat,
    Entered,
    Entry,
    Pairing,
    Reported,
    Round,
    Row,
    next_round,
    replay,
)

SEED = 7
Judge = Callable[[Pairing], tuple[int, ...]]


def field(people: int, level: bool = False) -> list[Entry]:
    """The log of a tournament with a number of entrants: p1 is the strongest, unless all are level."""
    return [Entered(f"p{n}", 0.0 if level else float(-n)) for n in range(1, people + 1)]


def strongest_first(pairing: Pairing) -> tuple[int, ...]:
    """The places if lower numbers beat higher ones."""
    order = sorted(pairing.seats, key=lambda name: int(name[1:]))
    return tuple(1 + order.index(name) for name in pairing.seats)


def drawn(pairing: Pairing) -> tuple[int, ...]:
    """The places if all share first place."""
    return (1,) * len(pairing.seats)


def report(log: list[Entry], judge: Judge = strongest_first) -> None:
    """Report results for all open games."""
    for game in replay(log).open_games:
        log.append(Reported(game.round, game.table, judge(Pairing(game.seats))))


def play(
    log: list[Entry], config: AnyFormat, rounds: int = 100, judge: Judge = strongest_first
) -> list[Round]:
    """Play up to `rounds` further rounds, and return them."""
    played = []
    for _ in range(rounds):
        paired = next_round(log, config, SEED)
        if paired is None:
            break
        played.append(paired)
        log.append(paired)
        report(log, judge)
    return played


def pairs(rounds: Sequence[Round]) -> list[frozenset[str]]:
    """The pairs of entrants who met."""
    return [frozenset(pairing.seats) for each in rounds for pairing in each.pairings]


def order(rows: Sequence[Row]) -> list[str]:
    """The names in the order of the standings."""
    return [row.entrant for row in rows]
