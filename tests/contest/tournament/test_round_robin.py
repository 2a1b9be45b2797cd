"""Round robin: everybody meets everybody and begins half the time, and the best of the groups play on."""

from collections import Counter
from itertools import combinations

import pytest

from contest.tournament.played import SEED, field, order, pairs, play, report
from kakomi.contest.tournament import (
    Corrected,
    Elimination,
    Entered,
    Returned,
    RoundRobin,
    Withdrew,
    annulled_games,
    may_return,
    next_round,
    replay,
    standings,
)
from kakomi.contest.tournament.round_robin import berger_rounds, groups
from kakomi.contest.tournament.seating import History


@pytest.mark.parametrize("people", range(2, 20))
def test_berger(people: int) -> None:
    rounds = berger_rounds(people)
    assert len(rounds) == people - 1 + people % 2
    games = [pair for made in rounds for pair in made]
    assert sorted(map(sorted, games)) == sorted(map(list, combinations(range(people), 2)))
    for made in rounds:
        assert len({person for pair in made for person in pair}) == 2 * len(made) == people - people % 2
    begun = Counter(first for first, _ in games)
    assert max(begun.values()) - min(begun[person] for person in range(people)) <= 1


@pytest.mark.parametrize("legs", [1, 2])
def test_everybody_meets_everybody_as_often_as_agreed(legs: int) -> None:
    log = field(7)
    rounds = play(log, RoundRobin(legs=legs))
    met = Counter(pairs(rounds))
    assert len(met) == 21 and set(met.values()) == {legs}
    if legs == 2:
        assert all(seats.count(0) == 6 for seats in History(replay(log)).seats.values())


def test_groups_are_drawn_there_and_back() -> None:
    log = field(8)
    assert groups(replay(log), RoundRobin(groups=3), SEED) == [
        ["p1", "p6", "p7"],
        ["p2", "p5", "p8"],
        ["p3", "p4"],
    ]


def test_who_comes_late_and_who_was_away_play_all_their_games() -> None:
    log, config = field(5), RoundRobin()
    play(log, config, rounds=1)
    log += [Entered("p6"), Withdrew("p2")]
    play(log, config, rounds=2)
    log.append(Returned("p2"))
    play(log, config)
    met = Counter(frozenset(game.seats) for game in replay(log).games)
    assert len(met) == 15 and set(met.values()) == {1}


def test_the_best_of_each_group_play_the_final() -> None:
    log, config = field(8), RoundRobin(groups=2, promoted=2, final=Elimination())
    rounds = play(log, config)
    stages = [each.pairings[0].stage for each in rounds]
    assert stages == ["group 1"] * 3 + ["final winners 1", "final winners 2"]
    assert set().union(*pairs(rounds[3:4])) == {"p1", "p2", "p3", "p4"}
    rows = standings(log, config, SEED)
    assert order(rows)[:2] == ["p1", "p2"] and rows[0].stage == "final"
    assert [row.place for row in rows] == [1, 2, 3, 3, 3, 4, 3, 4]


def test_a_correction_of_a_group_game_leaves_the_final_as_it_is() -> None:
    log, config = field(8), RoundRobin(groups=2, promoted=1, final=RoundRobin())
    play(log, config, rounds=3)
    log.append(next_round(log, config, SEED))
    finalists = replay(log).rounds[3].games[0].seats
    for number, played in enumerate(replay(log).rounds[:3], start=1):
        for game in played.games:
            if finalists[0] in game.seats:
                places = tuple(2 if name == finalists[0] else 1 for name in game.seats)
                log.append(Corrected(number, game.table, places))
    report(log)
    assert play(log, config) == []
    assert {row.entrant for row in standings(log, config, SEED) if row.stage == "final"} == set(finalists)


def test_who_leaves_early_takes_their_games_away() -> None:
    log, config = field(6), RoundRobin()
    play(log, config, rounds=2)
    log.append(Withdrew("p1"))
    play(log, config)
    rows = {row.entrant: row for row in standings(log, config, SEED)}
    assert rows["p1"].points == 0 and rows["p2"].points == 4 and rows["p6"].points == 0
    assert list(rows)[-1] == "p1" and rows["p1"].place is None
    assert [rows[f"p{n}"].place for n in range(2, 7)] == [1, 2, 3, 4, 5]
    games = {(game.round, game.table) for game in replay(log).games if "p1" in game.seats}
    assert annulled_games(log, config, SEED) == games and len(games) == 2


def test_those_who_left_do_not_share_the_first_place() -> None:
    log, config = field(4), RoundRobin()
    play(log, config, rounds=1)
    log += [Withdrew("p1"), Withdrew("p2"), Withdrew("p3")]
    assert [(row.entrant, row.place) for row in standings(log, config, SEED)] == [
        ("p4", 1),
        ("p1", None),
        ("p2", None),
        ("p3", None),
    ]


def test_people_may_return_while_there_are_games_for_them() -> None:
    log, config = field(4), RoundRobin()
    play(log, config, rounds=1)
    log.append(Withdrew("p1"))
    assert may_return(log, config, SEED, "p1")
    play(log, config)
    assert may_return(log, config, SEED, "p1"), "two games are left"
    log.append(Returned("p1"))
    play(log, config)
    assert all(row.games == 3 for row in standings(log, config, SEED))
    log.append(Withdrew("p1"))
    assert not may_return(log, config, SEED, "p1"), "all is played"
    assert [row.place for row in standings(log, config, SEED)] == [1, 2, 3, 4], "nobody left early"


def test_only_finalists_may_return_to_a_final() -> None:
    log, config = field(8), RoundRobin(groups=2, promoted=2, final=RoundRobin())
    play(log, config, rounds=4)
    log += [Withdrew("p1"), Withdrew("p8")]
    assert may_return(log, config, SEED, "p1") and not may_return(log, config, SEED, "p8")
    knock_out = RoundRobin(groups=2, promoted=2, final=Elimination())
    log = field(8)
    play(log, knock_out, rounds=4)
    log.append(Withdrew("p1"))
    assert not may_return(log, knock_out, SEED, "p1")


def test_who_leaves_late_gives_the_others_a_point() -> None:
    log, config = field(6), RoundRobin()
    play(log, config, rounds=3)
    log.append(Withdrew("p1"))
    play(log, config)
    rows = {row.entrant: row for row in standings(log, config, SEED)}
    met = {name for game in replay(log).games if "p1" in game.seats for name in game.seats}
    assert rows["p1"].points == 3
    assert all(rows[f"p{n}"].points == 6 - n + (f"p{n}" not in met) for n in range(2, 7))
