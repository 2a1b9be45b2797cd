"""Tournaments for tests: fields of people, and rounds with results as a test wants them."""

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
    """The log of a tournament that so many entered: p1 is the strongest, unless all are level."""
    return [Entered(f"p{n}", 0.0 if level else float(-n)) for n in range(1, people + 1)]


def strongest_first(pairing: Pairing) -> tuple[int, ...]:
    """Who has the lower number comes before who has a higher one."""
    order = sorted(pairing.seats, key=lambda name: int(name[1:]))
    return tuple(1 + order.index(name) for name in pairing.seats)


def drawn(pairing: Pairing) -> tuple[int, ...]:
    """Everybody has the first place."""
    return (1,) * len(pairing.seats)


def report(log: list[Entry], judge: Judge = strongest_first) -> None:
    """End all open games."""
    for game in replay(log).open_games:
        log.append(Reported(game.round, game.table, judge(Pairing(game.seats))))


def play(
    log: list[Entry], config: AnyFormat, rounds: int = 100, judge: Judge = strongest_first
) -> list[Round]:
    """Go on for so many rounds, or to the end; the rounds."""
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
    """Who met whom."""
    return [frozenset(pairing.seats) for each in rounds for pairing in each.pairings]


def order(rows: Sequence[Row]) -> list[str]:
    """Names as they stand."""
    return [row.entrant for row in rows]
