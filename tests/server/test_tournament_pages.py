"""Pages of tournaments: what is shown to whom, and what they may do there."""

import io
import json
import zipfile
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from kakomi.contest.tournament import Corrected, Swiss, Tables
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.tournaments import logs, services
from kakomi.server.tournaments.models import Entrant, Game, Round, Tournament
from kakomi.server.tournaments.presenters import Page
from kakomi.server.tournaments.wording import points_label
from server.people import make_user, signed_in
from server.tournament_people import entered, go_on, going_games, organised, play, play_round

pytestmark = pytest.mark.django_db
FORM = {
    "name": "Autumn Cup",
    "format": "swiss",
    "rounds": "3",
    "size": "",
    "clock": "3d",
    "round_days": "30",
    "zone": "UTC",
    "most": "16",
    "filler": "",
    "key": "one",
}


def form(**changes: str) -> dict[str, str]:
    """What the form for a tournament in Rin sends."""
    from kakomi import catalog
    from kakomi.server.lobby.terms import boards_of

    begins_at = f"{datetime.fromtimestamp(clock.now() + 3 * 86400, UTC):%Y-%m-%dT%H:%M}"
    size = str(boards_of(catalog.describe("rin"))[0])
    return {**FORM, "size": size, "begins_at": begins_at, **changes}


def text(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined, no-any-return]


def director_of(row: Tournament) -> Client:
    return signed_in(row.organiser.user)


def test_the_list_says_so_where_there_is_nothing() -> None:
    html = text(Client().get("/tournaments/"))
    assert "No tournament is open at the moment" in html
    assert "No tournament is being played." in html and "None has been played" in html
    assert not Guest.objects.exists(), "looking makes nobody a guest"


def test_the_list_has_open_running_and_finished_ones() -> None:
    for number, state in enumerate(("open", "running", "over", "cancelled")):
        row = organised(name=f"Cup {number}")
        Tournament.objects.filter(pk=row.pk).update(state=state, ended_at=1.0)
    html = text(Client().get("/tournaments/"))
    for number in range(4):
        assert f">Cup {number}</a>" in html
    assert html.index("Cup 0") < html.index('id="running"') < html.index("Cup 1") < html.index("Cup 2")
    assert "called off" in html


def test_a_form_that_was_changed_and_sent_again_starts_another_tournament() -> None:
    client = signed_in(make_user("ada"))
    for name in ("Autumn Cup", "Winter Cup", "Winter Cup"):
        assert client.post("/tournaments/new/rin", form(name=name)).status_code == 302
    assert sorted(Tournament.objects.values_list("name", flat=True)) == ["Autumn Cup", "Winter Cup"]


def test_two_clicks_start_one_tournament() -> None:
    client = signed_in(make_user("ada"))
    first = client.post("/tournaments/new/rin", form())
    again = client.post("/tournaments/new/rin", form())
    assert first.status_code == again.status_code == 302
    assert first["Location"] == again["Location"] and Tournament.objects.count() == 1
    html = text(client.get(first["Location"]))
    assert "Autumn Cup" in html and "Nobody yet" in html and "You direct this tournament" in html


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "a\u202ebc"}, "Write a name"),
        ({"format": "ladder", "pace": "live"}, "no such format"),
        ({"rounds": "many"}, "Enter a whole number"),
        ({"most": "1000"}, "less than or equal to 64"),
        ({"clock": "5+3"}, "Select a valid choice"),
    ],
)
def test_a_form_that_is_wrong_says_what_is_right(changes: dict[str, str], said: str) -> None:
    response = signed_in(make_user("ada")).post("/tournaments/new/rin", form(**changes))
    assert response.status_code == 422
    assert said in text(response) and 'role="alert"' in text(response)
    assert not Tournament.objects.exists()


def test_a_guest_without_an_account_neither_starts_nor_enters_one() -> None:
    client = Client()
    assert "takes an account" in text(client.get("/tournaments/new/rin"))
    assert client.post("/tournaments/new/rin", form()).status_code == 422
    row = organised()
    assert "need an account" in text(client.get(f"/tournaments/{row.code}"))
    response = client.post(f"/tournaments/{row.code}/enter")
    assert response.status_code == 409 and "need an account" in text(response)
    assert not Entrant.objects.exists()


def test_a_form_from_another_site_does_nothing() -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies.update(signed_in(make_user("ada")).cookies)
    assert client.post("/tournaments/new/rin", form()).status_code == 403
    assert not Tournament.objects.exists()


def test_people_enter_play_and_leave() -> None:
    row = organised(config=Swiss(rounds=2))
    user = make_user("ada")
    client = signed_in(user)
    path = f"/tournaments/{row.code}"
    assert "Take part</button>" in text(client.get(path))
    for _ in range(2):
        assert client.post(f"{path}/enter").status_code == 302
    assert Entrant.objects.count() == 1
    entered(row, 3)
    go_on(row)
    html = text(client.get(path))
    table = Game.objects.get(table__seats__guest=user.guest).table
    assert "Your game of round 1" in html and table.code in html
    assert client.post(f"{path}/leave").status_code == 302
    go_on(row)
    html = text(client.get(path))
    assert "has left" in html and "Your game of round" not in html


def test_the_page_has_standings_a_crosstable_and_rounds() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 5)
    go_on(row)
    play_round(row)
    html = text(Client().get(f"/tournaments/{row.code}"))
    assert '<abbr title="Buchholz. The sum of the opponents’ points; ' in html and ">BH</abbr>" in html
    assert html.count('<th scope="row">') == 5 and "bye" in html
    assert 'id="round-1"' in html and html.index('id="round-2"') < html.index('id="round-1"')
    assert "You direct" not in html and "Correct the result" not in html
    assert str(row.seed) not in html, "nobody knows the lots before the end"
    play_round(row)
    assert str(row.seed) in text(Client().get(f"/tournaments/{row.code}"))


def test_a_table_tournament_shows_places_among_several() -> None:
    row = organised("rings", Tables(seats=4, rounds=1), name="Rings for all")
    entered(row, 4)
    go_on(row)
    play_round(row)
    line = Page.of(row, None).lines[0]
    others = sorted({1, 2, 3, 4} - {line.entrant.number})
    cell = line.cells[0]
    assert sorted(map(int, cell.text.removeprefix("1. (").removesuffix(")").split(", "))) == others
    assert all(f"player{number}" in cell.said for number in others) and cell.said.startswith(
        "place 1 against"
    )


DEEDS = (
    ("begin", {}),
    ("close", {}),
    ("open", {}),
    ("remove", {"entrant": "1"}),
    ("cancel", {"reason": "why not"}),
    ("correct", {"round": "1", "table": "1", "place-0": "2", "place-1": "1", "reason": "x", "version": "9"}),
)


@pytest.mark.parametrize(("deed", "sent"), DEEDS)
def test_only_a_director_directs(deed: str, sent: dict[str, str]) -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 2)
    if deed == "correct":
        go_on(row)
        play(going_games(row)[0])
    before = Tournament.objects.values().get(), list(Entrant.objects.values())
    for client in (Client(), signed_in(make_user("stranger"))):
        response = client.post(f"/tournaments/{row.code}/{deed}", sent)
        assert response.status_code == 409 and "Only the organiser" in text(response)
    assert before == (Tournament.objects.values().get(), list(Entrant.objects.values()))
    sent = {**sent, "version": str(before[0]["version"])}
    staff = signed_in(make_user("staff", is_staff=True))
    assert staff.post(f"/tournaments/{row.code}/{deed}", sent).status_code == 302


def test_a_director_corrects_a_result_and_everybody_reads_why() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 4)
    go_on(row)
    play_round(row)
    client = director_of(row)
    sent = {"round": "1", "table": "1", "place-0": "2", "place-1": "1", "version": str(row.version)}
    path = f"/tournaments/{row.code}/correct"
    assert client.post(path, {**sent, "reason": ""}).status_code == 409
    assert client.post(path, {**sent, "place-1": "7", "reason": "x"}).status_code == 409
    assert client.post(path, {**sent, "table": "9", "reason": "x"}).status_code == 409
    reason = "<b>they agreed</b>"
    assert client.post(path, {**sent, "reason": reason}).status_code == 302
    assert client.post(path, {**sent, "reason": reason}).status_code == 302, "a double click"
    row.refresh_from_db()
    assert sum(isinstance(each, Corrected) for each in logs.log_of(row)) == 1
    html = text(Client().get(f"/tournaments/{row.code}"))
    assert "&lt;b&gt;they agreed" in html and reason not in html


def test_begin_now_begins_it() -> None:
    row = organised()
    Tournament.objects.update(due_at=clock.now() + 86400, begins_at=clock.now() + 86400)
    entered(row, 4)
    go_on(row)
    assert not Round.objects.exists()
    assert director_of(row).post(f"/tournaments/{row.code}/begin").status_code == 302
    go_on(row)
    assert Round.objects.count() == 1


def test_all_games_can_be_taken_home() -> None:
    row = organised(config=Swiss(rounds=1))
    entered(row, 4)
    go_on(row)
    play_round(row)
    other = organised(config=Swiss(rounds=1))
    entered(other, 2, "else")
    go_on(other)
    lines = taken(f"/tournaments/{row.code}/games.jsonl").splitlines()
    assert len(lines) == 2 and all(json.loads(line) for line in lines)
    archive = zipfile.ZipFile(io.BytesIO(taken(f"/tournaments/{row.code}/games.zip")))
    codes = Game.objects.filter(round__tournament=row).values_list("table__code", flat=True)
    assert sorted(name.split("-")[1] for name in archive.namelist()) == sorted(codes)


def taken(path: str) -> bytes:
    """A file that is made while it is sent."""

    async def read() -> bytes:
        answer: Any = await AsyncClient().get(path)
        return b"".join([piece async for piece in answer.streaming_content])

    return async_to_sync(read)()


def test_what_there_is_not_is_not_found() -> None:
    client = Client()
    assert client.get("/tournaments/nosuchcode").status_code == 404
    assert client.post("/tournaments/nosuchcode/enter").status_code == 404
    assert client.post(f"/tournaments/{organised().code}/dance").status_code == 404
    assert client.get("/tournaments/new/chess").status_code == 404


def test_the_pages_speak_german() -> None:
    row = organised()
    german = {"headers": {"accept-language": "de"}}
    assert "Wer teilnimmt" in text(Client().get(f"/tournaments/{row.code}", **german))
    assert "Ein Turnier ausschreiben" in text(Client().get("/tournaments/", **german))
    assert "Schweizer System" in text(Client().get("/tournaments/new/rin", **german))


def test_who_was_removed_cannot_come_back() -> None:
    row = organised()
    Tournament.objects.update(due_at=clock.now() + 86400)
    user = make_user("ada")
    services.enter(row, user.guest)
    director_of(row).post(f"/tournaments/{row.code}/remove", {"entrant": "1"})
    go_on(row)
    response = signed_in(user).post(f"/tournaments/{row.code}/enter")
    assert response.status_code == 409 and "removed you" in text(response)


def test_a_page_is_whole_though_a_round_is_paired_while_it_is_made() -> None:
    row = organised(config=Swiss(rounds=3))
    entered(row, 4)
    go_on(row)
    page = Page.of(row, None)
    play_round(row)
    services.enter(row, make_user("late").guest)
    assert [part.number for part in page.rounds] == [1]
    assert len(page.lines) == 4 and all(line.cells[0].text.startswith("…") for line in page.lines)
    assert len(Page.of(row, None).rounds) == 2


def test_a_player_sees_a_whole_page_though_a_round_is_paired_while_it_is_made() -> None:
    row = organised(config=Swiss(rounds=3))
    player = entered(row, 4)[0]
    before = Page.of(Tournament.objects.get(pk=row.pk), player)
    go_on(row)
    assert before.own_games == [] and before.rounds == []
    assert len(Page.of(Tournament.objects.get(pk=row.pk), player).own_games) == 1


@pytest.mark.parametrize(
    ("points", "said"),
    [("3", "3"), ("5/2", "2½"), ("1/4", "¼"), ("5/3", "1⅔"), ("7/5", "1⅖"), ("7/12", "0.58")],
)
def test_points_are_fractions_where_places_bring_them(points: str, said: str) -> None:
    assert points_label(Fraction(points)) == said
