"""The home page: games, a game in one click, and what was left off."""

import re

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kakomi import catalog
from kakomi.core import Description
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.pages import views
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.summaries import game_list
from kakomi.session import MatchConfig

pytestmark = pytest.mark.django_db


def page(client: Client, address: str = "/") -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def known(client: Client, name: str = "Ada") -> Guest:
    """The client, as a guest with a name."""
    client.post("/me/preferences", {"name": name})
    return Guest.objects.get(name=name)


def begun(*sitters: Sitter) -> models.Table:
    return services.begin(MatchConfig(catalog.game("rin", size=4)), sitters)


@pytest.mark.parametrize("name", catalog.names())
def test_a_game_is_shown_with_its_author_and_played_by_one_click(client: Client, name: str) -> None:
    game = catalog.describe(name)
    html = page(client)
    assert game.title in html and game.author in html and f"/picture/{name}.svg" in html
    (form,) = re.findall(
        rf'<form class="game-play" method="post" action="/play/{name}">.*?</form>', html, re.S
    )
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    assert client.post(f"/play/{name}", sent).status_code == 302
    table = models.Table.objects.get()
    assert table.game == name
    assert sorted(table.seats.values_list("bot", flat=True)) == ["", "1"]


@pytest.mark.parametrize("name", catalog.names())
def test_every_game_has_a_picture_in_its_middle(client: Client, name: str) -> None:
    answer = client.get(f"/picture/{name}.svg?theme=dark")
    assert answer["Content-Type"].startswith("image/svg+xml")
    assert answer.content.count(b'class="stone player-') > 8
    again = client.get(f"/picture/{name}.svg?theme=dark", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304 and not again.content
    assert client.get(f"/picture/{name}.svg?theme=light")["ETag"] != answer["ETag"]


def test_a_game_without_a_sample_is_shown_after_some_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Description, "sample_game", "")
    shown = views._middle_of_game("rive")
    assert shown.ply > 0 and shown == views._middle_of_game("rive"), "always the same"
    monkeypatch.setattr(views, "PLIES", 10_000)
    assert views._middle_of_game("rive").is_over


def test_a_game_that_is_not_there_has_no_picture(client: Client) -> None:
    assert client.get("/picture/chess.svg").status_code == 404


def test_a_stranger_has_left_nothing_off(client: Client) -> None:
    assert "left off" not in page(client)


def test_what_was_left_off_says_what_is_wanted(client: Client) -> None:
    ada = known(client)
    begun(Sitter(ada), Sitter(bot="3"))
    begun(Sitter(bot="3"), Sitter(ada))
    begun(Sitter(ada), Sitter())
    begun(Sitter(ada), Sitter(ada))
    begun(Sitter(Guest.objects.create(name="Eve"), name="Eve"), Sitter(ada))
    listed = {(left.opponents, left.state) for left in game_list(ada).unfinished}
    assert listed == {
        ("against level 3", "your turn"),
        ("against level 3", "level 3 is to act"),
        ("against a friend", "waiting for a friend"),
        ("with somebody beside you", "your turn"),
        ("against Eve", "Eve is to act"),
    }
    assert page(client).count("your turn") == 2


def ended(row: models.Table, *entries: tuple[int, str, str | None]) -> models.Table:
    """The table after entries of its seats."""
    for base, (seat, kind, value) in enumerate(entries):
        services.add(row.code, [(kind, value)], seat=seat, base=base, key=f"{kind}-{base}")
    return row


def test_a_finished_game_is_a_draw_or_nobodys_win() -> None:
    ada, eve = Guest.objects.create(name="Ada"), Guest.objects.create(name="Eve")
    ended(begun(Sitter(ada), Sitter(eve)), (0, "offer", "draw"), (1, "accept", None))
    ended(begun(Sitter(ada), Sitter(ada)), (0, "resign", None))
    assert [left.state for left in game_list(ada).finished] == ["finished", "a draw"]
    assert [left.state for left in game_list(eve).finished] == ["a draw"]


def test_those_who_have_equally_many_points_share_the_win() -> None:
    guests = [Guest.objects.create() for _ in range(3)]
    row = services.begin(
        MatchConfig(catalog.game("rings", size=3, players=3)), [Sitter(guest) for guest in guests]
    )
    ended(row, (2, "resign", None), *((seat, "play", "pass") for seat in (0, 1)))
    assert [game_list(guest).finished[0].state for guest in guests] == [
        "you share the win",
        "you share the win",
        "you lost",
    ]


@pytest.mark.parametrize(("leaves", "said"), [(0, "you lost"), (1, "you won")])
def test_a_finished_game_says_how_it_ended(client: Client, leaves: int, said: str) -> None:
    ada = known(client)
    row = begun(Sitter(ada), Sitter(Guest.objects.create()))
    services.add(row.code, [("resign", None)], seat=leaves, base=0, key="gone")
    (left,) = game_list(ada).finished
    assert left.state == said and said in page(client)
    assert not game_list(ada).unfinished


def test_a_game_is_deleted_and_brought_back(client: Client) -> None:
    ada, eve = known(client), Guest.objects.create()
    row = begun(Sitter(ada), Sitter(eve))
    answer = client.post(f"/table/{row.code}/delete", follow=True)
    assert not game_list(ada).unfinished
    assert len(game_list(eve).unfinished) == 1, "it is hers as well"
    assert f"/table/{row.code}/bring-back" in answer.content.decode()
    client.post(f"/table/{row.code}/bring-back")
    assert len(game_list(ada).unfinished) == 1


def test_nobody_deletes_the_games_of_others(client: Client) -> None:
    eve = Guest.objects.create()
    row = begun(Sitter(eve), Sitter(eve))
    known(client)
    assert client.post(f"/table/{row.code}/delete").status_code == 404
    assert client.get(f"/table/{row.code}/delete").status_code == 405
    assert len(game_list(eve).unfinished) == 1


def test_more_games_than_are_listed_can_be_asked_for(client: Client) -> None:
    ada = known(client)
    for _ in range(13):
        begun(Sitter(ada), Sitter(ada))
    assert page(client).count("card left") == 12
    assert "?all" in page(client)
    assert page(client, "/?all").count("card left") == 13


def test_a_table_has_a_picture_that_changes_with_it(client: Client) -> None:
    row = begun(Sitter(Guest.objects.create()), Sitter(bot="1"))
    before = client.get(f"/table/{row.code}/picture.svg")
    services.add(row.code, [("play", "1,1")], seat=0, base=0, key="first")
    after = client.get(f"/table/{row.code}/picture.svg", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200 and after.content.count(b'class="stone player-') == 1


def test_authors_are_credited(client: Client) -> None:
    html = page(client, "/about")
    for name in catalog.names():
        game = catalog.describe(name)
        assert game.author in html and game.title in html
    assert "creativecommons.org/licenses/by-sa/3.0" in html


def test_failures_are_pages_of_the_site(client: Client) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert b"There is nothing here" in answer.content and b"site-head" in answer.content
    wary = Client(enforce_csrf_checks=True)
    answer = wary.post("/me/preferences", {"theme": "dark"})
    assert answer.status_code == 403
    assert b"Load the page again" in answer.content


def test_our_own_fault_needs_no_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no disk")

    monkeypatch.setattr("kakomi.server.accounts.middleware.guest_of", fail)
    monkeypatch.setattr("kakomi.server.pages.views.guest_of", fail)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert b"No game is lost" in answer.content and b"no disk" not in answer.content


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_while_the_database_is_away_pages_and_programs_are_told_to_come_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("connection refused")

    monkeypatch.setattr("kakomi.server.accounts.middleware.guest_of", fail)
    monkeypatch.setattr("kakomi.server.pages.views.guest_of", fail)
    monkeypatch.setattr("kakomi.server.tables.selectors.find_table", fail)
    client.raise_request_exception = False
    page, program = client.get("/"), client.get("/api/v1/tables/nowhere")
    assert (page.status_code, program.status_code) == (503, 503)
    assert page["Retry-After"] == program["Retry-After"] == "2"
    assert "does not answer at the moment" in page.content.decode() and "refused" not in page.content.decode()
    assert program.json()["code"] == "away"


def waiting_at(guest: Guest, *, due_at: float | None) -> models.Table:
    """A table that waits for a guest, whose time runs out at a moment."""
    row = begun(Sitter(guest), Sitter(Guest.objects.create(name="Eve")))
    models.Table.objects.filter(pk=row.pk).update(due_at=due_at)
    return row


def test_games_that_wait_come_first_by_the_time_that_is_left(client: Client) -> None:
    ada = known(client)
    now = clock.now()
    without = waiting_at(ada, due_at=None)
    late, soon = (waiting_at(ada, due_at=now + seconds + 30) for seconds in (3 * 86400, 5 * 3600))
    begun(Sitter(Guest.objects.create(name="Bob")), Sitter(ada))
    begun(Sitter(ada), Sitter())
    left = game_list(ada)
    assert [game.row for game in left.waiting] == [soon, late, without]
    assert [game.time_left for game in left.waiting] == ["5 hours left", "3 days left", ""]
    assert {game.state for game in left.others} == {"Bob is to act", "waiting for a friend"}
    html = page(client)
    assert "Your turn, 3 games" in html and html.index(soon.code) < html.index(late.code)
    assert "Others are to act" in html


def test_one_key_goes_round_the_games_that_wait(client: Client) -> None:
    ada = known(client)
    now = clock.now()
    codes = [waiting_at(ada, due_at=now + seconds).code for seconds in (100, 200, 300)]
    begun(Sitter(ada), Sitter())
    at = ""
    for code in (*codes, codes[0]):
        answer = client.get(f"/next?after={at}")
        assert answer["Location"] == f"/table/{code}"
        at = code
    models.Table.objects.filter(code__in=codes[1:]).update(is_over=True)
    assert client.get(f"/next?after={codes[0]}")["Location"] == "/", "no other waits"
    assert Client().get("/next")["Location"] == "/"


def test_many_games_cost_no_more_questions_than_few(client: Client) -> None:
    ada = known(client)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client)
        return len(queries)

    ended(waiting_at(ada, due_at=None), (0, "resign", None))
    waiting_at(ada, due_at=9e9)
    before = asked()
    for _ in range(5):
        ended(waiting_at(ada, due_at=None), (0, "resign", None))
        waiting_at(ada, due_at=9e9)
        begun(Sitter(Guest.objects.create()), Sitter(ada))
    assert asked() == before + 2, "those of others were not asked for before"
