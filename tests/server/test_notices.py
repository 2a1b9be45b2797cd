"""Notices about games, and the bell."""

import time
from typing import Any, get_args

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.notices import services as notices
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.services import notify
from kakomi.server.site import clock
from kakomi.server.tables import models, services
from kakomi.server.tables import selectors as table_selectors
from kakomi.server.tables.services import Sitter
from kakomi.server.tables.vacations import RegularTimeOff, choose_time_off
from kakomi.server.tables.wording import reason_in_words
from kakomi.session import MatchConfig, TimeControl
from kakomi.session.match_game import Reason
from kakomi.session.time_control import DAY

pytestmark = pytest.mark.django_db


def begun(*sitters: Sitter, game: str = "rin", **options: Any) -> models.Table:
    return services.begin(MatchConfig(catalog.game(game, **(options or {"size": 4}))), sitters)


def act(row: models.Table, kind: str, value: str | None = None, *, seat: int) -> models.Table:
    row.refresh_from_db()
    return services.add(row.code, [(kind, value)], seat=seat, base=row.entries, key=f"k{row.entries}").row


def people(*names: str) -> list[Guest]:
    return [Guest.objects.create(name=name) for name in names]


def told(guest: Guest) -> list[str]:
    return [NoticeView(notice).words for notice in notices.latest(guest)]


def known(client: Client, name: str = "Ada") -> Guest:
    client.post("/me/preferences", {"name": name})
    return Guest.objects.get(name=name)


def test_whose_turn_it_is_is_told_once_and_no_longer_when_they_have_acted():
    ada, eve = people("Ada", "Eve")
    row = begun(Sitter(ada), Sitter(eve))
    assert told(ada) == ["Your turn: Rin, against Eve."] and not told(eve)
    act(row, "play", "1,1", seat=0)
    assert not told(ada) and told(eve) == ["Your turn: Rin, against Ada."]
    act(row, "play", "2,2 3,3", seat=1)
    assert Notice.objects.get().guest == ada, "never one for every move"


def test_a_turn_that_was_looked_at_still_waits(client: Client):
    ada, (eve,) = known(client), people("Eve")
    begun(Sitter(ada), Sitter(eve))
    assert client.get(f"/notices/{Notice.objects.get().pk}").status_code == 302
    client.post("/notices/seen")
    assert client.get("/notices/count").json()["count"] == 1


def test_games_without_a_second_person_tell_nothing():
    (ada,) = people("Ada")
    begun(Sitter(ada), Sitter(bot="1"))
    act(begun(Sitter(ada), Sitter(ada)), "play", "1,1", seat=0)
    begun(Sitter(ada), Sitter())
    assert not Notice.objects.exists()


def test_a_bots_turn_is_nobodys():
    ada, eve = people("Ada", "Eve")
    row = begun(Sitter(ada), Sitter(bot="1"), Sitter(eve), game="rings", size=3, players=3)
    table = table_selectors.table_of(row)
    first = table.match.position.game.action_texts[table.match.position.legal_actions()[0]]
    act(row, "play", first, seat=0)
    assert not Notice.objects.exists()


def test_who_sits_down_is_told_to_the_others_and_the_game_begins():
    ada, eve = people("Ada", "Eve")
    row = begun(Sitter(), Sitter(ada))
    services.sit_down(row.seats.get(number=0), eve)
    assert told(ada) == ["Someone joined your game: Rin, against Eve."]
    assert told(eve) == ["Your turn: Rin, against Ada."]


def test_an_ending_is_told_with_its_reason_to_who_did_not_make_it():
    ada, eve = people("Ada", "Eve")
    row = begun(Sitter(ada), Sitter(eve))
    act(row, "resign", seat=0)
    assert not told(ada)
    assert told(eve) == ["Rin, against Ada, is over: you won. Ada resigned."]


def test_who_runs_out_of_time_in_a_game_of_three_is_told():
    ada, eve, joe = people("Ada", "Eve", "Joe")
    terms = MatchConfig(catalog.game("rings", size=3, players=3))
    row = services.begin(terms, [Sitter(each) for each in (ada, eve, joe)], TimeControl(DAY, kind="days"))
    actions = table_selectors.table_of(row).match.position.legal()
    for seat in range(3):
        act(row, "play", actions[seat], seat=seat)
    choose_time_off(ada, RegularTimeOff(is_automatic=False))
    with clock.time_from(lambda: time.time() + DAY + 1):
        services.settle(row.code)
        services.settle(row.code)
    says = "You ran out of time in Rings, against Eve, Joe. The others play on without you."
    assert told(ada) == [says]
    assert "Your turn: Rings, against Ada, Joe." in told(eve) and len(told(eve)) == 2
    for guest, others in ((eve, "Ada, Joe"), (joe, "Ada, Eve")):
        says = f"Rings, against {others}, continues without one player. Ada ran out of time. "
        assert any(words.startswith(says) for words in told(guest))


def test_every_reason_has_words():
    assert all(
        reason_in_words(kind, ["Ada"], is_you=is_you) for kind in get_args(Reason) for is_you in (0, 1)
    )


def test_an_offer_is_told_to_who_is_asked():
    ada, eve = people("Ada", "Eve")
    row = begun(Sitter(ada), Sitter(eve))
    act(row, "offer", "draw", seat=0)
    assert any("You have an offer" in words for words in told(eve))
    act(row, "accept", seat=1)
    assert "Rin, against Eve, is over: a draw. Draw by agreement." in told(ada)


def test_the_same_thing_is_told_once():
    ada, eve = people("Ada", "Eve")
    data = {"title": "Rin", "address": "/lobby"}
    assert notify(ada, "challenge", "17", data, about=eve)
    assert not notify(ada, "challenge", "17", data, about=eve)
    notice = NoticeView(Notice.objects.get())
    assert (notice.words, notice.address) == ("Eve challenges you to Rin.", "/lobby")


@pytest.mark.parametrize(("kind", "data"), [("surprise", {}), ("challenge", {"title": "Rin"})])
def test_a_notice_that_nobody_could_read_is_refused(kind: str, data: dict[str, str]):
    (ada,) = people("Ada")
    with pytest.raises(ValueError, match="there is no notice"):
        notify(ada, kind, "1", data)
    assert not Notice.objects.exists()


def test_every_kind_has_words():
    values = dict.fromkeys(
        (
            "game",
            "opponents",
            "result",
            "reason",
            "name",
            "title",
            "label",
            "count",
            "until",
            "days",
            "deadline",
            "words",
            "titles",
            "tournament",
            "round",
            "place",
            "number",
        ),
        "x",
    )
    assert all(kind.words(values) for kind in KINDS.values())


def test_the_page_of_notices_is_read_by_its_guest_alone(client: Client):
    ada, (eve,) = known(client), people("Eve")
    Guest.objects.filter(pk=eve.pk).update(name="Eve <i>")
    notify(ada, "challenge", "1", {"title": "Rin"}, about=Guest.objects.get(pk=eve.pk))
    notify(eve, "rest_ended", "1")
    html = client.get("/notices/").content.decode()
    assert "just now" in html and "ago<" not in html
    Notice.objects.update(at=F("at") - 60)
    assert "1\xa0minute ago<" in client.get("/notices/").content.decode()
    assert "Eve &lt;i&gt; challenges you" in html and "rest" not in html
    assert 'class="bell-count">1<' in html
    assert client.get(f"/notices/{Notice.objects.get(guest=eve).pk}").status_code == 404
    client.post("/notices/seen")
    assert 'class="bell-count" hidden' in client.get("/notices/").content.decode()


def test_the_bell_looks_through_no_other_people_s_notices() -> None:
    guest = Guest.objects.create(name="Ada")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # which would scan a table of few rows
            cursor.execute("SET LOCAL enable_seqscan = off")
    plan = notices.unread(guest).values_list("pk")[: notices.COUNTED].explain()
    assert "notices_unread" in plan or "notices_of_guest" in plan, plan


def test_the_bell_costs_strangers_nothing_and_others_one_question(client: Client):
    with CaptureQueriesContext(connection) as before:
        assert b"bell" not in client.get("/about").content
    known(client)
    with CaptureQueriesContext(connection) as after:
        assert b"bell" in client.get("/about").content
    assert (len(before), len(after)) == (0, 2)


def test_what_happens_at_a_table_counts_as_seen_by_who_looks_at_it(client: Client):
    ada, (eve,) = known(client), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    act(row, "play", "1,1", seat=0)
    act(row, "resign", seat=1)
    assert client.get(f"/notices/count?table={row.code}").json() == {"count": 1, "here": 1}
    client.post("/notices/seen", {"table": row.code})
    assert client.get("/notices/count").json()["count"] == 0


def test_an_action_costs_one_statement_more():
    ada, eve = people("Ada", "Eve")
    row = begun(Sitter(ada), Sitter(eve))
    with CaptureQueriesContext(connection) as queries, clock.time_from(lambda: 5.0):
        act(row, "play", "1,1", seat=0)
    assert sum("notices" in query["sql"] for query in queries) == 1
