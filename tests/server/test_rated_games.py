"""Rated games: who may play them, their required terms, and that they permit no help."""

import random
import re

import pytest
from django.test import Client
from django.urls import reverse

from kakomi import catalog
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.tokens import make_token
from kakomi.server.ratings import jobs
from kakomi.server.ratings.receivers import places_of
from kakomi.server.tables import models, services
from kakomi.server.tables.selectors import table_of
from kakomi.server.tables.services import Sitter
from kakomi.session import Entry, MatchConfig, Refused, Table
from server.people import make_user
from server.rated_games import LIVE, begin_rated, make_people, resign

pytestmark = pytest.mark.django_db
WISH = {"sent": "1", "opponent": "bot", "level": "3", "clock": "10+5", "rated": "1", "size": "5"}


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(make_user("ada"))
    return client


def _begin(client: Client, game: str = "rive", **changes: str):
    return client.post(reverse("begin", args=[game]), {**WISH, **changes})


def test_a_user_begins_a_rated_game_against_a_bot(signed_in):
    assert 'name="rated"' in signed_in.get(reverse("begin", args=["rive"])).text
    assert _begin(signed_in).status_code == 302
    row = models.Table.objects.get()
    assert row.is_rated and not Table.from_json(row.begun).takes_back
    page = signed_in.get(reverse("table", args=[row.code])).text
    assert "rated" in page and ">1345</span>" in page and ">new</span>" in page


def test_guests_are_not_offered_what_they_may_not_do(client):
    assert 'name="rated"' not in client.get(reverse("begin", args=["rive"])).text
    answer = _begin(client)
    assert (
        answer.status_code == 422
        and "rated games require an account: sign up or play a casual game" in answer.text
    )
    assert not models.Table.objects.exists()


@pytest.mark.parametrize(
    ("game", "changes", "said"),
    [
        ("rive", {"clock": ""}, "Rated games require a time control: choose one or play a casual game"),
        (
            "rive",
            {"opponent": "beside"},
            "In a rated game, each player has one seat: you can’t share this device",
        ),
        ("rive", {"size": "2"}, "This board is too small for a rated game: choose a larger one"),
        ("lin", {"size": "9", "komi": "80"}, "Rated games use 0 / 2."),
        ("rive", {"size": "3", "position": "rive 3 ... 0"}, ""),
    ],
)
def test_what_cannot_be_rated_is_said_beside_its_field(signed_in, game, changes, said):
    answer = _begin(signed_in, game, **changes)
    assert answer.status_code == 422 and said in answer.text
    assert not models.Table.objects.exists()


def test_lots_decide_who_begins(signed_in, monkeypatch):
    monkeypatch.setattr("secrets.SystemRandom.shuffle", lambda self, seats: seats.reverse())
    _begin(signed_in, side="0")
    assert [seat.bot for seat in models.Table.objects.get().seats.all()] == ["3", ""]


def test_a_komi_that_is_negotiated_is_fair(signed_in):
    assert _begin(signed_in, "lin", size="9", komi="80", opponent="friend", negotiate="1").status_code == 302


def test_programs_open_rated_games_too(signed_in):
    wish = {"game": "rive", "seats": ["me", "3"], "is_rated": True, "clock": "10+5"}
    token = make_token(User.objects.get(), "a program", ("play",))[1]
    post = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {token}"}}
    answer = signed_in.post("/api/v1/tables", {**wish, "clock": ""}, **post)
    assert (
        answer.status_code == 422
        and "Rated games require a time control: choose one or play a casual game" in answer.text
    )
    answer = signed_in.post("/api/v1/tables", wish, **post)
    assert answer.status_code == 201 and answer.json()["is_rated"]


def test_people_of_a_rated_game_have_accounts_and_one_seat_each():
    ada, bob = make_people(2)
    guest, terms = Guest.objects.create(), MatchConfig(catalog.game("rive"))
    for sitters, said in (
        ([Sitter(ada), Sitter(guest)], "rated games require an account: sign up or play a casual game"),
        ([Sitter(ada), Sitter(ada)], "each player has one seat"),
    ):
        with pytest.raises(Refused, match=said):
            services.begin(terms, sitters, LIVE, is_rated=True)
    row = services.begin(terms, [Sitter(ada), Sitter()], LIVE, is_rated=True)
    with pytest.raises(Refused, match="rated games require an account: sign up or play a casual game"):
        services.sit_down(row.seats.get(number=1), guest)
    assert services.sit_down(row.seats.get(number=1), bob)


def test_nothing_is_taken_back():
    config = MatchConfig(catalog.game("rive"))
    row = begin_rated([*make_people(1), "3"])
    table = Table.from_json(row.begun)
    assert table.match.config == config or table.match.config.to_json() == config.to_json()
    table = table.apply(Entry(0, "play", "d4", 1.0)) if table.to_act == 0 else table
    for kind, value in (("takeback", None), ("offer", "takeback")):
        assert not table.may(0, kind, value)
        with pytest.raises(Refused, match="this game doesn’t allow takebacks"):
            table.apply(Entry(0, kind, value, 2.0))
    assert Table.from_json(table.to_json()).takes_back is False


def test_nobody_helps_while_a_rating_is_at_stake(signed_in):
    _begin(signed_in)
    row = models.Table.objects.get()
    assert signed_in.post(reverse("coach", args=[row.code])).status_code == 403
    assert signed_in.post(reverse("analysis_table", args=[row.code])).status_code == 403


def test_who_leaves_to_a_bot_is_last_however_it_plays():
    ada, bob, eve = make_people(3)
    terms = MatchConfig(catalog.game("rings", size=3, players=3), leavers="1")
    row = services.begin(terms, [Sitter(each) for each in (ada, bob, eve)], LIVE, is_rated=True)
    resign(row, 2)
    table = table_of(resign(row, 0))
    chance = random.Random(3)
    while not table.is_over:
        act = [("play", chance.choice(table.match.position.legal()))]
        table = services.add(
            row.code, act, seat=table.to_act, base=table.entries, key=f"ply-{table.entries}"
        ).table
    assert table.match.points()[1] == 0.0, "a bot has won"
    assert places_of(table.match) == (2, 1, 3)
    assert [seat.share for seat in row.seats.order_by("number")] == [0.0, 0.0, 0.0], "a bot's win is nobody's"


def test_after_the_end_the_table_says_what_became_of_the_ratings(client):
    ada, bob = make_people(2)
    for _ in range(4):
        row = resign(begin_rated([ada, bob]), 1)
    jobs.rate_results()
    assert "1150" not in client.get(reverse("table", args=[row.code])).text, "new players have no number"
    resign(begin_rated([ada, bob]), 1)
    row = begin_rated([ada, bob])
    resign(row, 1)
    jobs.rate_results()
    news = row.news
    row.refresh_from_db()
    assert row.news > news + 1
    page = client.get(reverse("table", args=[row.code])).text
    assert re.search(r"1[34]\d\d\? \(\+\d+\)", page) and re.search(r"[89]\d\d\? \(−\d+\)", page)
