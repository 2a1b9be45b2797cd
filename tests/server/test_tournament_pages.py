"""The pages of tournaments: what each viewer sees and may do there."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from py4swiss.trf import TrfParser

from kakomi.contest.tournament import AnyFormat, Corrected, Elimination, RoundRobin, Swiss, Tables, standings
from kakomi.server.accounts.models import Guest
from kakomi.server.site import clock
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
    """The data of the form for a tournament in Rin."""
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
    assert "No tournaments open for registration" in html
    assert "No tournaments in progress." in html and "No finished tournaments yet" in html
    assert not Guest.objects.exists(), "looking makes nobody a guest"


def test_the_list_has_open_running_and_finished_ones() -> None:
    for number, state in enumerate(("open", "running", "over", "cancelled")):
        row = organised(name=f"Cup {number}")
        Tournament.objects.filter(pk=row.pk).update(state=state, ended_at=1.0)
    html = text(Client().get("/tournaments/"))
    for number in range(4):
        assert f">Cup {number}</a>" in html
    assert html.index("Cup 0") < html.index('id="running"') < html.index("Cup 1") < html.index("Cup 2")
    assert "cancelled" in html


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
    assert "Autumn Cup" in html and "No players yet" in html and "You’re the organiser" in html


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "a\u202ebc"}, "characters, on one line"),
        ({"format": "ladder", "pace": "live"}, "Choose one of the formats in the list"),
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
    assert "need an account" in text(client.get("/tournaments/new/rin"))
    assert client.post("/tournaments/new/rin", form()).status_code == 422
    row = organised()
    assert "require an account" in text(client.get(f"/tournaments/{row.code}"))
    response = client.post(f"/tournaments/{row.code}/enter")
    assert response.status_code == 409 and "require an account" in text(response)
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
    assert "Join</button>" in text(client.get(path))
    for _ in range(2):
        assert client.post(f"{path}/enter").status_code == 302
    assert Entrant.objects.count() == 1
    entered(row, 3)
    go_on(row)
    html = text(client.get(path))
    table = Game.objects.get(table__seats__guest=user.guest).table
    assert "Your game in round 1" in html and table.code in html
    assert client.post(f"{path}/leave").status_code == 302
    go_on(row)
    html = text(client.get(path))
    assert "withdrew" in html and "Your game in round" not in html


def test_the_page_has_standings_a_crosstable_and_rounds() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 5)
    go_on(row)
    play_round(row)
    html = text(Client().get(f"/tournaments/{row.code}"))
    assert '<abbr title="Buchholz. The sum of the opponents’ points; ' in html and ">BH</abbr>" in html
    assert html.count('<th scope="row">') == 5 and "bye" in html
    assert 'id="round-1"' in html and html.index('id="round-2"') < html.index('id="round-1"')
    assert "You’re the organiser" not in html and "Correct result" not in html
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
    assert all(f"Player{number}" in cell.description for number in others) and cell.description.startswith(
        "place 1 against"
    )


ACTIONS = (
    ("begin", {}),
    ("close", {}),
    ("open", {}),
    ("remove", {"entrant": "1"}),
    ("cancel", {"reason": "why not"}),
    ("correct", {"round": "1", "table": "1", "place-0": "2", "place-1": "1", "reason": "x", "version": "9"}),
)


@pytest.mark.parametrize(("action", "sent"), ACTIONS)
def test_only_a_director_directs(action: str, sent: dict[str, str]) -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 2)
    if action == "correct":
        go_on(row)
        play(going_games(row)[0])
    before = Tournament.objects.values().get(), list(Entrant.objects.values())
    for client in (Client(), signed_in(make_user("stranger"))):
        response = client.post(f"/tournaments/{row.code}/{action}", sent)
        assert response.status_code == 409 and "Only the organiser" in text(response)
    assert before == (Tournament.objects.values().get(), list(Entrant.objects.values()))
    sent = {**sent, "version": str(before[0]["version"])}
    staff = signed_in(make_user("staff", is_staff=True))
    assert staff.post(f"/tournaments/{row.code}/{action}", sent).status_code == 302


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
    """Download a streamed file."""

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
    assert "Teilnehmer" in text(Client().get(f"/tournaments/{row.code}", **german))
    assert "Turnier erstellen" in text(Client().get("/tournaments/", **german))
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


def test_a_cell_has_the_result_and_the_number_that_stays_and_names_for_the_ear() -> None:
    row = organised(config=Swiss(rounds=2))
    entered(row, 2)
    go_on(row)
    assert {cell.text for line in Page.of(row, None).lines for cell in line.cells} == {"… 1", "… 2"}
    winner = int(logs.replayed(row).game(1, 1).seats[0])
    play_round(row)
    lines = {line.entrant.number: line for line in Page.of(row, None).lines}
    assert lines[winner].cells[0].text == f"+{3 - winner}"
    assert lines[winner].cells[0].description == f"won against Player{3 - winner}"
    assert lines[3 - winner].cells[0].text == f"−{winner}"


def test_an_annulled_game_is_struck_through_and_says_why() -> None:
    row = organised(config=RoundRobin())
    people = entered(row, 4)
    go_on(row)
    services.leave(row, people[0])
    play_round(row)
    html = text(Client().get(f"/tournaments/{row.code}"))
    why = "not counted: Player1 withdrew before playing half of their games"
    assert html.count('<s aria-hidden="true">') == 2 and html.count(f'title="{why}"') == 2
    assert "Struck-through games don’t count" in html and "a player withdrew</span>" in html
    last = Page.of(row, None).lines[-1]
    assert (last.entrant.number, last.place, last.points) == (1, None, "0")
    assert [line.place for line in Page.of(row, None).lines].count(None) == 1


def test_a_knock_out_is_a_bracket_with_names_of_rounds_and_byes() -> None:
    row = organised(config=Elimination())
    entered(row, 5)
    go_on(row)
    (part,) = Page.of(row, None).brackets
    assert [column.title for column in part.columns] == ["Quarter-final", "Semi-final", "Final", "Winner"]
    assert [sum(side.is_bye for side in match) for match in part.columns[0].matches].count(1) == 3
    assert {line.reached for line in Page.of(row, None).lines} == {"still in"}
    for _ in range(3):
        play_round(row)
    page = Page.of(row, None)
    assert [(line.place, line.reached) for line in page.lines] == [
        (1, "Winner"),
        (2, "Final"),
        (3, "Semi-final"),
        (3, "Semi-final"),
        (5, "Quarter-final"),
    ]
    (champion,) = page.brackets[0].columns[-1].matches[0]
    assert champion.entrant == page.lines[0].entrant
    final = page.brackets[0].columns[-2].matches[0]
    assert {(side.is_winner, side.cells[0].text) for side in final} == {(True, "1"), (False, "0")}
    html = text(Client().get(f"/tournaments/{row.code}"))
    assert "<strong>Quarter-final</strong>" in html and "<small>Semi-final</small>" in html


def test_a_second_bracket_is_drawn_beside_the_main_one() -> None:
    row = organised(config=Elimination(losses=2))
    entered(row, 4)
    go_on(row)
    titles = [(part.title, len(part.columns)) for part in Page.of(row, None).brackets]
    assert titles == [("Main bracket", 2), ("Second bracket", 2), ("Final", 2)]
    for _ in range(5):
        play_round(row)
    parts = {part.pairings[0].part for part in Page.of(row, None).rounds}
    assert {"Main bracket, round 1", "Second bracket, round 1", "Final"} <= parts and "again" not in parts


def test_a_tournament_begins_on_a_date_by_the_clocks_of_a_place() -> None:
    client = signed_in(make_user("ada"))
    day = datetime.fromtimestamp(clock.now() + 5 * 86400, UTC).date()
    sent = form(begins_at=f"{day}T19:30", zone="Asia/Tokyo", description=" <b>Bring</b>\r\ntea ")
    path = client.post("/tournaments/new/rin", sent)["Location"]
    row = Tournament.objects.get()
    assert row.begins_at == datetime(day.year, day.month, day.day, 10, 30, tzinfo=UTC).timestamp()
    assert row.description == "<b>Bring</b>\ntea"
    html = text(client.get(path))
    assert "&lt;b&gt;Bring&lt;/b&gt;<br>tea" in html and f"{sent['size']} × {sent['size']}" in html
    for wrong, said in (
        ({"begins_at": "2020-01-01T10:00"}, "is in the past"),
        ({"description": "x" * 1001}, "1000"),
    ):
        answer = client.post("/tournaments/new/rin", form(key="two", **wrong))
        assert answer.status_code == 422 and said in text(answer)


def test_another_game_leaves_what_was_typed() -> None:
    client = signed_in(make_user("ada"))
    sent = {**form(name="Cup of Tea", most="9", description="for all", is_rated="on"), "choose": ""}
    html = text(client.post("/tournaments/new/rive?pace=days&format=knock-out", sent))
    assert 'value="Cup of Tea"' in html and 'value="9"' in html and "for all</textarea>" in html
    assert f'value="{sent["begins_at"]}"' in html and not Tournament.objects.exists()
    assert re.search(r'name="is_rated"[^>]*checked', html) and "Knock-out</h2>" in html
    assert 'role="alert"' not in html


def test_the_directors_panel_follows_and_what_is_no_longer_possible_is_said() -> None:
    row = organised(config=Swiss(rounds=1))
    director, path = director_of(row), f"/tournaments/{row.code}"
    entered(row, 2)
    assert "Start now" in text(director.get(f"{path}/live"))
    go_on(row)
    html = text(director.get(f"{path}/live"))
    assert "Start now" not in html and "Close registration" not in html and "Cancel tournament" in html
    again = director.post(f"{path}/begin")
    assert again.status_code == 409 and "This tournament has already started" in text(again)
    play_round(row)
    assert "Cancel tournament" not in text(director.get(f"{path}/live"))
    for action in ("begin", "close", "open", "cancel", "remove"):
        answer = director.post(f"{path}/{action}", {"reason": "rain", "entrant": "1"})
        assert answer.status_code == 409 and "This tournament has ended." in text(answer)


def test_standings_are_a_table_of_which_no_cell_is_a_formula() -> None:
    row = organised(config=Swiss(rounds=1))
    for name in ("=1+2", "@home"):
        services.enter(row, make_user(f"user{len(name)}", name).guest)
    go_on(row)
    play_round(row)
    winner = Page.of(row, None).lines[0].entrant
    Guest.objects.filter(pk=winner.guest_id).update(is_erased=True)
    answer = Client().get(f"/tournaments/{row.code}/standings.csv")
    assert (
        answer["Content-Type"] == "text/csv; charset=utf-8" and "attachment" in answer["Content-Disposition"]
    )
    first, second = list(csv.DictReader(io.StringIO(text(answer))))
    assert (first["Place"], first["Points"], first["Name"]) == ("1", "1", "deleted player")
    other = row.entrants.exclude(pk=winner.pk).get()
    assert (second["No."], second["Name"]) == (str(other.number), f"'{other.guest.name}")


@pytest.mark.parametrize("config", [Swiss(rounds=3), RoundRobin()])
def test_standings_are_trf_that_a_program_of_chess_reads(config: AnyFormat, tmp_path: Path) -> None:
    row = organised(config=config)
    people = entered(row, 7)
    go_on(row)
    play_round(row)
    services.leave(row, people[0])
    play_round(row)
    assert logs.replayed(row).open_games, "round 3 goes on, and is left out"
    file = tmp_path / "standings.trf"
    file.write_bytes(Client().get(f"/tournaments/{row.code}/standings.trf").content)
    trf = TrfParser.parse(file)
    trf.validate_contents()
    before = logs.log_of(row)[:-1]
    rows = standings(before, config, row.seed)
    found = {each.starting_number: each for each in trf.player_sections}
    assert {number: each.name for number, each in found.items()} == {n: f"Player{n}" for n in range(1, 8)}
    assert [found[int(each.entrant)].points_times_ten for each in rows] == [10 * each.points for each in rows]
    assert [found[int(each.entrant)].rank for each in rows] == list(range(1, 8))
    assert trf.x_section.number_of_rounds == (3 if isinstance(config, Swiss) else 2)


def test_trf_is_for_two_at_a_table() -> None:
    row = organised(config=Elimination())
    assert Client().get(f"/tournaments/{row.code}/standings.trf").status_code == 404
    assert "standings.trf" not in text(Client().get(f"/tournaments/{row.code}"))


def test_every_pairing_has_a_picture_and_every_result_its_colour(client: Client) -> None:
    row = organised(config=Swiss(rounds=1))
    entered(row, 4)
    go_on(row)
    games = going_games(row)
    play(games[0])
    go_on(row)
    page = client.get(f"/tournaments/{row.code}").content.decode()
    assert len(games) == 2 and all(f"/table/{game.table.code}/picture.svg" in page for game in games)
    assert page.count('class="win">+') == page.count('class="loss">−') == 1
