"""Ratings from a log are deterministic, fixed ratings stay, and series of time-outs follow their rule."""

from contest.leagues import random_log
from kakomi.contest import FIRST, Entrant, Outcome, Rating, Series, Standing, replay

DAY = 24 * 3600.0
SERIES = Series()


def lost_on_time(at: float, loser: str = "ann", *others: str) -> Outcome[str]:
    names = others or ("bob",)
    entrants = [Entrant(name, 1) for name in names]
    return Outcome(at, [*entrants, Entrant(loser, len(names) + 1, ran_out=True)])


def test_a_log_in_two_parts_gives_what_it_gives_as_a_whole() -> None:
    log = random_log(300, players=20, sizes=(2, 3, 6), seed=3)
    whole: dict[int, Standing] = {}
    changes = list(replay(log, whole, {}))
    parts: dict[int, Standing] = {}
    again = [*replay(log[:120], parts, {}), *replay(log[120:], parts, {})]
    assert again == changes
    assert parts == whole


def test_what_is_fixed_stays_and_others_move() -> None:
    fixed = {"level 5": Rating(1800, 60)}
    standings: dict[str, Standing] = {}
    log = [Outcome(DAY, [Entrant("ann", 1), Entrant("level 5", 2)])]
    [[ann, bot]] = replay(log, standings, fixed)
    assert ann.counted and ann.after.rating.mean > 1350 and ann.after.games == 1
    assert not bot.counted and bot.after == bot.before and bot.rated == fixed["level 5"]


def test_an_annulled_result_changes_nothing() -> None:
    standings: dict[str, Standing] = {}
    log = [Outcome(DAY, [Entrant("ann", 1), Entrant("bob", 2)], counts=False)]
    [changes] = replay(log, standings, {})
    assert all(change.before == change.after and not change.counted for change in changes)


def test_time_outs_in_succession_count_twice_and_then_only_make_less_certain() -> None:
    standings: dict[str, Standing] = {}
    known = {"ann": Standing(Rating(1700, 60), 40, 0.0), "bob": Standing(Rating(1500, 60), 40, 0.0)}
    standings |= known
    changes = list(replay([lost_on_time(DAY * day) for day in range(1, 5)], standings, {}, SERIES))
    assert [ann.counted for _, ann in changes] == [True, True, False, False]
    third_bob, third_ann = changes[2]
    assert not third_bob.counted and third_bob.after.rating == third_bob.rated
    assert third_ann.after.rating.mean == third_ann.before.rating.mean
    assert third_ann.after.rating.sigma > third_ann.before.rating.sigma
    assert third_ann.after.games == 2 + 40 and third_ann.after.time_outs == 3


def test_a_game_ended_otherwise_ends_the_series() -> None:
    standings: dict[str, Standing] = {}
    log = [
        lost_on_time(1 * DAY),
        lost_on_time(2 * DAY),
        Outcome(3 * DAY, [Entrant("bob", 1), Entrant("ann", 2)]),
        lost_on_time(4 * DAY),
    ]
    assert all(change.counted for changes in replay(log, standings, {}, SERIES) for change in changes)
    assert standings["ann"].time_outs == 1


def test_the_others_of_a_table_are_rated_among_themselves() -> None:
    standings = {"ann": Standing(time_outs=2)}
    left = Outcome(DAY, [Entrant("bob", 1), Entrant("cem", 2), Entrant("ann", 3, ran_out=True)])
    [[bob, cem, ann]] = replay([left], standings, {}, SERIES)
    two: dict[str, Standing] = {}
    [[alone, _]] = replay([Outcome(DAY, [Entrant("bob", 1), Entrant("cem", 2)])], two, {})
    assert bob.counted and cem.counted and not ann.counted
    assert bob.after.rating == alone.after.rating
    assert ann.after.rating.mean == FIRST.mean


def test_without_a_series_every_time_out_counts() -> None:
    standings = {"ann": Standing(time_outs=9)}
    [changes] = replay([lost_on_time(DAY)], standings, {})
    assert all(change.counted for change in changes)
