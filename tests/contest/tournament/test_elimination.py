"""Knock-outs: byes go to the best, people are eliminated only after enough losses, and corrections don't
revive anybody."""

import random
from collections import Counter

import pytest

from contest.tournament.played import SEED, drawn, field, order, pairs, play
from kakomi.contest.tournament import (
    Corrected,
    Elimination,
    Entered,
    Pairing,
    Reported,
    Returned,
    Withdrew,
    next_round,
    replay,
    standings,
)
from kakomi.contest.tournament.knockout import slots


def test_slots_keep_the_best_apart() -> None:
    assert slots(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert slots(5) == slots(8) and slots(1) == [0]


@pytest.mark.parametrize("losses", [1, 2])
@pytest.mark.parametrize("people", [2, 3, 4, 5, 6, 7, 8, 11, 16, 17, 23])
def test_everybody_but_the_champion_loses_often_enough(people: int, losses: int) -> None:
    draw = random.Random(people)
    log, config = field(people), Elimination(losses=losses)
    play(log, config, judge=lambda _: draw.choice(((1, 2), (2, 1))))
    lost = Counter(
        name
        for game in replay(log).games
        for name, place in zip(game.seats, game.result.places, strict=True)
        if place == 2
    )
    rows = standings(log, config, SEED)
    champion = rows[0].entrant
    assert rows[0].place == 1 and rows[1].place == 2
    assert lost[champion] < losses
    assert all(lost[f"p{n}"] == losses for n in range(1, people + 1) if f"p{n}" != champion)


@pytest.mark.parametrize("losses", [1, 2])
def test_the_stronger_win(losses: int) -> None:
    log, config = field(13), Elimination(losses=losses)
    rounds = play(log, config)
    assert set(rounds[0].byes) == {"p1", "p2", "p3"}
    assert order(standings(log, config, SEED))[:3] == ["p1", "p2", "p3"] if losses == 2 else ["p1", "p2"]
    assert len(rounds) == (4 if losses == 1 else 8)


def test_the_final_is_played_again_if_its_favourite_loses_for_the_first_time() -> None:
    log, config = field(4), Elimination(losses=2)

    def upset(pairing: Pairing) -> tuple[int, ...]:
        """p2 loses to p1 at first, then beats everybody."""
        winner = "p1" if set(pairing.seats) == {"p1", "p2"} and len(replay(log).rounds) == 2 else None
        best = winner or min(pairing.seats, key=lambda name: (name != "p2", name))
        return tuple(1 if name == best else 2 for name in pairing.seats)

    rounds = play(log, config, judge=upset)
    assert [each.pairings[0].stage for each in rounds[-2:]] == ["final", "final again"]
    assert order(standings(log, config, SEED))[:2] == ["p2", "p1"]


def test_a_drawn_match_is_played_again_and_then_the_higher_seed_goes_on() -> None:
    log, config = field(2), Elimination(replays=2)
    rounds = play(log, config, judge=drawn)
    assert len(rounds) == 3
    begun = Counter(each.pairings[0].seats[0] for each in rounds)
    assert sorted(begun.values()) == [1, 2]
    assert order(standings(log, config, SEED)) == ["p1", "p2"]


def test_a_correction_after_the_next_round_began_revives_nobody() -> None:
    log, config = field(8), Elimination()
    play(log, config, rounds=1)
    second = next_round(log, config, SEED)
    assert second is not None
    log.append(second)
    game = replay(log).game(1, 1)
    log.append(Corrected(1, 1, tuple(3 - place for place in game.result.places)))
    play_on = play_out(log, config)
    assert set().union(*pairs(play_on)) <= set().union(*pairs([second]))
    assert order(standings(log, config, SEED))[0] == "p1"


def play_out(log: list, config: Elimination) -> list:
    for game in replay(log).open_games:
        places = (1, 2) if int(game.seats[0][1:]) < int(game.seats[1][1:]) else (2, 1)
        log.append(Reported(game.round, game.table, places))
    return play(log, config)


def test_a_correction_before_the_next_round_counts() -> None:
    log, config = field(4), Elimination()
    play(log, config, rounds=1)
    game = replay(log).game(1, 1)
    loser = game.seats[game.result.places.index(2)]
    log.append(Corrected(1, 1, tuple(3 - place for place in game.result.places)))
    assert loser in set().union(*pairs(play(log, config)))


@pytest.mark.parametrize("losses", [1, 2])
def test_who_leaves_is_out_for_good_and_others_go_on_without_a_game(losses: int) -> None:
    log, config = field(8), Elimination(losses=losses)
    play(log, config, rounds=1)
    log.append(Withdrew("p1"))
    play(log, config, rounds=1)
    log.append(Returned("p1"))
    rest = play(log, config)
    assert "p1" not in set().union(*pairs(rest))
    assert order(standings(log, config, SEED))[0] == "p2"


def test_who_went_on_without_a_game_and_then_leaves_does_not_bring_the_other_back() -> None:
    log, config = field(8), Elimination()
    play(log, config, rounds=1)
    opponent = "p4"  # meets p1 in the second round
    log.append(Withdrew("p1"))
    play(log, config, rounds=1)
    log += [Returned("p1"), Withdrew(opponent)]
    play(log, config)
    rows = standings(log, config, SEED)
    assert order(rows)[:2] == ["p2", opponent] and rows[2].entrant in ("p1", "p3")


def test_all_have_left() -> None:
    for losses in (1, 2):
        log = [*field(5), *[Withdrew(f"p{n}") for n in range(1, 6)]]
        assert next_round(log, Elimination(losses=losses), SEED) is None
        assert len(standings(log, Elimination(losses=losses), SEED)) == 5


def test_who_comes_late_has_no_place() -> None:
    log, config = field(4), Elimination()
    play(log, config, rounds=1)
    log.append(Entered("p5", 99.0))
    assert "p5" not in set().union(*pairs(play(log, config)))
    assert standings(log, config, SEED)[-1].entrant == "p5"
