"""Standings and tie-breaks, compared with values computed by hand."""

from fractions import Fraction

import pytest

from contest.tournament.played import SEED, drawn, field, order, play
from kakomi.contest.tournament import (
    Entry,
    Pairing,
    Reported,
    Returned,
    Round,
    Swiss,
    Tables,
    TieBreak,
    Withdrew,
    check_format,
    next_round,
    read_format,
    standings,
    write_format,
)
from kakomi.contest.tournament.config import RoundRobin
from kakomi.contest.tournament.log import Result
from kakomi.contest.tournament.scoring import shares

# p1 beats p2 and draws with p3, p3 beats p4, p2 beats p4; then p5 has a bye twice
LOG: list[Entry] = [
    *field(5),
    Round((Pairing(("p1", "p2")), Pairing(("p3", "p4"))), ("p5",)),
    Reported(1, 1, (1, 2)),
    Reported(1, 2, (1, 2)),
    Round((Pairing(("p3", "p1")), Pairing(("p4", "p2"))), ("p5",)),
    Reported(2, 1, (1, 1)),
    Reported(2, 2, (2, 1)),
]
HALF = Fraction(1, 2)
EXPECTED: dict[TieBreak, list[Fraction | int]] = {
    # for p1, p2, p3, p4, p5, whose points are 3/2, 1, 3/2, 0, 2
    "wins": [1, 1, 1, 0, 0],
    "buchholz": [1 + 3 * HALF, 3 * HALF, 3 * HALF, 3 * HALF + 1, 4],
    "buchholz cut 1": [3 * HALF, 3 * HALF, 3 * HALF, 3 * HALF, 2],
    "sonneborn-berger": [1 + HALF * 3 * HALF, 0, HALF * 3 * HALF, 0, 4],
    "progressive": [1 + 3 * HALF, 1, 1 + 3 * HALF, 0, 3],
    "less begun": [1, 2, 0, 1, 0],
}


@pytest.mark.parametrize("tie_break", EXPECTED)
def test_tie_breaks(tie_break: TieBreak) -> None:
    rows = {row.entrant: row for row in standings(LOG, Swiss(tie_breaks=(tie_break,)), SEED)}
    assert [rows[f"p{n}"].points for n in range(1, 6)] == [3 * HALF, 1, 3 * HALF, 0, 2]
    assert [rows[f"p{n}"].tie_breaks for n in range(1, 6)] == [(value,) for value in EXPECTED[tie_break]]


def test_direct_encounter_counts_among_those_who_all_met() -> None:
    log: list[Entry] = [*field(4)]
    results = [("p2", "p1"), ("p3", "p4"), ("p1", "p3"), ("p2", "p4"), ("p3", "p2"), ("p1", "p4")]
    for number in range(3):
        log.append(Round(tuple(Pairing(pair) for pair in results[2 * number : 2 * number + 2])))
        log += [Reported(number + 1, table, (1, 2)) for table in (1, 2)]
    rows = standings(log, Swiss(tie_breaks=("direct encounter",)), SEED)
    assert [(row.place, row.points, row.tie_breaks) for row in rows] == [(1, 2, (1,))] * 3 + [(4, 0, (0,))]
    rows = standings(log[:7], Swiss(tie_breaks=("direct encounter",)), SEED)  # p1 lost, p3 won, and so on
    assert {row.entrant: row.tie_breaks for row in rows if row.points == 1} == {"p2": (0,), "p3": (0,)}


def test_direct_encounter_decides_between_two() -> None:
    log = [*field(4), Round((Pairing(("p1", "p2")), Pairing(("p3", "p4")))), Reported(1, 1, (2, 1))]
    log += [Reported(1, 2, (1, 2)), Round((Pairing(("p1", "p4")), Pairing(("p2", "p3"))))]
    log += [Reported(2, 1, (1, 2)), Reported(2, 2, (2, 1))]
    rows = standings(log, Swiss(tie_breaks=("direct encounter",)), SEED)
    assert [row.entrant for row in rows] == ["p3", "p2", "p1", "p4"]
    assert [row.place for row in rows] == [1, 2, 3, 4]


def test_a_place_brings_the_share_of_those_left_behind() -> None:
    assert shares(Result((1, 2, 2, 4))) == (1, HALF, HALF, 0)
    assert shares(Result((1, 1))) == (HALF, HALF)
    assert shares(Result((1, 2, 3), frozenset({2}))) == (1, HALF, 0)
    assert shares(Result((1, 1), frozenset({0, 1}))) == (0, 0)


def test_all_are_level() -> None:
    log = field(6, level=True)
    play(log, Swiss(rounds=5), judge=drawn)
    rows = standings(log, Swiss(rounds=5), SEED)
    assert {row.place for row in rows} == {1} and {row.points for row in rows} == {Fraction(5, 2)}


def test_opponents_at_a_table_count_by_their_mean() -> None:
    log = [*field(3), Round((Pairing(("p1", "p2", "p3")),)), Reported(1, 1, (1, 2, 3))]
    rows = standings(log, Tables(tie_breaks=("buchholz", "sonneborn-berger")), SEED)
    assert [row.tie_breaks for row in rows] == [
        (Fraction(1, 4), Fraction(1, 4)),
        (HALF, 0),
        (Fraction(3, 4), 0),
    ]


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (Swiss(rounds=0), "rounds should be 1 to 100, not 0"),
        (Tables(seats=7), "seats should be 2 to 6, not 7"),
        (RoundRobin(promoted=2), "a final stage just if some are promoted"),
        (RoundRobin(promoted=1, final=RoundRobin(legs=0)), "legs should be 1 to 10, not 0"),
    ],
)
def test_a_format_that_makes_no_sense_is_refused(config: Swiss | Tables | RoundRobin, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        check_format(config)
    with pytest.raises(ValueError, match=sentence):
        next_round([], config, SEED)
    with pytest.raises(ValueError, match=sentence):
        read_format(write_format(config))


def test_who_leaves_before_the_last_round_comes_last_without_a_place() -> None:
    """p1 has most points but left; after returning, or leaving only after the last round, they are first."""
    config = Swiss(rounds=3)
    log = field(4)
    play(log, config, rounds=2)
    log.append(Withdrew("p1"))
    rows = standings(log, config, SEED)
    assert [row.place for row in rows] == [1, 1, 3, None] and rows[3].entrant == "p1" and rows[3].points == 2
    log.append(Returned("p1"))
    assert standings(log, config, SEED)[0].entrant == "p1"
    play(log, config)
    log.append(Withdrew("p1"))
    assert order(standings(log, config, SEED))[0] == "p1" and standings(log, config, SEED)[0].place == 1
