"""Live tournaments: rounds follow at once, nobody drags them, and who isn't there is out."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client

from kakomi.contest.tournament import Elimination, RoundRobin, Swiss, Tables
from kakomi.server import clock
from kakomi.server.operations.periodic_jobs import run_job
from kakomi.server.tables import services as tables
from kakomi.server.tables.selectors import table_of
from kakomi.server.tournaments import logs, news, services
from kakomi.server.tournaments.models import Entrant, Round, Tournament
from kakomi.server.tournaments.timing import START_SECONDS, live_round_seconds, round_seconds
from kakomi.session import Refused, TimeControl
from server.people import make_user, signed_in
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
    start = clock.now()
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
    Round.objects.update(ends_at=clock.now() - 1)  # though its clocks would go on
    run_job(LATE)
    go_on(row)
    assert row.state == State.OVER


def test_live_tournaments_and_rounds_of_days_do_not_go_together() -> None:
    guest = make_user("ada").guest
    for wanted, said in (
        (asked_for(control=LIVE, round_days=30), "lengths of a round"),
        (asked_for(control=DAYS, round_days=0), "lengths of a round"),
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
    assert "lasts 13 minutes at most" in html and "within 3 min" in html


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
    assert f'data-own-game="{game.table.code}"' in html and "Your game has begun." in html
    assert "data-own-game" not in text(Client().get(f"/tournaments/{row.code}/live"))
    assert "<html" not in html and Client().get("/tournaments/nosuch/live").status_code == 404


def test_whatever_changes_is_news() -> None:
    row = organised(config=Swiss(rounds=1), control=LIVE)
    numbers = []

    def note() -> None:
        numbers.append(news.latest_news([news.topic_of(row.code), "lobby"])[news.topic_of(row.code)])

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
        answer: Any = await AsyncClient().get(f"/tournaments/{row.code}/events")
        async for piece in answer.streaming_content:
            if b"event: tournament" in piece:
                return piece.decode()
        return ""

    said = async_to_sync(first)()
    assert json.loads(said.split("data: ")[1]) == row.news > 0
