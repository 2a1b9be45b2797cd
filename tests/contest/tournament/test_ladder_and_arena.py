"""The formats without an end: who may challenge whom, and that nobody waits in an arena for nothing."""

import random

import pytest

from contest.tournament.played import SEED, field, order, pairs, report
from kakomi.contest.tournament import (
    Arena,
    Challenged,
    Corrected,
    Entered,
    Entry,
    Ladder,
    Pairing,
    Reported,
    Round,
    Withdrew,
    next_round,
    replay,
    standings,
    why_not_challenge,
)


def why_not(log: list[Entry], config: Ladder, entrant: str, *opponents: str) -> str | None:
    return why_not_challenge(replay(log), config, SEED, entrant, opponents)


@pytest.mark.parametrize(
    ("entrant", "opponents", "sentence"),
    [
        ("p5", ("p4",), None),
        ("p5", ("p2",), None),
        ("p5", ("p3", "p4"), None),
        ("p5", ("p1",), "not among the 3 above: p1"),
        ("p2", ("p5",), "not among the 3 above: p5"),
        ("p5", ("p9",), "not on the ladder now: p9"),
        ("p5", ("p5",), "a challenge should name others, each once"),
        ("p5", (), "a challenge should name others, each once"),
    ],
)
def test_who_may_challenge_whom(entrant: str, opponents: tuple[str, ...], sentence: str | None) -> None:
    assert why_not(field(6), Ladder(reach=3), entrant, *opponents) == sentence


def test_who_is_away_is_no_rung() -> None:
    log = [*field(6), Withdrew("p3")]
    assert why_not(log, Ladder(reach=2), "p5", "p2") is None


def test_who_plays_or_is_challenged_is_not_free() -> None:
    log = [*field(6), Challenged("p5", ("p4",))]
    assert why_not(log, Ladder(), "p6", "p4") == "in a game or a challenge: p4"
    log.append(next_round(log, Ladder(), SEED))
    assert why_not(log, Ladder(), "p4", "p3") == "in a game or a challenge: p4"
    assert next_round(log, Ladder(), SEED) is None


def test_a_challenge_ends_when_somebody_in_it_leaves() -> None:
    log = [*field(6), Challenged("p5", ("p4",)), Withdrew("p5")]
    assert next_round(log, Ladder(), SEED) is None
    assert why_not(log, Ladder(), "p6", "p4") is None


def test_the_winner_has_the_upper_rung_and_a_correction_takes_it_back() -> None:
    log = [*field(4), Challenged("p4", ("p2",))]
    log.append(next_round(log, Ladder(), SEED))
    seats = replay(log).game(1, 1).seats
    won = tuple(1 if name == "p4" else 2 for name in seats)
    log.append(Reported(1, 1, won))
    assert order(standings(log, Ladder(), SEED)) == ["p1", "p4", "p3", "p2"]
    assert (
        why_not(log, Ladder(), "p2", "p4")
        == "the same people played just now; somebody else has to play before"
    )
    log.append(Corrected(1, 1, tuple(3 - place for place in won)))
    assert order(standings(log, Ladder(), SEED)) == ["p1", "p2", "p3", "p4"]


def test_a_draw_changes_nothing_and_a_table_of_three_shares_its_rungs() -> None:
    log = [*field(5), Round((Pairing(("p1", "p2")), Pairing(("p5", "p3", "p4"))))]
    log += [Reported(1, 1, (1, 1)), Reported(1, 2, (1, 3, 2)), Entered("p6", 99.0)]
    assert order(standings(log, Ladder(), SEED)) == ["p1", "p2", "p5", "p4", "p3", "p6"]


def test_in_an_arena_all_who_are_free_are_paired_and_nobody_twice_in_succession() -> None:
    draw = random.Random(3)
    log, config = field(9), Arena()
    last: dict[str, str] = {}
    for _ in range(40):
        paired = next_round(log, config, SEED)
        if paired is not None:
            for one, other in map(sorted, pairs([paired])):
                assert not (last.get(one) == other and last.get(other) == one)
                last[one], last[other] = other, one
            log.append(paired)
        games = list(replay(log).open_games)
        for game in draw.sample(games, draw.randint(1, len(games))):
            log.append(Reported(game.round, game.table, draw.choice(((1, 2), (2, 1), (1, 1)))))
    counts = [row.games for row in standings(log, config, SEED)]
    assert max(counts) - min(counts) <= max(counts) // 3


def test_two_alone_in_an_arena_play_again_and_again() -> None:
    log, config = field(2), Arena()
    for _ in range(4):
        log.append(next_round(log, config, SEED))
        report(log)
    assert [row.games for row in standings(log, config, SEED)] == [4, 4]


def test_two_who_just_played_wait_for_others_but_not_for_ever() -> None:
    log, config = field(6), Arena(patience=2)
    log.append(Round((Pairing(("p1", "p2")), Pairing(("p3", "p4")), Pairing(("p5", "p6")))))
    log.append(Reported(1, 1, (1, 2)))
    assert next_round(log, config, SEED) is None
    log.append(Reported(1, 2, (1, 2)))
    mixed = next_round(log, config, SEED)
    assert mixed is not None and frozenset(("p1", "p2")) not in pairs([mixed])
    log += [Withdrew("p3"), Withdrew("p4"), Entered("p7"), Entered("p8"), Round((Pairing(("p7", "p8")),))]
    assert next_round(log, config, SEED) is None
    log += [Reported(2, 1, (1, 2)), Round((Pairing(("p7", "p8")),))]
    again = next_round(log, config, SEED)
    assert again is not None and pairs([again]) == [{"p1", "p2"}]


def test_near_in_points_meet() -> None:
    log, config = field(8), Arena()
    log.append(next_round(log, config, SEED))
    report(log)
    winners = {row.entrant for row in standings(log, config, SEED) if row.points == 1}
    paired = next_round(log, config, SEED)
    assert paired is not None
    assert sum(len(pair & winners) == 1 for pair in pairs([paired])) == 0
