"""Ratings pages, the ratings API, and staff's decisions about results."""

import pytest
from django.contrib import admin
from django.contrib.messages.storage.cookie import CookieStorage

from kakomi.server.accounts.models import Guest
from kakomi.server.ratings import jobs, ledger, models, rulings
from kakomi.server.ratings.admin import Results
from kakomi.session import Refused, TimeControl
from server.people import make_user
from server.rated_games import at_moment, begin_rated, make_people, play_rated, resign, write_result

pytestmark = pytest.mark.django_db
DAY = 24 * 3600.0
ADDRESS = "/ratings/rive/standard/live"


def test_pages_say_who_has_which_rating_and_how_it_came_about(client):
    ada, bob = make_people(2)
    row = resign(begin_rated([ada, "3", bob], "rings", players=3), 0)
    resign(row, 2)
    for _ in range(3):
        play_rated(ada, bob)
    play_rated(ada, "5")
    jobs.rate_results()
    page = client.get(f"{ADDRESS}/@person1").text
    assert "the rating appears after five rated games" in page and "<polyline" not in page
    result = play_rated(ada, bob)
    play_rated(ada, "5")
    play_rated(ada, "5")
    rulings.annul(result, by=None, reason="two windows <of> one person")
    jobs.rate_results()
    assert ADDRESS in client.get("/ratings/").text
    page = client.get(f"{ADDRESS}?provisional=1").text
    assert "/ratings/rive/standard/live/@person1" in page and "person2" not in page
    assert "1774 ± 118" in page, "level 5"
    assert "All ratings are still provisional" in client.get(ADDRESS).text
    page = client.get(f"{ADDRESS}/@person1").text
    assert "two windows &lt;of&gt; one person" in page and "<polyline" in page and "Level 5" in page
    page = client.get("/ratings/rings/standard/live/@PERSON1").text
    assert "Level 3" in page and "2.0" in page


@pytest.mark.parametrize(
    "address",
    [
        "/ratings/rive/standard/days",
        "/ratings/chess/small/live",
        f"{ADDRESS}/@nobody",
        f"{ADDRESS}/@%00",
        f"{ADDRESS}/@person3",
    ],
)
def test_what_is_not_there_is_said(client, address):
    make_people(3)
    play_rated(*Guest.objects.order_by("pk")[:2])
    jobs.rate_results()
    assert client.get(address).status_code == 404


def test_a_ranking_is_by_points_and_in_parts(client):
    people, pool = (
        make_people(53),
        models.Pool.objects.create(game="rive", size_class="standard", pace="live"),
    )
    models.CurrentRating.objects.bulk_create(
        models.CurrentRating(pool=pool, guest=guest, mean=1500 + i, sigma=50, games=30, at=1000.0)
        for i, guest in enumerate(people)
    )
    with at_moment(1000.0 + DAY):
        first, second = client.get(ADDRESS).text, client.get(f"{ADDRESS}?page=2").text
        junk = client.get(f"{ADDRESS}?page=x")
    assert first.index("@person53") < first.index("@person52") and '@person1"' not in first
    assert "1502 ± 98" in second and junk.status_code == 200
    with at_moment(1000.0 + 400 * DAY):  # time makes a rating provisional
        assert "@person53" not in client.get(ADDRESS).text
        assert "@person53" in client.get(f"{ADDRESS}?provisional=1").text


def test_programs_ask_for_ratings(client):
    ada, bob = make_people(2)
    ranking = "/api/v1/ratings/rive/standard/live?provisional=1"
    play_rated(ada, bob)
    jobs.rate_results()
    assert client.get(ranking).json()["ratings"] == [], "ratings are listed after five games"
    assert client.get("/api/v1/ratings/@person1").json()["ratings"][0]["is_provisional"]
    for _ in range(4):
        play_rated(ada, bob)
    jobs.rate_results()
    [first, second] = client.get(ranking).json()["ratings"]
    assert (first["handle"], second["handle"]) == ("person1", "person2")
    assert first["is_provisional"] and first["low"] < first["mean"] < first["high"]
    assert client.get("/api/v1/ratings/@person1").json()["ratings"][0]["games"] == 5
    assert client.get("/api/v1/ratings/rive/small/live").status_code == 404
    assert client.get("/api/v1/ratings/@nobody").status_code == 404


def test_staff_annul_results_in_the_admin_for_a_reason(rf):
    result = play_rated(*make_people(2))
    boss = make_user("boss", is_staff=True, is_superuser=True)
    results = Results(models.Result, admin.site)

    def annul(reason: str) -> list[str]:
        request = rf.post("/admin/ratings/result/", {"reason": reason})
        request.user, request._messages = boss, CookieStorage(request)
        results.annul(request, models.Result.objects.all())
        return [str(message) for message in request._messages]

    assert "characters: it will be stored" in annul(" ")[0]
    assert annul("a test") == ["Results changed: 1"]
    result.refresh_from_db()
    ruling = result.rulings.get()
    assert result.is_annulled and result.is_due and (ruling.by, ruling.reason) == (boss, "a test")
    assert "reason" in results.action_form().fields


def test_after_time_outs_in_succession_nobody_begins_rated_games_over_days():
    ada, bob = make_people(2)
    pool = models.Pool.objects.create(game="rive", size_class="standard", pace="days")
    control = TimeControl(3 * DAY, kind="days")
    for number in range(3):
        write_result(pool, 1000.0 + number, [(bob, 1), (ada, 2)], ran_out=[1])
    ledger.rate_pool(pool.pk)
    assert control.pace == "days"
    with at_moment(2000.0):
        with pytest.raises(
            Refused,
            match="several games in a row on time",
        ):
            begin_rated([ada, bob], control=control)
        begin_rated([ada, bob])
    with at_moment(2000.0 + 15 * DAY):
        begin_rated([ada, bob], control=control)
