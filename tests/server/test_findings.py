"""What is unlikely in the ledger gets into cases, once, and only since staff have looked last."""

import pytest

from kakomi.server.accounts.models import Guest
from kakomi.server.moderation.findings import ABSENCE, Game, look_through, without_absences
from kakomi.server.moderation.models import Case, Finding
from kakomi.server.moderation.presenters import FindingView
from kakomi.server.ratings import models
from kakomi.server.ratings.jobs import rate_results
from server.rated_games import at_moment, make_people, write_result

pytestmark = pytest.mark.django_db
NOW = 1_800_000_000.0


@pytest.fixture
def pool() -> models.Pool:
    return models.Pool.objects.create(game="rin", size_class="standard", pace="live")


def games(
    pool: models.Pool, at: float, winner: Guest, loser: Guest, count: int, *, ran_out: bool = False
) -> None:
    for number in range(count):
        write_result(pool, at + number, [(winner, 1), (loser, 2)], [1] if ran_out else [])


def look() -> None:
    with at_moment(NOW):
        rate_results()
        look_through()


def test_series_of_time_outs_are_found_and_counted_anew(pool: models.Pool) -> None:
    ann, bob, cleo = make_people(3)
    games(pool, NOW - 9000, ann, cleo, 20)
    games(pool, NOW - 8000, cleo, ann, 20)
    games(pool, NOW - 7000, ann, bob, 12, ran_out=True)
    look()
    found = Finding.objects.get(kind="time_outs")
    assert (found.case.about, found.count, found.of) == (bob, 12, 12)
    assert found.low < 1 == found.high and found.surprise >= 14 and found.case.weight == found.surprise
    words = FindingView(found).words
    assert "12 of 12" in words and "95 %" in words
    games(pool, NOW - 6000, ann, bob, 1, ran_out=True)
    look()
    assert Finding.objects.get(kind="time_outs").count == 13 and Case.objects.filter(about=bob).count() == 1


def test_a_closed_case_is_looked_at_and_done(pool: models.Pool) -> None:
    ann, bob = make_people(2)
    games(pool, NOW - 9000, bob, ann, 12)
    games(pool, NOW - 8000, ann, bob, 12, ran_out=True)
    look()
    Case.objects.update(closed_at=NOW - 100)
    look()
    assert not Case.objects.filter(closed_at=None).exists()


def test_pairs_that_only_lose_to_each_other_are_found_for_both(pool: models.Pool) -> None:
    ann, bob, *others = make_people(12)
    for number, other in enumerate(others):  # others lose to each other, and to the two
        games(pool, NOW - 90_000 + 100 * number, other, others[number - 1], 3)
        games(pool, NOW - 50_000 + 100 * number, ann if number % 2 else bob, other, 8)
    games(pool, NOW - 9000, ann, bob, 6)
    games(pool, NOW - 8000, bob, ann, 6)
    look()
    found = {(each.case.about, each.other) for each in Finding.objects.filter(kind="pair")}
    assert found == {(ann, bob), (bob, ann)}
    finding = Finding.objects.filter(kind="pair").first()
    assert finding and finding.count == 0 and finding.of == 80 and len(finding.tables) == 10


def test_people_who_play_as_people_do_are_not_found(pool: models.Pool) -> None:
    people = make_people(4)
    for number in range(60):
        winner, loser = number % 4, (number + 1 + number // 4 % 3) % 4
        games(pool, NOW - 9000 + number, people[winner], people[loser], 1, ran_out=number % 20 == 0)
    look()
    assert not Finding.objects.exists() and not Case.objects.exists()


def test_annulled_results_count_for_nothing(pool: models.Pool) -> None:
    ann, bob = make_people(2)
    games(pool, NOW - 9000, bob, ann, 12)
    games(pool, NOW - 8000, ann, bob, 12, ran_out=True)
    models.Result.objects.update(is_annulled=True)
    look()
    assert not Finding.objects.exists()


def test_of_games_over_days_one_absence_counts_once() -> None:
    """Of innocent people who lose three games at a time, a simulation found one in a hundred."""

    def game(at: float, *, is_over_days: bool, ran_out: bool = True) -> Game:
        return Game("code", None, True, ran_out, 0.5, at, is_over_days)

    away = [game(number * 3600.0, is_over_days=True) for number in range(10)]
    assert len(list(without_absences(away))) == 1
    assert len(list(without_absences([*away, game(ABSENCE, is_over_days=True)]))) == 2
    assert len(list(without_absences([*away, game(60.0, is_over_days=True, ran_out=False)]))) == 2
    assert len(list(without_absences([game(each.at, is_over_days=False) for each in away]))) == 10
