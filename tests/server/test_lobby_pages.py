"""The lobby's pages in browsers without scripts."""

import pytest
from django.test import Client

from kakomi.server.accounts.models import Block, Guest
from kakomi.server.lobby import selectors, services
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from server.lobby_people import DAYS, somebody, sought
from server.rated_games import begin_rated, make_people

pytestmark = pytest.mark.django_db
FORM = {"size": "8", "clock": "10+5", "key": "one", "side": "lot", "sent": "1"}


def entered(guest: Guest) -> Client:
    """A browser of a guest, signed in if they have an account."""
    client = Client()
    if guest.handle:
        client.force_login(guest.user)
    else:
        client.post(f"/me/{guest.token}")
    return client


def act(client: Client, seek: Seek, what: str, **form):
    return client.post(f"/lobby/seeks/{seek.code}/{what}", form)


def text(response) -> str:
    return response.content.decode()


def test_a_stranger_sees_who_waits_and_plays_them():
    sought(somebody("Ada"), "one", terms={"sizes": (8,)})
    client = Client()
    page = client.get("/lobby/")
    assert page.status_code == 200 and "Ada" in text(page) and "10 min + 5 s" in text(page)
    answer = act(client, Seek.objects.get(), "accept")
    assert answer["location"] == f"/table/{Table.objects.get().code}"
    assert "Ada" not in text(client.get("/lobby/"))


def test_a_second_click_leads_to_the_same_table_and_a_second_person_back():
    seek = sought(somebody("Ada"))
    client = entered(somebody())
    assert act(client, seek, "accept")["location"] == act(client, seek, "accept")["location"]
    late = act(Client(), seek, "accept")
    assert late.status_code == 409 and "Someone else was faster: this challenge has been accepted" in text(
        late
    )
    assert Table.objects.count() == 1


def test_play_now_waits_and_then_plays():
    ada, bob = entered(somebody("Ada")), entered(somebody("Bob"))
    form = {"play": "rings:3-6", "pace": "live", "board": "small"}
    assert ada.post("/lobby/play", form)["location"] == "/lobby/"
    assert "Waiting for an opponent" in text(ada.get("/lobby/"))
    assert bob.post("/lobby/play", form)["location"] == "/lobby/"
    assert "2 of 3 to 6 players" in text(bob.get("/lobby/"))
    rin = {"play": "rin:2-2", "pace": "live", "board": "any"}
    ada.post("/lobby/play", rin)
    assert bob.post("/lobby/play", rin)["location"].startswith("/table/")
    assert not Seek.objects.filter(ended_at=None).exists()


@pytest.mark.parametrize(
    "form",
    [{}, {"play": "go:2-2"}, {"play": "rin:2-2", "pace": "years"}, {"play": "rin:2-2", "pace": "days"}],
)
def test_play_now_refuses_what_cannot_be(form):
    answer = Client().post("/lobby/play", form)
    assert answer.status_code == 422 and 'role="alert"' in text(answer)
    assert not Seek.objects.exists()


def test_a_form_that_was_changed_and_sent_again_is_another_seek():
    client = entered(somebody("Ada"))
    for clock in ("10+5", "5+3", "5+3"):
        assert client.post("/lobby/new/rin", FORM | {"clock": clock}).status_code == 302
    assert sorted(seek.terms["control"]["initial"] for seek in Seek.objects.all()) == [300.0, 600.0]


def test_a_seek_is_made_by_its_form_once():
    client = entered(somebody("Ada"))
    assert client.get("/lobby/new/ren").status_code == 200
    for _ in range(2):
        assert client.post("/lobby/new/ren", {**FORM, "match": "1"})["location"] == "/lobby/"
    card = text(Client().get("/lobby/"))
    assert "a match of 2 games" in card and "8 × 8" in card
    assert Seek.objects.count() == 1


def test_forms_that_fit_lead_to_a_table_at_once():
    entered(somebody()).post("/lobby/new/ren", {**FORM, "side": "first"})
    answer = entered(somebody()).post("/lobby/new/ren", FORM)
    assert answer["location"] == f"/table/{Table.objects.get().code}"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"clock": ""}, "Choose a time control"),
        ({"clock": "3d"}, "need an account"),
        ({"clock": "custom", "clock_other": "x"}, "Enter a time control such as 5"),
        ({"size": "999"}, "choose 4 to 12"),
        ({"side": "top"}, "Choose one of the sides in the list, or"),
        ({"to": "nobody"}, "Enter a username, without spaces"),
        ({"to": "ada, bob"}, "doesn’t accept challenges"),
        ({"is_rated": "1"}, "Rated games require an account"),
        ({"swap": "1", "negotiate": "1"}, "mark"),
    ],
)
def test_a_wrong_form_says_what_would_be_right(changes, says):
    somebody("ada", account=True)
    bob = somebody("bob", account=True)
    services.save_settings(bob, LobbyGuest(guest=bob, challenges_from="nobody"))
    game = "lin" if "swap" in changes else "ren"
    size = {"size": "9"} if game == "lin" else {}
    answer = entered(somebody()).post(f"/lobby/new/{game}", {**FORM, **size, **changes})
    assert answer.status_code == 422 and says in text(answer)
    assert not Seek.objects.exists()


@pytest.mark.parametrize(
    ("leavers", "says"),
    [("", "if a player leaves, their seat passes"), ("3", "a level 3 bot takes over if a player leaves")],
)
def test_what_becomes_of_a_leaver_s_seat_is_said_before_the_game(leavers: str, says: str):
    ada, others = entered(somebody("Ada")), [entered(somebody()) for _ in range(2)]
    form = {**FORM, "size": "3", "players": "3", "leavers": leavers}
    assert 'name="leavers"' in text(ada.get("/lobby/new/rings?players=3"))
    ada.post("/lobby/new/rings", form)
    for other in others:
        assert says in text(other.get("/lobby/"))
        act(other, Seek.objects.get(), "accept")
    assert table_of(Table.objects.get()).match.config.leavers == leavers


def test_for_two_nothing_is_said_of_leavers():
    ada = entered(somebody("Ada"))
    assert 'name="leavers"' not in text(ada.get("/lobby/new/rings?players=2"))
    ada.post("/lobby/new/rings", {**FORM, "size": "3", "players": "2", "leavers": "3"})
    assert "who leaves" not in text(Client().get("/lobby/"))
    act(entered(somebody()), Seek.objects.get(), "accept")
    assert not table_of(Table.objects.get()).match.config.leavers


def test_a_challenge_is_answered_with_a_reason():
    ada, bob = somebody("Ada", account=True), somebody("Bob", account=True)
    hers, his = entered(ada), entered(bob)
    assert (
        hers.post("/lobby/new/rin", {**FORM, "clock": "3d", "to": "@bob", "is_rated": "1"})["location"]
        == "/lobby/"
    )
    seek = Seek.objects.get()
    assert "Ada challenges you to Rin" in text(his.get("/lobby/"))
    assert "hasn’t answered yet" in text(hers.get("/lobby/"))
    assert "challenges you" in text(his.get("/notices/"))
    assert act(his, seek, "decline", reason="because").status_code == 409
    assert act(his, seek, "decline", reason="clock")["location"] == "/lobby/"
    again = act(his, seek, "decline", reason="clock")
    assert again.status_code == 409 and "You declined this challenge" in text(again)
    assert "prefers another time control" in text(hers.get("/lobby/"))
    assert "Ada challenges you" not in text(his.get("/lobby/"))
    assert act(hers, seek, "dismiss").status_code == 302
    assert "prefers another time control" not in text(hers.get("/lobby/"))


def test_what_excludes_somebody_stands_where_the_button_would():
    sought(somebody("Ada", account=True), is_rated=True)
    page = text(Client().get("/lobby/"))
    assert "Rated games require an account" in page and "/accept" not in page
    assert "/accept" in text(entered(somebody(account=True)).get("/lobby/"))


def test_people_who_are_kept_apart_do_not_meet():
    ada, bob = somebody("Ada"), somebody("Bob", account=True)
    Block.objects.create(blocker=bob, blocked=ada)
    seek = sought(ada)
    client = entered(bob)
    assert "Ada" not in text(client.get("/lobby/"))
    assert act(client, seek, "accept").status_code == 409
    form = {"play": "ren:2-2", "pace": "live", "board": "any"}
    entered(ada).post("/lobby/play", form)
    client.post("/lobby/play", form)
    assert not Table.objects.exists()
    sought(somebody("Eve"), game="rings", least=3, most=3)
    third = selectors.find_seek(Seek.objects.get(game="rings").code).row
    assert act(entered(ada), third, "accept").status_code == 302
    assert "Eve" not in text(client.get("/lobby/"))


def test_the_list_can_be_of_one_game_or_pace():
    sought(somebody("Ada", account=True), control=DAYS)
    sought(somebody("Bob"), game="rin")
    found = [
        [name for name in ("Ada", "Bob") if name in text(Client().get(f"/lobby/?{asked}"))]
        for asked in ("", "game=rin", "pace=days", "game=rin&pace=days")
    ]
    assert found == [["Ada", "Bob"], ["Bob"], ["Ada"], []]
    assert Client().get("/lobby/?game=go").status_code == 404
    assert Client().get("/lobby/?pace=years").status_code == 404


def test_settings_are_kept():
    client = Client()
    assert client.get("/lobby/settings").status_code == 200
    given = {"challenges_from": "nobody", "takes_live": "on", "takes_rated": "on", "takes_casual": "on"}
    assert client.post("/lobby/settings", given)["location"] == "/lobby/settings?kept"
    assert "Saved." in text(client.get("/lobby/settings?kept"))
    kept = LobbyGuest.objects.get()
    assert (kept.challenges_from, kept.takes_live, kept.takes_days) == ("nobody", True, False)
    assert kept.most_games is None
    client.post("/lobby/settings", {**given, "most_games": "3"})
    assert LobbyGuest.objects.get().most_games == 3 and 'value="3"' in text(client.get("/lobby/settings"))
    assert client.post("/lobby/settings", {**given, "most_games": "0"}).status_code == 422
    wrong = client.post("/lobby/settings", {"challenges_from": "x"})
    assert wrong.status_code == 422 and "Accept live games, correspondence games, or both" in text(wrong)


def test_nothing_else_can_be_done():
    seek = sought(somebody())
    assert act(Client(), seek, "explode").status_code == 404
    assert Client().post("/lobby/seeks/nothing/accept").status_code == 404
    assert Client().get(f"/lobby/seeks/{seek.code}/accept").status_code == 405


def test_a_persons_page_and_the_home_page_lead_here():
    somebody("bob", account=True)
    assert "/lobby/challenge/bob" in text(Client().get("/@bob"))
    form = Client().get("/lobby/challenge/bob", follow=True)
    assert 'name="to" value="bob"' in text(form)
    assert 'href="/lobby/"' in text(Client().get("/"))


def test_the_lobby_shows_the_boards_of_games_to_watch(client):
    row = begin_rated(make_people(2))
    page = text(client.get("/lobby/"))
    assert f'href="/table/{row.code}"' in page and f"/table/{row.code}/picture.svg" in page
