"""Ladders: allowed challenges, and climbing."""

import pytest

from contest.tournament.played import SEED, field, order
from kakomi.contest.tournament import (
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


def test_the_same_people_wait_until_another_game_has_ended() -> None:
    log = [
        *field(6),
        Round((Pairing(("p3", "p2")),)),
        Reported(1, 1, (2, 1)),
        Round((Pairing(("p5", "p6")),)),
    ]
    refusal = "the same people played just now; somebody else has to play before"
    assert why_not(log, Ladder(), "p3", "p2") == refusal
    assert why_not([*log, Reported(2, 1, (1, 2))], Ladder(), "p3", "p2") is None


def test_a_draw_changes_nothing_and_a_table_of_three_shares_its_rungs() -> None:
    log = [*field(5), Round((Pairing(("p1", "p2")), Pairing(("p5", "p3", "p4"))))]
    log += [Reported(1, 1, (1, 1)), Reported(1, 2, (1, 3, 2)), Entered("p6", 99.0)]
    assert order(standings(log, Ladder(), SEED)) == ["p1", "p2", "p5", "p4", "p3", "p6"]
