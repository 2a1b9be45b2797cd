"""Digests: when they are sent, to whom, their content, and how they are stopped."""

import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import translation

from kakomi.server.accounts.models import Guest, User
from kakomi.server.notices import jobs
from kakomi.server.notices.kinds import KINDS
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.preferences import after_quiet, mail_moment, save_preference
from kakomi.server.notices.receivers import on_sign_in, on_time_running_out
from kakomi.server.notices.services import notify
from kakomi.server.site import clock
from kakomi.server.tables.services import Sitter
from server.mail_sink import Sink, plain
from server.test_notices import act, begun, people

pytestmark = pytest.mark.django_db


@pytest.fixture
def later() -> Iterator[Callable[[float], None]]:
    """A function that lets time pass and then runs the mail jobs."""
    passed = [time.time()]

    def wait(seconds: float) -> None:
        passed[0] += seconds
        jobs.write_digests()
        jobs.send_mail()

    with clock.time_from(lambda: passed[0]):
        yield wait


def ada_with_mail(pace: str = "hour", **wishes: Any) -> Guest:
    (ada,) = people("Ada")
    user = User.objects.create(guest=ada, username="ada", email="ada@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    Mailing.objects.create(guest=ada, pace=pace, **wishes)
    return ada


def test_a_mail_comes_only_if_it_is_still_your_turn(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail(), people("Eve")
    acted, waiting = (begun(Sitter(ada), Sitter(eve)) for _ in range(2))
    later(3000)
    assert not sink.mails, "an hour has not passed"
    act(acted, "play", "1,1", seat=0)
    later(700)
    (mail,) = sink.mails
    assert mail["Subject"] == "Your turn: Rin, against Eve."
    assert f"/table/{waiting.code}" in plain(mail) and acted.code not in plain(mail)
    later(100_000)
    assert len(sink.mails) == 1, "it is said once"


def test_several_games_make_one_mail_with_their_boards(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail(), people("Eve")
    for _ in range(3):
        begun(Sitter(ada), Sitter(eve))
    later(4000)
    (mail,) = sink.mails
    assert mail["Subject"] == "Still your turn in 3 games"
    text = plain(mail)
    assert (
        text.count("/table/") == 3
        and max(map(len, (line for line in text.splitlines() if "://" not in line))) <= 72
    )
    assert plain(mail, "text/html").count("<pre") == 3
    assert mail["Auto-Submitted"] == "auto-generated"


def test_the_board_of_a_table_is_drawn_once(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail(), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    notify(ada, "plan_ended", f"{row.pk}", table=row)
    later(4000)
    (mail,) = sink.mails
    assert plain(mail).count("/table/") == 2
    assert plain(mail, "text/html").count("<pre") == 1


def test_who_has_acted_between_writing_and_sending_gets_none(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail("now"), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    with clock.time_from(lambda: time.time() + 500):
        jobs.write_digests()
        assert Delivery.objects.get().state == "waiting"
        act(row, "play", "1,1", seat=0)
        jobs.send_mail()
    assert Delivery.objects.get().state == "dropped" and not sink.mails


def test_one_s_next_turn_is_mailed_again(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail("now"), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    later(200)
    act(row, "play", "1,1", seat=0)
    act(row, "play", "2,2 3,3", seat=1)
    later(200)
    assert len(sink.mails) == 2


def test_a_mail_is_written_once_however_many_write(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail("now"), people("Eve")
    begun(Sitter(ada), Sitter(eve))
    later(200)
    jobs.write_digests()
    later(0)
    assert len(sink.mails) == 1 and Mailing.objects.get().written == 1


def test_what_is_urgent_waits_for_nothing(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail("day", quiet_from=0, quiet_to=23), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    on_time_running_out(row, 0)
    on_time_running_out(row, 0)
    later(1)
    (mail,) = sink.mails
    assert plain(mail).count("Time is running out") == 1


def test_time_that_ran_out_for_a_turn_that_is_over_is_not_mailed(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail("day"), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    on_time_running_out(row, 0)
    jobs.write_digests()
    act(row, "play", "1,1", seat=0)
    later(1)
    assert not sink.mails and Delivery.objects.get().state == "dropped"


@pytest.mark.parametrize("reason", ["off", "no address", "kind", "read", "guest"])
def test_who_wants_no_mail_gets_none(reason: str, sink: Sink, later: Callable[[float], None]):
    ada = ada_with_mail("off" if reason == "off" else "now")
    if reason == "no address":
        EmailAddress.objects.update(verified=False)
    if reason == "guest":
        User.objects.all().delete()
    if reason == "kind":
        save_preference(ada, "rest_ended", "mail", is_on=False)
    notify(ada, "rest_ended", "1")
    if reason == "read":
        Notice.objects.update(read_at=1.0)
    later(10_000)
    assert not sink.mails and not Delivery.objects.exists()


def test_mail_speaks_its_reader_s_language(sink: Sink, later: Callable[[float], None]):
    notify(ada_with_mail("now", language="de"), "rest_ended", "1")
    later(1000)
    assert "Dein Urlaub ist zu Ende" in plain(sink.mails[0])


def test_an_address_that_is_refused_is_mailed_no_more_and_the_page_says_so(
    sink: Sink, later: Callable[[float], None]
):
    ada = ada_with_mail("now")
    sink.answers = ["550 no such user"] * 9
    for number in range(7):
        notify(ada, "rest_ended", str(number))
        later(1000)
    assert Mailing.objects.get().pace == "off"
    assert Notice.objects.get(kind="endpoint_off").data["count"] == 5  # type: ignore[index]


def test_one_click_stops_it_signed_out(sink: Sink, later: Callable[[float], None]):
    notify(ada_with_mail("now"), "rest_ended", "1")
    Mailing.objects.update(plays_by_mail=True)
    later(1000)
    (mail,) = sink.mails
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = re.search(r"<https?://[^/]+(/notices/off/[^>]+)>", mail["List-Unsubscribe"].replace("\n", ""))
    assert link
    program = Client(enforce_csrf_checks=True)
    path = link[1].replace(" ", "")
    assert b"ada@example.org" in program.get(path).content
    assert Mailing.objects.get().pace == "now", "looking changes nothing"
    assert program.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    mailing = Mailing.objects.get()
    assert mailing.pace == "off" and not mailing.plays_by_mail
    assert program.post("/notices/off/forged").status_code == 404


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


BERLINER = Guest(zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("wishes", "first", "last", "expected"),
    [
        ({"pace": "hour"}, "2026-01-01 10:00", "2026-01-01 00:00", "2026-01-01 11:00"),
        ({"pace": "hour"}, "2026-01-01 10:00", "2026-01-01 10:30", "2026-01-01 11:30"),
        (
            {"pace": "day", "hour": 18, "guest": BERLINER},
            "2026-01-01 10:00",
            "2025-12-31 17:00",
            "2026-01-01 17:00",
        ),
        (
            {"pace": "day", "hour": 18, "guest": BERLINER},
            "2026-07-01 16:00",
            "2026-06-30 16:00",
            "2026-07-02 16:00",
        ),
        (
            {"pace": "hour", "quiet_from": 22, "quiet_to": 7},
            "2026-01-01 22:30",
            "2026-01-01 00:00",
            "2026-01-02 07:00",
        ),
        (
            {"pace": "now", "quiet_from": 0, "quiet_to": 7},
            "2026-01-01 03:00",
            "2026-01-01 00:00",
            "2026-01-01 07:00",
        ),
    ],
)
def test_mail_comes_at_one_s_pace_and_hour(wishes: dict[str, Any], first: str, last: str, expected: str):
    mailing = Mailing(**{"guest": Guest(), "written_at": at(last), **wishes})
    assert mail_moment(mailing, at(first)) == at(expected)


def test_a_day_with_a_change_of_clocks_has_its_hour():
    berlin = Mailing(pace="day", hour=2, guest=BERLINER)
    assert mail_moment(berlin, at("2026-03-28 12:00")) == at("2026-03-29 01:00"), "02:00 that there is not"
    assert after_quiet(Mailing(quiet_from=3, quiet_to=3), 5.0) == 5.0


def test_every_kind_can_be_mailed(sink: Sink, later: Callable[[float], None]):
    ada, (eve,) = ada_with_mail("now"), people("Eve")
    row = begun(Sitter(ada), Sitter(eve))
    row.seats.update(share=0.5)
    data = {
        "name": "Eve",
        "title": "Rin",
        "label": "x",
        "count": 1,
        "reason": "y",
        "ending": "rules",
        "losers": [],
        "until": 1.8e9,
        "days": 2.0,
        "tournament": "Autumn",
        "round": 1,
        "words": "z",
        "titles": "Rin",
        "place": 2,
        "number": 7,
    }
    for kind in KINDS:
        notify(ada, kind, "1", data, table=row)
        save_preference(ada, kind, "mail", is_on=True)
    later(1000)
    assert plain(sink.mails[0]).count("/table/") == len(KINDS) + 1


def test_who_signs_in_is_mailed_in_the_language_of_their_browser(rf: Any):
    ada = ada_with_mail()
    with translation.override("de"):
        on_sign_in(rf.get("/"), ada.user)  # type: ignore[attr-defined]
    assert Mailing.objects.get(guest=ada).language == "de"
