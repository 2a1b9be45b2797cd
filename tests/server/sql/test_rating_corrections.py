"""Ratings follow a tournament director's corrections, once for each."""

import pytest
from django.test import Client

from kakomi.contest.tournament import Swiss
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.people.erasure import erase
from kakomi.server.ratings import RATE_RESULTS, models, rulings
from kakomi.server.tournaments import services
from kakomi.server.tournaments.models import Tournament
from server.tournament_people import entered, go_on, going_games, organised, play_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def row() -> Tournament:
    """A rated tournament of four after its first round, in which the first seats have won."""
    made = organised(config=Swiss(rounds=2), is_rated=True)
    entered(made, 4)
    go_on(made)
    play_round(made)
    run_job(RATE_RESULTS)
    return made


def corrected(row: Tournament, *places: int, reason: str = "they had agreed") -> None:
    row.refresh_from_db()
    wanted = {"number": 1, "table": 1, "places": places, "reason": reason, "version": row.version}
    services.correct(row, row.organiser, **wanted)
    run_job(RATE_RESULTS)


def result_of(row: Tournament) -> models.Result:
    return row.rounds.get(number=1).games.get(number=1).table.result


def ratings_now() -> dict[int, tuple[float, float, int, int]]:
    rows = models.CurrentRating.objects.order_by("guest")
    return {each.guest_id: (each.mean, each.sigma, each.games, each.time_outs) for each in rows}


def test_ratings_are_as_if_it_had_been_played_so_and_back(row: Tournament) -> None:
    before, (first, second) = ratings_now(), result_of(row).entrants.order_by("seat")
    assert before[first.guest_id][0] > before[second.guest_id][0]
    corrected(row, 2, 1)
    swapped = ratings_now()
    assert swapped[first.guest_id] == pytest.approx(before[second.guest_id])
    assert swapped[second.guest_id] == pytest.approx(before[first.guest_id])
    corrected(row, 1, 1)
    assert ratings_now()[first.guest_id][0] == pytest.approx(ratings_now()[second.guest_id][0])
    corrected(row, 1, 2)
    assert ratings_now() == before
    assert not result_of(row).entrants.exclude(corrected_place=None).exists()
    assert [each.places for each in result_of(row).corrections.all()] == [[2, 1], [1, 1], [1, 2]]


def test_what_was_played_later_is_rated_again(row: Tournament) -> None:
    play_round(row)
    run_job(RATE_RESULTS)
    before = ratings_now()
    corrected(row, 2, 1)
    after = ratings_now()
    assert set(after) == set(before) and all(after[guest] != before[guest] for guest in before)
    assert not models.Result.objects.filter(is_due=True).exists()


def test_the_same_correction_counts_once_and_is_told_once(row: Tournament) -> None:
    for _ in range(2):
        corrected(row, 2, 1)
    assert models.Correction.objects.count() == 1
    players = set(result_of(row).entrants.values_list("guest", flat=True))
    told = Notice.objects.filter(kind="tournament_corrected")
    assert {notice.guest_id for notice in told} == players and told.count() == 2
    words = {NoticeView(notice).words for notice in told}
    start = "The result of your game in round 1 of Autumn Cup was corrected: your place is"
    end = "Reason: they had agreed Ratings will be updated."
    assert words == {f"{start} 1. {end}", f"{start} 2. {end}"}
    corrected(row, 1, 2)
    assert told.all().count() == 4


def test_the_account_of_a_rating_says_it(row: Tournament) -> None:
    corrected(row, 2, 1)
    result = result_of(row)
    winner = result.entrants.get(seat=1).guest
    pool = result.pool
    page = f"/ratings/{pool.game}/{pool.size_class}/{pool.pace}/@{winner.handle}"
    html = Client().get(page).content.decode()
    assert "corrected by the organiser: they had agreed" in html


def test_nobody_has_run_out_of_time_in_a_game_that_was_corrected(row: Tournament) -> None:
    loser = result_of(row).entrants.get(seat=1)
    models.Entrant.objects.filter(pk=loser.pk).update(ran_out=True)
    models.Result.objects.filter(pk=loser.result_id).update(is_due=True)
    run_job(RATE_RESULTS)
    assert ratings_now()[loser.guest_id][3] == 1
    corrected(row, 1, 1)
    assert ratings_now()[loser.guest_id][3] == 0
    corrected(row, 1, 2)
    assert ratings_now()[loser.guest_id][3] == 1


def test_an_annulled_result_stays_so_whatever_is_corrected(row: Tournament) -> None:
    rulings.annul(result_of(row), by=None, reason="arranged")
    run_job(RATE_RESULTS)
    before = ratings_now()
    corrected(row, 2, 1)
    assert ratings_now() == before
    rulings.reinstate(result_of(row), by=None, reason="a mistake")
    run_job(RATE_RESULTS)
    first = result_of(row).entrants.get(seat=0)
    assert first.change.mean_after < first.change.mean_before


def test_a_casual_game_is_corrected_without_ratings() -> None:
    made = organised(config=Swiss(rounds=1))
    entered(made, 2)
    go_on(made)
    (game,) = going_games(made)
    play_round(made)
    corrected(made, 2, 1)
    assert not models.Correction.objects.exists() and not hasattr(game.table, "result")
    told = Notice.objects.filter(kind="tournament_corrected")
    assert told.count() == 2 and all("Ratings" not in NoticeView(notice).words for notice in told)


def test_an_erased_person_is_named_in_no_reason(row: Tournament) -> None:
    guest = result_of(row).entrants.get(seat=0).guest
    corrected(row, 2, 1, reason=f"{guest.handle} had agreed")
    erase(guest)
    assert models.Correction.objects.get().reason == "[deleted player] had agreed"
