"""Swiss for two players: compared with all pairings in small fields, and with py4swiss in larger ones."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest

from contest.tournament.played import SEED, drawn, field, pairs, play
from contest.tournament.py4swiss_peer import Quality, quality
from contest.tournament.tally import compare
from kakomi.contest.tournament import (
    Entered,
    Entry,
    Pairing,
    Reported,
    Round,
    Swiss,
    Withdrew,
    next_round,
    replay,
)
from kakomi.contest.tournament.scoring import scores
from kakomi.contest.tournament.seating import History, has_excess


def by_chance(log: list[Entry], config: Swiss, draw: random.Random, rounds: int) -> None:
    play(log, config, rounds, lambda _: draw.choice(((1, 2), (2, 1), (1, 1))))


def all_pairings(names: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Every way to pair an even number of names."""
    if not names:
        yield []
        return
    for other in names[1:]:
        for rest in all_pairings([name for name in names[1:] if name != other]):
            yield [(names[0], other), *rest]


def worth(log: list[Entry], config: Swiss, made: list[tuple[str, str]]) -> tuple[int, ...]:
    """The cost of pairs, the most important criterion first, independent of the pairing code; one may be with
    "bye"."""
    state = replay(log)
    history, points = History(state), scores(state, config)
    levels = sorted({points[who.name] for who in state.present}, reverse=True)
    level = {who.name: levels.index(points[who.name]) for who in state.present} | {"bye": len(levels)}
    before = scores(state, config, state.rounds[:-1])
    last = state.rounds[-1]
    down = {
        max(game.seats, key=lambda name: before[name]) for game in last.games if is_float(game.seats, before)
    }
    up = {
        min(game.seats, key=lambda name: before[name]) for game in last.games if is_float(game.seats, before)
    }
    down |= set(last.byes)
    found = [0] * 7
    for one, other in (sorted(pair, key=lambda name: level[name]) for pair in made):
        times = history.byes[one] if other == "bye" else history.met(one, other)
        steps = level[other] - level[one]
        seats = [history.seats[name] for name in (one, other) if name != "bye"]
        again = (one in down) + (other in up) if steps else 0
        costs = [times > 0, times**2, len(seats) == 2 and clash(*seats), steps, steps**2, again]
        costs.append(unfulfilled(*seats) if len(seats) == 2 else 0)
        found = [total + cost for total, cost in zip(found, costs, strict=True)]
    return tuple(found)


def is_float(seats: tuple[str, ...], before: dict[str, Fraction]) -> bool:
    return len({before[name] for name in seats}) == 2


def unfulfilled(one: list[int], other: list[int]) -> int:
    """2 if both had the same seat more often; 1 if their preferences clash otherwise; otherwise 0."""
    balances = [seats.count(1) - seats.count(0) for seats in (one, other)]
    if all(balances):
        return 2 if balances[0] * balances[1] > 0 else 0
    wishes = [
        balance or (seats[-1] * 2 - 1 if seats else 0)
        for balance, seats in zip(balances, (one, other), strict=True)
    ]
    return int(wishes[0] * wishes[1] > 0)


def clash(one: list[int], other: list[int]) -> bool:
    """Whether one of two gets a seat too often in either seating."""
    return all(has_excess(one, seat, 2) or has_excess(other, 1 - seat, 2) for seat in (0, 1))


@pytest.mark.parametrize("people", [4, 5, 6, 7, 8])
def test_no_pairing_of_a_small_field_is_better(people: int) -> None:
    draw = random.Random(people)
    for _ in range(6):
        log, config = field(people), Swiss(rounds=9)
        by_chance(log, config, draw, draw.randint(1, people - 1))
        paired = next_round(log, config, SEED)
        assert paired is not None
        names = [who.name for who in replay(log).present]
        ours = [each.seats for each in paired.pairings] + [(name, "bye") for name in paired.byes]
        possible = all_pairings([*names, "bye"] if len(names) % 2 else names)
        assert worth(log, config, ours) == min(worth(log, config, made) for made in possible)


def test_a_walkover_is_no_meeting_and_counts_as_a_bye() -> None:
    log = [
        *field(4),
        Round((Pairing(("p1", "p2")), Pairing(("p3", "p4")))),
        Reported(1, 1, (1, 2), absent=(1,)),
    ]
    history = History(replay([*log, Reported(1, 2, (1, 2))]))
    assert history.met("p1", "p2") == 0 and history.met("p3", "p4") == 1
    assert history.seats["p1"] == [] and history.seats["p3"] == [0]
    assert (history.byes["p1"], history.byes["p2"]) == (1, 0)


def test_py4swiss_has_no_fewer_repeats_and_floats() -> None:
    counts: Counter[str] = Counter()
    for number in range(12):
        draw = random.Random(number)
        log, config = field(draw.randint(6, 24), level=True), Swiss(rounds=7)
        for _ in range(7):
            paired = next_round(log, config, number)
            assert paired is not None
            compare(log, config, paired, counts)
            log.append(paired)
            for game in replay(log).open_games:
                log.append(Reported(game.round, game.table, draw.choice(((1, 2), (2, 1), (1, 1)))))
            if draw.random() < 0.3:
                log.append(Withdrew(draw.choice([who.name for who in replay(log).present])))
    assert counts["swiss compared"] > 60
    assert counts["swiss repeats more"] == counts["swiss steps more"] == counts["swiss same_seat more"] == 0


def test_the_upper_half_meets_the_lower_at_first() -> None:
    paired = next_round(field(8), Swiss(), SEED)
    assert paired is not None
    assert set(pairs([paired])) == {frozenset((f"p{n}", f"p{n + 4}")) for n in range(1, 5)}


def test_the_last_without_a_bye_has_it() -> None:
    log = field(7)
    rounds = play(log, Swiss(rounds=7))
    byes = [name for each in rounds for name in each.byes]
    assert byes[0] == "p7" and len(set(byes)) == 7


def test_everybody_level_meets_everybody_before_anybody_twice() -> None:
    log = field(8, level=True)
    rounds = play(log, Swiss(rounds=14), judge=drawn)
    assert len(set(pairs(rounds[:7]))) == 28
    assert set(Counter(pairs(rounds)).values()) == {2}


def test_two_who_are_left_play_on_and_change_seats() -> None:
    log = field(2)
    rounds = play(log, Swiss(rounds=6))
    assert len(rounds) == 6
    assert Counter(each.pairings[0].seats[0] for each in rounds) == {"p1": 3, "p2": 3}


def test_three_share_byes_evenly() -> None:
    log = field(3)
    assert Counter(each.byes for each in play(log, Swiss(rounds=6))) == {("p1",): 2, ("p2",): 2, ("p3",): 2}


def test_who_comes_late_has_no_points_for_what_was_before() -> None:
    log = field(6)
    play(log, Swiss(rounds=5), rounds=2)
    log.append(Entered("p7", 99.0))
    paired = next_round(log, Swiss(rounds=5), SEED)
    assert paired is not None
    assert any("p7" in each.seats for each in paired.pairings) or "p7" in paired.byes


def test_all_but_one_withdraw() -> None:
    log = field(5)
    play(log, Swiss(rounds=9), rounds=2)
    log += [Withdrew(name) for name in ("p1", "p3", "p4", "p5")]
    assert next_round(log, Swiss(rounds=9), SEED) is None


def test_seats_are_balanced() -> None:
    log = field(30)
    play(log, Swiss(rounds=9))
    for seats in History(replay(log)).seats.values():
        assert abs(2 * seats.count(0) - len(seats)) <= 2
        assert not any(len(set(seats[n : n + 3])) == 1 for n in range(len(seats) - 2))


def test_quality_sees_what_is_wrong() -> None:
    log = [
        *field(4),
        Round((Pairing(("p1", "p2")), Pairing(("p3", "p4")))),
        Reported(1, 1, (1, 2)),
        Reported(1, 2, (1, 2)),
    ]
    same = Round((Pairing(("p1", "p2")), Pairing(("p3", "p4"))))
    assert quality(log, Swiss(), same) == Quality(repeats=2, steps=2, floats=2, squares=2, same_seat=0)
