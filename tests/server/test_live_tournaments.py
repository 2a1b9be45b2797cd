"""Live tournaments: rounds follow at once, nobody can delay them, and absent players are out."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from kakomi.contest.tournament import Elimination, RoundRobin, Swiss, Tables
from kakomi.server.notices.models import Notice
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.site import clock
from kakomi.server.tables import services as tables
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of
from kakomi.server.tournaments import logs, services
from kakomi.server.tournaments.models import Entrant, Round, Tournament
from kakomi.server.tournaments.terms import START_SECONDS, live_round_seconds, round_seconds
from kakomi.session import Refused, TimeControl
from server.people import make_user, signed_in
from server.test_tournament_attendance import words
from server.test_tournament_pages import form, text
from server.tournament_people import (
    DAYS,
    LATE,
    LIVE,
    asked_for,
    entered,
    go_on,
    going_games,
    organised,
    play,
    play_round,
)

pytestmark = pytest.mark.django_db
State = Tournament.State


@pytest.mark.parametrize(
    ("game", "config"),
    [
        ("rin", Swiss(rounds=2)),
        ("rin", Elimination()),
        ("rin", RoundRobin()),
        ("rings", Tables(seats=4, rounds=2)),
    ],
)
def test_live_rounds_follow_each_other_to_the_end(game: str, config: Swiss) -> None:
    row = organised(game, config, control=LIVE)
    entered(row, 4)
    go_on(row)
    begun = Round.objects.get(tournament=row)
    assert begun.ends_at - begun.begun_at == round_seconds(row) < 3600
    for each in going_games(row):
        assert table_of(each.table).start.limit == START_SECONDS
    for _ in range(4):
        if row.state == State.RUNNING:
            play_round(row)
    assert row.state == State.OVER


@pytest.mark.parametrize(
    ("control", "minutes"),
    [
        (TimeControl(600.0, 5.0), 33),
        (TimeControl(15.0, kind="simple"), 33),
        (TimeControl(600.0, 5.0, kind="delay"), 33),
        (TimeControl(7200.0, 60.0), 240),
    ],
)
def test_a_round_lasts_what_its_clocks_allow(control: TimeControl, minutes: int) -> None:
    assert round(live_round_seconds(control, 2) / 60) == minutes


def test_who_is_not_there_loses_as_absent_and_is_taken_out() -> None:
    row = organised(config=Swiss(rounds=3), control=LIVE, takes_late=True)
    entered(row, 4)
    go_on(row)
    game, other = going_games(row)
    play(other)
    absent = game.table.seats.get(number=game.table.to_act).guest
    start = table_of(game.table).begun_at
    with clock.time_from(lambda: start + START_SECONDS - 1):
        assert tables.settle(game.table.code) is None
    with clock.time_from(lambda: start + START_SECONDS + 1):
        tables.settle(game.table.code)
        go_on(row)
    assert logs.replayed(row).game(1, game.number).result.absent
    assert Entrant.objects.get(guest=absent).leaving == Entrant.Leaving.ABSENT
    assert row.rounds.count() == 2, "the next round followed at once"
    services.enter(row, absent)
    assert Entrant.objects.get(guest=absent).is_in


def test_nobody_drags_a_round_beyond_its_minutes() -> None:
    row = organised(config=Swiss(rounds=1), control=LIVE)
    entered(row, 2)
    go_on(row)
    (game,) = going_games(row)
    for base, action in enumerate(("0,0", "1,1")):
        game.table.refresh_from_db()
        tables.add(game.table.code, [("play", action)], seat=game.table.to_act, base=base, key=action)
    Round.objects.update(ends_at=clock.now() - 1)  # although the game's clocks haven't run out
    run_job(LATE)
    go_on(row)
    assert row.state == State.OVER


def test_live_tournaments_and_rounds_of_days_do_not_go_together() -> None:
    guest = make_user("ada").guest
    for wanted, said in (
        (asked_for(control=LIVE, round_days=30), "Choose one of the round limits in the list"),
        (asked_for(control=DAYS, round_days=0), "Choose one of the round limits in the list"),
    ):
        with pytest.raises(Refused, match=said):
            services.create(guest, wanted, said)
    assert not Tournament.objects.exists()


def test_the_form_offers_live_clocks_and_minutes() -> None:
    client = signed_in(make_user("ada"))
    html = text(client.get("/tournaments/new/rin?pace=live"))
    assert 'name="round_days"' not in html and 'value="10+5" selected' in html
    sent = form(pace="live", clock="3+2")
    assert client.post("/tournaments/new/rin", sent).status_code == 302
    row = Tournament.objects.get()
    assert (
        row.round_days == 0
        and f"{datetime.fromtimestamp(row.begins_at, UTC):%Y-%m-%dT%H:%M}" == sent["begins_at"]
    )
    html = text(client.get(f"/tournaments/{row.code}"))
    assert "lasts up to 13 minutes" in html and "within 3 min" in html


def test_the_part_that_changes_has_the_way_to_ones_board() -> None:
    row = organised(config=Swiss(rounds=1), control=LIVE)
    user = make_user("ada")
    services.enter(row, user.guest)
    entered(row, 1)
    client = signed_in(user)
    assert "data-own-game" not in text(client.get(f"/tournaments/{row.code}/live"))
    go_on(row)
    html = text(client.get(f"/tournaments/{row.code}/live"))
    (game,) = going_games(row)
    assert f'data-own-game="{game.table.code}"' in html and "Your game has started." in html
    assert "data-own-game" not in text(Client().get(f"/tournaments/{row.code}/live"))
    assert "<html" not in html and Client().get("/tournaments/nosuch/live").status_code == 404


def test_whatever_changes_is_news() -> None:
    row = organised(config=Swiss(rounds=1), control=LIVE)
    numbers = []

    def note() -> None:
        numbers.append(logs.latest_news([logs.topic_of(row.code), "lobby"])[logs.topic_of(row.code)])

    note()
    entered(row, 2)
    note()
    services.close_entries(row, row.organiser, closed=True)
    note()
    go_on(row)
    note()
    play(going_games(row)[0])
    note()
    go_on(row)
    note()
    assert numbers == sorted(set(numbers)), "each is greater than the one before"


@pytest.mark.django_db(transaction=True)
def test_the_stream_begins_with_the_latest_news() -> None:
    row = organised(config=Swiss(rounds=1), control=LIVE)
    entered(row, 2)
    row.refresh_from_db()

    async def first() -> str:
        asked = {"accept-encoding": "gzip"}  # compressed events would wait for the next ones
        answer: Any = await AsyncClient().get(f"/tournaments/{row.code}/events", headers=asked)
        async for piece in answer.streaming_content:
            if b"event: tournament" in piece:
                return piece.decode()
        return ""

    said = async_to_sync(first)()
    assert json.loads(said.split("data: ")[1]) == row.news > 0


@pytest.mark.django_db(transaction=True)
def test_every_page_of_a_player_hears_that_their_game_has_begun() -> None:
    row = organised(config=Swiss(rounds=1), control=LIVE)
    people = entered(row, 2)
    client = AsyncClient()
    client.cookies.update(signed_in(people[0].user).cookies)

    async def call() -> Any:
        answer: Any = await client.get("/tournaments/calls")
        async for piece in answer.streaming_content:
            if b"event: call" in piece:
                return json.loads(piece.decode().split("data: ")[1])

    assert 'data-calls="/tournaments/calls"' in text(signed_in(people[0].user).get("/about"))
    assert "data-calls" not in text(signed_in(row.organiser.user).get("/about"))
    assert async_to_sync(call)() is None
    go_on(row)
    (game,) = going_games(row)
    is_first = game.table.seats.get(number=0).guest == people[0]
    said = async_to_sync(call)()
    assert said["address"] == f"/table/{game.table.code}"
    assert said["said"] == "Your game in Autumn Cup has started: round 1."
    assert (said["left"] is not None) == is_first
    assert not is_first or START_SECONDS - 60 < said["left"] <= START_SECONDS
    own = 0 if is_first else 1
    for number, action in enumerate(("0,0", "1,1 2,2")[: own + 1]):
        entries = [("play", each) for each in action.split()]
        base = Table.objects.get().entries
        tables.add(game.table.code, entries, seat=number, base=base, key=action)
    assert async_to_sync(call)() is None, "they have had a turn"


def test_a_table_knows_its_tournament_and_where_its_players_go_on() -> None:
    row = organised(config=Swiss(rounds=2), control=LIVE)
    entered(row, 4)
    go_on(row)
    one, other = going_games(row)
    user, path = one.table.seats.get(number=0).guest.user, f"/table/{one.table.code}"
    client = signed_in(user)
    assert f'<a href="/tournaments/{row.code}">Autumn Cup</a> · Round 1' in text(client.get(path))
    play(one)
    news = Table.objects.get(pk=one.table_id).news
    html = text(client.get(path))
    assert 'id="way-on" href="/tournaments/' in html and "Round 2 starts after one more game</a>" in html
    assert 'id="rematch"' not in html
    play(other)
    go_on(row)
    assert Table.objects.get(pk=one.table_id).news > news, "whoever looks at it sees where they go on"
    mine = Table.objects.get(seats__guest=user.guest, is_over=False)
    assert f'href="/table/{mine.code}">Your next game has started</a>' in text(client.get(path))
    play_round(row)
    go_on(row)
    html = text(client.get(path))
    assert "Final standings</a>" in html and re.search(r'id="rematch" class="button"', html)


def test_leaving_asks_first_and_says_what_it_costs() -> None:
    row = organised(config=RoundRobin(), control=LIVE)
    client = signed_in(entered(row, 3)[0].user)
    path = f"/tournaments/{row.code}"
    html = text(client.get(path))
    assert "You can rejoin while the tournament is open and not full" in html and 'data-seconds="' in html
    go_on(row)
    (game,) = going_games(row)
    html = text(signed_in(game.table.seats.get(number=0).guest.user).get(path))
    asking = html[html.index('<details id="leaving"') : html.index("</details>", html.index('id="leaving"'))]
    assert "You lose your current game." in asking and "Yes, withdraw and lose the game" in asking
    assert "rejoin" in asking and f'action="{path}/leave"' in asking
    assert html.count(f'action="{path}/leave"') == 1
    assert re.search(r"Move by <time data-moment=\"\d+\">[^<]* UTC</time> or you lose", html)


def test_who_is_knocked_out_is_told_and_at_the_end_everybody_their_place() -> None:
    row = organised(config=Elimination(), control=LIVE)
    people = entered(row, 4)
    go_on(row)
    one, other = going_games(row)
    play(one)
    loser = one.table.seats.get(number=1).guest
    assert words(loser, "tournament_out").startswith("You’ve been eliminated from Autumn Cup.")
    html = text(signed_in(loser.user).get(f"/tournaments/{row.code}"))
    assert "You’re out of this tournament" in html and "You’re in." not in html
    assert "You’re in." in text(
        signed_in(one.table.seats.get(number=0).guest.user).get(f"/tournaments/{row.code}")
    )
    play(other)
    go_on(row)
    (final,) = going_games(row)
    play(final)
    go_on(row)
    assert row.state == State.OVER and Notice.objects.filter(kind="tournament_out").count() == 2
    assert words(loser, "tournament_over") == "Autumn Cup is over. Your place: 3 of 4. See who won."
    second = final.table.seats.get(number=1).guest
    assert "Your place: 2 of 4." in words(second, "tournament_over")
    assert words(row.organiser, "tournament_over") == "Autumn Cup is over. See who won."
    assert {notice.guest for notice in Notice.objects.filter(kind="tournament_won")} < set(people)
