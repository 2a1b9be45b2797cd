"""At which komis the next games are played."""

from statistics import fmean, pstdev

from kakomi.study.fair_komi.design import ROUND, next_komis

KOMIS = range(0, 81, 2)


def test_the_first_games_are_spread_over_all_that_may_be_fair() -> None:
    komis = next_komis([], KOMIS, guess=12.0, reach=10.0)
    assert len(komis) == ROUND and all(komi in KOMIS for komi in komis)
    assert min(komis) == 2 and max(komis) == 22 and len(set(komis)) == 11


def test_later_ones_are_round_the_one_that_looks_fair() -> None:
    first = [(float(komi), float(komi < 19)) for komi in next_komis([], KOMIS, guess=12.0, reach=10.0)]
    second = next_komis(first, KOMIS, guess=12.0, reach=10.0)
    assert abs(fmean(second) - 19) < 1.5 and pstdev(second) < 3


def test_both_sides_of_an_edge_are_played() -> None:
    sharp = [(float(komi), float(komi < 7)) for komi in range(0, 20, 2) for _ in range(20)]
    assert sorted(set(next_komis(sharp, KOMIS, guess=7.0, reach=10.0))) == [6, 8]


def test_komis_that_are_not_allowed_are_not_played() -> None:
    lost = [(0.0, 0.0)] * 20
    assert min(next_komis(lost, KOMIS, guess=0.0, reach=10.0)) == 0
    won = [(80.0, 1.0)] * 20
    assert max(next_komis(won, KOMIS, guess=80.0, reach=10.0)) == 80


def test_a_guess_that_is_far_off_is_left_behind() -> None:
    observed: list[tuple[float, float]] = []
    for _ in range(6):
        komis = next_komis(observed, KOMIS, guess=4.0, reach=10.0)
        observed += [(float(komi), float(komi < 33)) for komi in komis]
    assert abs(fmean(komi for komi, _ in observed[-ROUND:]) - 33) < 1.5
