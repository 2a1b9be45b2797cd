"""The tournament log: impossible entries are refused in one sentence, and the resulting state is right."""

import pytest

from contest.tournament.played import SEED, field, play
from kakomi.contest.tournament import (
    Closed,
    Corrected,
    Entered,
    Entry,
    Erased,
    LogError,
    Pairing,
    Reported,
    Returned,
    Round,
    RoundNotReadyError,
    Swiss,
    Tables,
    Withdrew,
    next_round,
    read_log,
    replay,
    standings,
    write_log,
)

ROUND = Round((Pairing(("p1", "p2")),), ("p3",))


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([Entered("p1")], "entry 4: 'p1' entered twice"),
        ([Entered("p9", float("nan"))], "the strength of 'p9' should be a number"),
        ([Entered("p9", float("inf"))], "the strength of 'p9' should be a number"),
        ([Withdrew("p9")], "'p9' did not enter"),
        ([Withdrew("p1"), Withdrew("p1")], "entry 5: 'p1' has left already"),
        ([Erased("p1"), Erased("p1")], "'p1' has left already"),
        ([Returned("p1")], "'p1' can't return: never left"),
        ([Erased("p1"), Returned("p1")], "'p1' can't return: erased"),
        ([Round((Pairing(("p1",)),))], "a game is for 2 to 6"),
        ([Round((Pairing(("p1", "p1")),))], "'p1' would play twice"),
        ([Round((Pairing(("p1", "p2")),), ("p2",))], "'p2' would play twice"),
        ([Withdrew("p2"), ROUND], "'p2' has withdrawn and can't be paired"),
        ([ROUND, ROUND], "'p1' would play twice"),
        ([Closed(), ROUND], "the tournament is closed"),
        ([Reported(1, 1, (1, 2))], "there is no table 1 in a round 1"),
        ([ROUND, Reported(1, 2, (1, 2))], "there is no table 2"),
        ([ROUND, Reported(1, 0, (1, 2))], "there is no table 0"),
        ([ROUND, Reported(1, 1, (1, 2, 3))], "each of 2 seats needs a place"),
        ([ROUND, Reported(1, 1, (1, 3))], "each of 2 seats needs a place"),
        ([ROUND, Reported(1, 1, (2, 2))], "each of 2 seats needs a place"),
        ([ROUND, Reported(1, 1, (1, 2), absent=(2,))], "some of the seats 0 to 1"),
        ([ROUND, Reported(1, 1, (1, 2), absent=(0,))], "should come behind all who were there"),
        ([ROUND, Corrected(1, 1, (1, 2))], "has no result yet to correct"),
        ([ROUND, Reported(1, 1, (1, 2)), Reported(1, 1, (2, 1))], "entry 6: .* a correction would change it"),
    ],
)
def test_what_cannot_have_happened_is_refused(entries: list[Entry], sentence: str) -> None:
    with pytest.raises(LogError, match=sentence):
        replay([*field(3), *entries])


def test_a_log_is_the_same_after_json() -> None:
    log = [*field(5), Withdrew("p5"), Returned("p5")]
    play(log, Swiss(rounds=3))
    log += [Corrected(1, 1, (1, 1)), Erased("p1"), Closed()]
    assert read_log(write_log(log)) == log


def test_who_withdraws_in_the_midst_of_a_round_loses_without_playing() -> None:
    log = [*field(4), *[Round((Pairing(("p1", "p2")), Pairing(("p3", "p4"))))], Withdrew("p1")]
    game = replay(log).game(1, 1)
    assert game.result is not None and game.result.places == (2, 1) and game.result.absent == {0}
    with pytest.raises(RoundNotReadyError, match=r"waits for table 2 of round 1$"):
        next_round(log, Swiss(), SEED)
    log += [Reported(1, 2, (1, 2)), Reported(1, 1, (1, 2))]  # the game had ended after all
    assert [row.points for row in standings(log, Swiss(), SEED) if row.entrant == "p1"] == [1]


def test_at_a_table_of_three_others_play_on_when_one_leaves() -> None:
    log = [*field(3), Round((Pairing(("p1", "p2", "p3")),)), Withdrew("p2")]
    assert replay(log).game(1, 1).is_open
    log.append(Withdrew("p3"))
    result = replay(log).game(1, 1).result
    assert result is not None and result.places == (1, 3, 2) and result.absent == {1, 2}


def test_a_correction_changes_standings_and_no_pairing_that_was_made() -> None:
    config = Swiss(rounds=4)
    log = field(6)
    play(log, config, rounds=2)
    made = [entry for entry in log if isinstance(entry, Round)]
    before = standings(log, config, SEED)
    loser = next(name for name in made[0].pairings[0].seats if name != before[0].entrant)
    seat = made[0].pairings[0].seats.index(loser)
    log.append(Corrected(1, 1, (1, 2) if seat == 0 else (2, 1)))
    after = {row.entrant: row.points for row in standings(log, config, SEED)}
    assert after[loser] == {row.entrant: row.points for row in before}[loser] + 1
    assert [entry for entry in log if isinstance(entry, Round)] == made
    paired = next_round(log, config, SEED)
    assert paired is not None and paired != next_round(log[:-1], config, SEED)


def test_an_erased_account_stays_in_the_standings_and_is_never_paired() -> None:
    config = Tables(seats=3, rounds=6)
    log = field(9)
    play(log, config, rounds=2)
    log.append(Erased("p4"))
    later = play(log, config)
    assert len(later) == 4 and not any("p4" in pairing.seats for each in later for pairing in each.pairings)
    [row] = [row for row in standings(log, config, SEED) if row.entrant == "p4"]
    assert row.status == "erased" and row.games == 2


def test_nobody_is_paired_after_the_end() -> None:
    assert next_round([*field(4), Closed()], Swiss(), SEED) is None
    for people in (0, 1):
        assert next_round(field(people), Swiss(), SEED) is None
        assert len(standings(field(people), Swiss(), SEED)) == people
