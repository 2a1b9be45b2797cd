"""Tables for printing, played at random from a seed."""

import random

import kakomi
from kakomi.protocol.mail.printing import BoardReport, SeatLine
from kakomi.session import Entry, MatchConfig, Seat, Table

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank")


def table_of(name, turns=0, seed=1, games=1, **options):
    """A table after a number of random turns."""
    terms = {key: options.pop(key) for key in ("negotiate", "swap") if key in options}
    game = kakomi.game(name, **options)
    table = Table.begun(MatchConfig(game, games=games, **terms), [Seat(who) for who in NAMES[: game.players]])
    rng = random.Random(seed)
    for _ in range(turns):
        seat = table.to_act
        while seat is not None and table.to_act == seat:
            table = table.apply(Entry(seat, "play", rng.choice(table.match.position.legal())))
    return table


def report_of(table, **given):
    """A report for the seat to act, with everything that a mail can contain."""
    seats = tuple(SeatLine(who, "1620 ± 80", "2 d 4 h") for who in NAMES[: len(table.match.seats)])
    usual = {
        "viewer": table.to_act,
        "deadline": "Thursday 26 November, 18:00 UTC",
        "link": "https://kakomi.example/table/k7m2x9qpab",
    }
    return BoardReport(123, table, seats, **{**usual, **given})
