"""Random entries in any order: a table accepts or refuses each, and can be rebuilt from its log."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import kakomi
from kakomi import records
from kakomi.session import Calendar, Entry, Match, MatchConfig, Seat, Table, TimeControl
from kakomi.session.events import OFFERS, outage_value, rest_value
from kakomi.session.record import record_of

KINDS = ("resign", "accept", "decline", "withdraw", "takeback", "swap")
OTHER_KINDS = ("play", "komi", "colour", "flag", "offer", "rest", "abort", "downtime")
CLOCKS = (
    None,
    TimeControl(20, 3),
    TimeControl(9, kind="simple"),
    TimeControl(20, 3, "delay"),
    TimeControl(10, 5, "byo-yomi", periods=2),
    TimeControl(30, kind="days"),
    TimeControl(40, 9, "bank", 50),
    TimeControl(60, kind="total"),
)
CALENDARS = (
    Calendar(),
    Calendar(sleep=(2, 5)),
    Calendar(vacations=((110.0, 113.5), (150.0, 190.0))),
    Calendar(offsets=((0.0, 3600), (160.0, 7200)), sleep=(62, 122)),
)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables with small boards, two to four seats with people and bots, and random options."""
    game = draw(
        st.sampled_from(
            [
                kakomi.game("rin", size=4),
                kakomi.game("ren", size=4),
                kakomi.game("lin", size=5),
                kakomi.game("rive", size=2),
                kakomi.game("rings", size=2, players=3),
                kakomi.game("rings", size=2, players=4),
            ]
        )
    )
    two = game.players == 2
    negotiate = bool(game.description.komi_option) and draw(st.booleans())
    terms = MatchConfig(
        game,
        games=draw(st.integers(1, 2)),
        first=draw(st.integers(0, 1)),
        negotiate=negotiate,
        swap=two and not negotiate and draw(st.booleans()),
        leavers="" if two else draw(st.sampled_from(["", "2"])),
    )
    seats = [Seat(str(seat), bot=draw(st.sampled_from(["", "1"]))) for seat in range(game.players)]
    start = draw(st.sampled_from([None, 20.0]))
    time, is_binding = draw(st.sampled_from(CLOCKS)), draw(st.booleans())
    return Table.begun(terms, seats, time=time, at=100.0, start=start, is_binding=is_binding)


@st.composite
def entries(draw: st.DrawFn, table: Table) -> Entry:
    """Entries that are mostly plausible, now and then arbitrary."""
    at = table.at + draw(st.sampled_from([0.0, 0.25, 1.0, 4.0, 30.0, -5.0]))
    due = table.due(at)
    if due and draw(st.integers(0, 4)):
        return due
    to_act = table.to_act or 0
    seat = draw(st.sampled_from([to_act, to_act, to_act, *range(-1, len(table.match.seats) + 1)]))
    choice = draw(st.integers(0, 15))
    if choice < 6:
        phase = table.match.phase
        if phase in ("komi", "colour"):
            return Entry(seat, phase, draw(st.integers(-1, 6)), at)
        return Entry(seat, "play", draw(st.sampled_from([*table.match.position.legal(), "zz"])), at)
    if choice == 6:
        return Entry(None, "flag", seat, at)
    if choice < 9:
        return Entry(seat, "offer", draw(st.sampled_from(OFFERS)), at)
    if choice == 9:
        return Entry(None, "downtime", outage_value((table.at, table.at + draw(st.floats(1, 9)))), at)
    if choice == 10:
        return Entry(seat, "rest", rest_value(table.at, draw(st.sampled_from(CALENDARS))), at)
    if choice == 11:
        who, why = draw(
            st.sampled_from(
                [(None, "not started"), (None, "not seated"), (None, "round over"), (seat, "stopped")]
            )
        )
        return Entry(who, "abort", why, at)
    if choice == 12:
        return Entry(None, "forfeit", seat, at)
    return Entry(seat, draw(st.sampled_from(KINDS)), None, at)


def projection(table: Table) -> dict[str, Any]:
    """All public data of a table."""
    return {
        "data": table.to_json(),
        "match": table.match.to_json(),
        "positions": [leg.position.key() for leg in table.match.games],
        "ending": table.ending,
        "offer": table.offer,
        "clock": table.clock,
        "start": table.start,
        "leavers": [leg.leavers for leg in table.match.games],
        "standing": table.last_relevant_entry,
        "to act": table.to_act,
        "may": [[table.may(seat, kind) for kind in KINDS] for seat in range(len(table.match.seats))],
    }


def holds(table: Table) -> None:
    """Check the invariants of a table."""
    left = set(table.match.current_game.resigned_seats)
    assert (table.to_act is None) == table.is_over == (table.ending is not None)
    assert table.to_act not in left
    assert table.entries == len(table.history)
    moments = [entry.at for entry in table.history]
    assert moments == sorted(moments)
    if table.ending:
        assert bool(table.ending.winners) == (table.ending.reason != "aborted")
        assert table.offer is table.next_due() is None
    if table.offer:
        assert table.offer.waiting
        assert not left & {table.offer.seat, *table.offer.waiting}
        assert all(table.may(seat, "accept") and table.may(seat, "decline") for seat in table.offer.waiting)
    due = table.next_due()
    if due is not None and due > table.at:
        remaining = table.remaining((table.at + due) / 2)
        assert table.to_act is not None
        if remaining is not None:
            assert min(remaining) >= 0
            assert remaining[table.to_act] > 0 or table.at > due - 1
        assert table.due(due - 1e-3) is None or due - 1e-3 < table.at
        flag = table.due(due)
        assert flag is not None
        assert flag.value in (table.to_act, "not started")
        after = table.apply(flag)
        assert after.is_over or after.match.current_game is not table.match.current_game


@settings(max_examples=120, deadline=None)
@given(st.data(), tables())
def test_any_entries_are_applied_or_refused(data: st.DataObject, table: Table) -> None:
    for _ in range(data.draw(st.integers(1, 40))):
        entry = data.draw(entries(table))
        before = table.to_json()
        try:
            after = table.apply(entry)
        except ValueError as error:
            assert str(error)
            assert "\n" not in str(error)
            assert table.to_json() == before
            continue
        assert table.to_json() == before, "a table never changes"
        left = (
            table.match.current_game.resigned_seats
            if len(after.match.games) == len(table.match.games)
            else ()
        )
        assert set(left) <= set(after.match.current_game.resigned_seats), "nobody comes back"
        table = after
        holds(table)
    assert projection(Table.from_json(json.loads(json.dumps(table.to_json())))) == projection(table)
    assert Match.from_json(table.match.to_json()).position == table.match.position
    if table.match.current_game.players is not None:
        record = record_of(table.match)
        assert records.checked(record, table.match.current_game.game) == record


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=200, deadline=None)
@given(
    st.fixed_dictionaries(
        {
            "do": st.sampled_from(
                [*KINDS, "play", "komi", "colour", "flag", "offer", "rest", "abort", "downtime"]
            )
            | JSON
        },
        optional={"seat": JSON, "value": JSON, "at": JSON | st.integers(0, 10**6)},
    )
)
def test_data_is_an_entry_or_is_refused(data: dict[str, Any]) -> None:
    try:
        entry = Entry.from_json(data)
    except ValueError as error:
        assert str(error)
        return
    assert Entry.from_json(json.loads(json.dumps(entry.to_json()))) == entry
