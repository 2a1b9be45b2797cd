"""The home page: games, one-click games, and unfinished ones."""

import gzip
import math
import re

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from kakomi import catalog
from kakomi.core import Description
from kakomi.server.accounts import selectors
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import home
from kakomi.server.site import clock
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
    """Give the client's guest a name."""
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
    shown = home._middle_of_game("rive")
    assert shown.ply > 0 and shown == home._middle_of_game("rive"), "always the same"
    monkeypatch.setattr(home, "PLIES", 10_000)
    assert home._middle_of_game("rive").is_over


def test_a_game_that_is_not_there_has_no_picture(client: Client) -> None:
    assert client.get("/picture/chess.svg").status_code == 404


def test_a_stranger_has_left_nothing_off(client: Client) -> None:
    assert "Your turn" not in page(client)


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
        ("against level 3", "level 3 to move"),
        ("against a friend", "waiting for a friend"),
        ("with someone next to you", "your turn"),
        ("against Eve", "Eve to move"),
    }
    assert page(client).count("your turn") == 2


def ended(row: models.Table, *entries: tuple[int, str, str | None]) -> models.Table:
    """Add entries of a table's seats."""
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
    row = begun(Sitter(eve), Sitter(ada))
    answer = client.post(f"/table/{row.code}/delete", follow=True)
    assert not game_list(ada).unfinished
    assert len(game_list(eve).unfinished) == 1, "it is hers as well"
    assert f"/table/{row.code}/bring-back" in answer.content.decode()
    client.post(f"/table/{row.code}/bring-back")
    assert len(game_list(ada).unfinished) == 1


def test_a_game_against_people_is_not_hidden_while_it_waits(client: Client) -> None:
    ada, eve = known(client), Guest.objects.create(name="Eve")
    row = begun(Sitter(ada), Sitter(eve))
    assert f"/table/{row.code}/delete" not in page(client)
    answer = client.post(f"/table/{row.code}/delete")
    assert answer["Location"] == f"/table/{row.code}" and len(game_list(ada).unfinished) == 1
    alone = begun(Sitter(ada), Sitter(bot="1"))
    assert f"/table/{alone.code}/delete" in page(client), "a bot doesn't mind"


def test_the_home_page_shows_listed_games_those_being_played_first(client: Client) -> None:
    over, going = (begun(Sitter(Guest.objects.create(name=name)), Sitter(bot="1")) for name in ("Old", "New"))
    for row in (going, over):
        models.Table.objects.filter(pk=row.pk).update(listed_at=timezone.now())
    assert page(client).index("Old") < page(client).index("New"), "the one listed last"
    services.add(over.code, [("resign", None)], seat=0, base=0, key="gone")
    html = page(client)
    assert html.count("card live-board") == 2 and html.index("New") < html.index("Old")


def test_the_home_page_replays_a_game_while_few_are_listed(client: Client) -> None:
    html = page(client)
    (name, plies) = re.search(r'picture/(\w+)\.svg[^>]* data-replay="(\d+)"', html).groups()
    assert int(plies) == len(catalog.describe(name).sample_game.split())
    first, last = (client.get(f"/picture/{name}.svg?at={at}").content for at in (0, plies))
    assert b'class="stone player-' not in first and last == client.get(f"/picture/{name}.svg").content
    for _ in range(home.SHOWN):
        row = begun(Sitter(Guest.objects.create()), Sitter(bot="1"))
        models.Table.objects.filter(pk=row.pk).update(listed_at=timezone.now())
    assert "data-replay" not in page(client)


def test_open_challenges_are_accepted_from_the_home_page(client: Client) -> None:
    other = Client()
    other.post("/lobby/play", {"play": "rin:2-2", "pace": "live", "board": "any"})
    html = page(client)
    (address,) = re.findall(r'formaction="(/lobby/seeks/\w+/accept)"', html)
    client.post(address)
    assert models.Table.objects.count() == 1
    assert "/accept" not in page(client)


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


def test_pictures_are_compressed(client: Client) -> None:
    whole = client.get("/picture/lin.svg")
    small = client.get("/picture/lin.svg", headers={"accept-encoding": "gzip"})
    assert gzip.decompress(small.content) == whole.content and len(small.content) < len(whole.content) / 3
    known = {"accept-encoding": "gzip", "if-none-match": small["ETag"]}
    assert client.get("/picture/lin.svg", headers=known).status_code == 304


def test_authors_are_credited(client: Client) -> None:
    html = page(client, "/about")
    for name in catalog.names():
        game = catalog.describe(name)
        assert game.author in html and game.title in html
    assert "creativecommons.org/licenses/by-sa/3.0" in html


def test_failures_are_pages_of_the_site(client: Client) -> None:
    answer = client.get("/nowhere")
    assert answer.status_code == 404
    assert b"Page not found" in answer.content and b"site-head" in answer.content
    wary = Client(enforce_csrf_checks=True)
    answer = wary.post("/me/preferences", {"theme": "dark"})
    assert answer.status_code == 403
    assert b"Reload the page" in answer.content


def test_our_own_fault_needs_no_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no disk")

    monkeypatch.setattr("kakomi.server.accounts.middleware.guest_of", fail)
    monkeypatch.setattr("kakomi.server.lobby.home.guest_of", fail)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert b"Your games are safe" in answer.content and b"no disk" not in answer.content


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_while_the_database_is_away_pages_and_programs_are_told_to_come_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("connection refused")

    monkeypatch.setattr("kakomi.server.accounts.middleware.guest_of", fail)
    monkeypatch.setattr("kakomi.server.lobby.home.guest_of", fail)
    monkeypatch.setattr("kakomi.server.tables.selectors.find_table", fail)
    client.raise_request_exception = False
    page, program = client.get("/"), client.get("/api/v1/tables/nowhere")
    assert (page.status_code, program.status_code) == (503, 503)
    assert page["Retry-After"] == program["Retry-After"] == "2"
    assert "isn’t responding" in page.content.decode() and "refused" not in page.content.decode()
    assert program.json()["code"] == "away"


def waiting_at(guest: Guest, *, due_at: float | None) -> models.Table:
    """A table where it is a guest's turn, with a deadline."""
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
    assert {game.state for game in left.others} == {"Bob to move", "waiting for a friend"}
    html = page(client)
    assert "Your turn in 3 games" in html and html.index(soon.code) < html.index(late.code)
    assert "Opponent’s turn" in html


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


def test_many_games_cost_no_more_questions_than_few(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "COUNTED_EVERY", math.inf)  # people online are counted once
    ada = known(client)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client)
        return len(queries)

    ended(waiting_at(ada, due_at=None), (0, "resign", None))
    waiting_at(ada, due_at=9e9)
    page(client)  # fills the caches of seeks and pictures
    before = asked()
    for _ in range(5):
        ended(waiting_at(ada, due_at=None), (0, "resign", None))
        waiting_at(ada, due_at=9e9)
        begun(Sitter(Guest.objects.create()), Sitter(ada))
    assert asked() == before + 2, "those of others were not asked for before"
