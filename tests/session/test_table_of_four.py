"""Rings for four with people and bots: resignations, flags and takebacks in long random games."""

import random
from collections import Counter

import pytest

from kakomi import records
from kakomi.session import Entry, Refused, Seat, Table, TimeControl
from kakomi.session.record import record_of
from session.told_tables import begun

SEATS = (Seat("Ada"), Seat("Ben"), Seat("Level 1", bot="1"), Seat("Cleo"))
RARE = {"resign": 1, "withdraw": 1, "decline": 2, "takeback": 8, "accept": 40, "offer": 20, "play": 60}


def next_entry(table: Table, chance: random.Random) -> Entry:
    """A random possible entry of some seat, or the flag if a seat's time is up."""
    at = table.at + chance.choice([0, 1, 2, 3, 3, 12])
    due = table.due(at)
    if due:
        return due
    if chance.random() < 0.005:
        return Entry(None, "forfeit", table.to_act, at)
    offer = {"offer": "takeback"}
    able = [(seat, kind) for seat in range(4) for kind in RARE if table.may(seat, kind, offer.get(kind))]
    seat, kind = chance.choices(able, [RARE[kind] for _, kind in able])[0]
    text = chance.choice(table.match.position.legal()) if kind == "play" else None
    return Entry(seat, kind, "takeback" if kind == "offer" else text, at)


def check(before: Table, entry: Entry, table: Table) -> None:
    """Check what an entry changed and what it kept."""
    gone, stays_out = (
        set(table.match.current_game.resigned_seats),
        set(before.match.current_game.resigned_seats),
    )
    assert stays_out <= gone
    assert (
        before.match.current_game.involuntary_reasons.items()
        <= table.match.current_game.involuntary_reasons.items()
    )
    assert table.to_act not in gone
    if entry.kind in ("resign", "flag", "forfeit"):
        assert gone - stays_out == {entry.seat if entry.kind == "resign" else entry.value}
        assert table.offer is None
    if table.offer:
        assert not gone & {table.offer.seat, *table.offer.waiting}
        assert not any(SEATS[seat].is_bot for seat in table.offer.waiting)
    taker = before.offer.seat if before.offer and entry.kind == "accept" and not table.offer else entry.seat
    if entry.kind == "takeback" or (entry.kind == "accept" and not table.offer):
        assert table.to_act == taker
        assert table.match.position.ply < before.match.position.ply
    old, new = before.remaining(entry.at), table.remaining(entry.at)
    assert old is not None
    assert new is not None
    earned = [late - early for early, late in zip(old, new, strict=True)]
    assert all(seconds in (0, 2) for seconds in earned)
    assert entry.kind == "play" or not any(earned), "only a finished turn adds time"


def test_long_games_of_four_keep_their_promises() -> None:
    happened: Counter[str] = Counter()
    for seed in range(60):
        chance = random.Random(seed)
        table = begun("rings", SEATS, time=TimeControl(30, 2), size=2, players=4)
        while not table.is_over and table.entries < 150:
            entry = next_entry(table, chance)
            before, table = table, table.apply(entry)
            check(before, entry, table)
            after_losses = bool(before.match.current_game.resigned_seats)
            happened[f"{entry.kind} after losses" if after_losses else entry.kind] += 1
        assert Table.from_json(table.to_json()).match.to_json() == table.match.to_json()
        record = record_of(table.match)
        assert records.checked(record, table.match.current_game.game) == record
        happened[table.ending.reason if table.ending else "unfinished"] += 1
    wanted = [
        "resign",
        "flag",
        "forfeit",
        "offer",
        "accept",
        "decline",
        "withdraw",
        "rules",
        "time",
        "resignation",
    ]
    wanted += [f"{kind} after losses" for kind in ("accept", "takeback", "resign", "flag")]
    assert not [kind for kind in wanted if not happened[kind]], happened


def test_who_has_left_offers_nothing() -> None:
    table = begun("rings", SEATS, time=TimeControl(30, 2), size=2, players=4)
    table = table.apply(Entry(0, "play", "D1", 1001)).apply(Entry(0, "resign", None, 1001))
    for kind in ("pause", "takeback"):
        with pytest.raises(Refused, match="seat 0 has left the game"):
            table.apply(Entry(0, "offer", kind, 1001))
