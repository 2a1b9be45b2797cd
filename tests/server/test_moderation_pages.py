"""The moderation pages: access, content, and attacks."""

import re
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from kakomi.server.accounts import tokens
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.services import make_bot
from kakomi.server.accounts.sessions import SIGN_IN_SECONDS
from kakomi.server.chat import services as chat
from kakomi.server.moderation.models import AuditEntry, Case, ErasureRequest, Measure, Report
from kakomi.server.ratings.models import CurrentRating, Pool
from kakomi.server.site import clock
from server.people import make_user, signed_in
from server.site_walk import addresses
from server.staff import at_work, make_staff
from server.table_client import Person, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> User:
    return make_staff("staff", "moderate", "erase")


@pytest.fixture
def case() -> Case:
    return Case.objects.create(about=make_user("bob").guest, opened_at=1.8e9)


def pages_of_staff(case: Case) -> list[str]:
    """Every path under /moderation/, and the path to remove a message."""
    routes = [
        address
        for address in addresses()
        if address.route.startswith("moderation/")
        or ("messages/" in address.route and address.route.endswith("/remove"))
    ]
    values = {"number": str(case.pk), "code": "abcdefghjk"}
    found = [address.filled(values) for address in routes if set(address.parameters) <= values.keys()]
    assert len(found) == 5
    return found


def form_of(page: str, marked: str) -> dict[str, str]:
    """The hidden fields of the form that contains `marked`."""
    form = next(form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if marked in form)
    return dict(re.findall(r'type="hidden" name="(key|seen|number)" value="([^"]*)"', form))


def test_nobody_else_gets_in(staff: User, case: Case) -> None:
    user = make_user("eve")
    bot = make_bot(user, "eve-bot")
    token = tokens.make_token(user, "all", ["read", "play", "account"])[1]
    of_staff = tokens.make_token(staff, "all", ["read", "play", "account"])[1]
    plain = make_staff("plain")  # staff without moderation permissions
    intruders = [
        Client(),
        Person("Guest").client,
        signed_in(user),
        signed_in(bot),
        at_work(plain),
        Client(headers={"Authorization": f"Bearer {token}"}),
        Client(headers={"Authorization": f"Bearer {of_staff}"}),
    ]
    form = {"kind": "mute", "days": "3", "reason": "revenge", "key": "k", "seen": "1"}
    for client in intruders:
        for address in pages_of_staff(case):
            for answer in (client.get(address), client.post(address, form)):
                assert answer.status_code in (404, 405), address
                assert not re.search(rb"\bbob\b", answer.content, re.IGNORECASE)
    assert (
        not Measure.objects.exists()
        and not AuditEntry.objects.exists()
        and not ErasureRequest.objects.exists()
    )


def test_who_moderates_may_not_erase(case: Case) -> None:
    client = at_work(make_staff("half", "moderate"))
    assert "Request deletion" not in client.get(f"/moderation/case/{case.pk}").content.decode()
    answer = client.post(f"/moderation/case/{case.pk}/erasure", {"kind": "ask", "reason": "x", "key": "k"})
    assert answer.status_code == 404 and not ErasureRequest.objects.exists()


def test_staff_show_again_who_they_are(staff: User, case: Case) -> None:
    client = at_work(staff, SIGN_IN_SECONDS + 60)
    answer: Any = client.post(
        f"/moderation/case/{case.pk}", {"kind": "close", "reason": "x", "key": "k", "seen": "1"}
    )
    assert answer.status_code == 302 and answer.url.startswith("/account/again?next=%2Fmoderation%2F")
    assert not AuditEntry.objects.exists()


def test_who_is_no_longer_staff_is_out_at_once(staff: User, case: Case) -> None:
    client = at_work(staff)
    assert client.get("/moderation/").status_code == 200
    staff.is_staff = False
    staff.save()
    assert client.get("/moderation/").status_code == 404


def test_another_site_cannot_have_staff_decide(staff: User, case: Case) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.cookies = at_work(staff).cookies
    form = {"kind": "mute", "days": "3", "reason": "x", "key": "k", "seen": "1"}
    assert careful.post(f"/moderation/case/{case.pk}", form).status_code == 403
    assert careful.post(f"/moderation/case/{case.pk}/erasure", {**form, "kind": "ask"}).status_code == 403
    assert not Measure.objects.exists()


def test_the_queue_names_each_report_and_a_case_removes_the_message(staff: User) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=4)
    texts = ("You fool", "Go away")
    made = [chat.write_message(row, bob.guest, text, str(number)) for number, text in enumerate(texts)]
    with clock.time_from(lambda: time.time() - 3 * 86400 - 60):
        for message in made:
            address = f"/table/{row.code}/messages/{message.pk}"
            assert (
                ann.client.post(address, {"kind": "chat", "text": f"about {message.pk}"}).status_code == 200
            )
    client, case = at_work(staff), Case.objects.get()
    assert Report.objects.count() == 2, "each message is reported"
    queue = client.get("/moderation/").content.decode()
    assert queue.count("Insults, threats or spam in messages") == 2
    assert "3\xa0days" in queue and f"about {made[0].pk}" in queue and "You fool" in queue
    address = f"/moderation/case/{case.pk}"
    page = client.get(address).content.decode()
    remove = f"/table/{row.code}/messages/{made[0].pk}/remove"
    assert f'action="{remove}"' in page and f'action="/table/{row.code}/messages/{made[1].pk}/remove"' in page
    answer = client.post(remove, form_of(page, remove) | {"case": str(case.pk), "reason": "an insult"})
    assert (answer.status_code, answer["Location"]) == (302, address)
    made[0].refresh_from_db()
    page = client.get(address).content.decode()
    assert made[0].text == "" and f'action="{remove}"' not in page and "Message removed" in page


def test_a_case_from_its_report_to_its_end(staff: User) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=4)
    page = ann.look(row)
    assert f"/report/table/{row.code}/1" in page and f"/report/table/{row.code}/0" not in page
    assert "/report/table/" not in Person("Cleo").look(row)  # spectators
    sent = ann.client.post(f"/report/table/{row.code}/1", {"kind": "conduct", "text": "<b>stalls</b>"})
    assert "Report sent" in sent.content.decode()
    client, case = at_work(staff), Case.objects.get()
    queue = client.get("/moderation/").content.decode()
    assert "Reported by 1 person." in queue and f"/moderation/case/{case.pk}" in queue
    page = client.get(f"/moderation/case/{case.pk}").content.decode()
    assert "&lt;b&gt;stalls&lt;/b&gt;" in page and row.code in page
    form = form_of(page, 'value="suspend"') | {
        "kind": "suspend",
        "days": "7",
        "reason": "stalled in five games",
    }
    for _ in range(2):  # a double click
        assert client.post(f"/moderation/case/{case.pk}", form).status_code == 302
    assert Measure.objects.count() == 1
    stale = client.post(f"/moderation/case/{case.pk}", form | {"key": "another", "kind": "mute"})
    assert stale.status_code == 409 and "has changed since" in stale.content.decode()
    stale = client.post(f"/moderation/case/{case.pk}", form | {"kind": "mute"})  # the old form, changed
    assert stale.status_code == 409 and "has changed since" in stale.content.decode()
    page = client.get(f"/moderation/case/{case.pk}").content.decode()
    form = form_of(page, 'value="close"') | {"kind": "close", "reason": "done"}
    assert client.post(f"/moderation/case/{case.pk}", form).status_code == 302
    assert "Nothing to do." in client.get("/moderation/").content.decode()
    assert "Open since" not in client.get(f"/moderation/case/{case.pk}").content.decode()
    log = client.get("/moderation/log", {"act": "suspension"}).content.decode()
    assert "stalled in five games" in log and ">done<" not in log
    assert "action taken" in ann.client.get("/me/standing").content.decode()
    told = bob.client.get("/me/standing").content.decode()
    assert "stalled in five games" in told and "Ends automatically" in told and "Ann" not in told
    bell = bob.client.get("/notices/").content.decode()
    assert "You’ve been suspended." in bell


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": "mute", "days": "3"},
        {"kind": "mute", "days": "0", "reason": "x"},
        {"kind": "mute", "days": "9999999", "reason": "x"},
        {"kind": "mute", "days": "²", "reason": "x"},
        {"kind": "dance", "reason": "x"},
        {"kind": "mute", "days": "3", "reason": "x" * 501},
        {"kind": "annul", "code": "nosuchcode", "reason": "x"},
        {"kind": "lift", "number": "9" * 18, "reason": "x"},
    ],
)
def test_what_is_missing_is_said(staff: User, case: Case, form: dict[str, str]) -> None:
    whole = {"key": "k", "seen": "1", **form}
    answer = at_work(staff).post(f"/moderation/case/{case.pk}", whole)
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert not Measure.objects.exists() and not AuditEntry.objects.exists()


def test_ones_own_case_can_only_be_read(staff: User) -> None:
    case, client = Case.objects.create(about=staff.guest, opened_at=1.8e9), at_work(staff)
    page = client.get(f"/moderation/case/{case.pk}").content.decode()
    assert "Another moderator has to decide" in page and 'value="close"' not in page
    form = {"kind": "close", "reason": "x", "key": "k", "seen": "1"}
    assert client.post(f"/moderation/case/{case.pk}", form).status_code == 422


def test_an_erasure_on_the_pages(staff: User, case: Case) -> None:
    client, address = at_work(staff), f"/moderation/case/{case.pk}"
    page = client.get(address).content.decode()
    form = form_of(page, 'value="ask"') | {"kind": "ask", "reason": "asked by mail"}
    assert client.post(f"{address}/erasure", form).status_code == 302
    page = client.get(address).content.decode()
    assert "Requested by" in page and 'value="confirm"' not in page
    assert client.post(f"{address}/erasure", {"kind": "confirm", "key": "own"}).status_code == 422
    cleo = at_work(make_staff("cleo", "moderate", "erase"))
    assert "1 account deletion needs a second moderator" in cleo.get("/moderation/").content.decode()
    form = form_of(cleo.get(address).content.decode(), 'value="confirm"') | {"kind": "confirm"}
    assert cleo.post(f"{address}/erasure", form).status_code == 302
    assert Guest.objects.get(pk=case.about_id).is_erased
    assert cleo.get(address).status_code == 404


def test_an_appeal_on_the_page(staff: User, case: Case) -> None:
    measure = Measure.objects.create(
        about=case.about, case=case, kind="mute", reason="rude", at=1.8e9, until=4e9
    )
    bob = signed_in(User.objects.get(username="bob"))
    assert bob.post("/me/standing", {"number": "x", "text": "why?"}).status_code == 422
    assert bob.post("/me/standing", {"number": str(measure.pk), "text": "I was kind"}).status_code == 302
    assert "Your appeal: I was kind" in bob.get("/me/standing").content.decode()
    eve = Person("Eve")
    assert eve.client.post("/me/standing", {"number": str(measure.pk), "text": "me too"}).status_code == 422
    page = at_work(staff).get(f"/moderation/case/{case.pk}").content.decode()
    assert "I was kind" in page and 'value="grant"' in page
    assert "Appeal pending" in at_work(staff).get("/moderation/").content.decode()


def test_staff_open_a_case(staff: User) -> None:
    make_user("bob")
    client = at_work(staff)
    key = form_of(client.get("/moderation/").content.decode(), 'name="handle"')
    wrong = client.post("/moderation/", {**key, "handle": "nobody", "reason": "x"})
    assert wrong.status_code == 422 and "There is no player with this name." in wrong.content.decode()
    for _ in range(2):
        answer: Any = client.post("/moderation/", {**key, "handle": "@Bob", "reason": "a mail"})
        assert answer.url == f"/moderation/case/{Case.objects.get().pk}"
    assert AuditEntry.objects.get().act == "open"


def test_reports_of_people_on_their_pages(case: Case) -> None:
    ann = make_user("ann")
    client = signed_in(ann)
    assert "/report/person/bob" in client.get("/@bob").content.decode()
    assert "/report/person/bob" not in Client().get("/@bob").content.decode()
    assert client.post("/report/person/bob", {"kind": "name"}).status_code == 200
    assert client.post("/report/person/bob", {"kind": "silly"}).status_code == 422
    assert client.get("/report/person/ann").content.decode().count('role="alert"') == 1
    assert Report.objects.count() == 1
    assert Client().get("/report/person/nobody").status_code == 404
    assert "Without an account" in Client().get("/report/person/bob").content.decode()


def test_who_begins_no_rated_games_after_time_outs_reads_why_and_until_when() -> None:
    user, other = make_user("ann"), make_user("bob")
    pool = Pool.objects.create(game="rin", size_class="standard", pace="days")
    ended = clock.now() - 86_400
    series = {"mean": 1500.0, "sigma": 200.0, "games": 5, "at": ended}
    CurrentRating.objects.create(pool=pool, guest=user.guest, time_outs=3, **series)
    CurrentRating.objects.create(pool=pool, guest=other.guest, time_outs=2, **series)
    html = signed_in(user).get("/me/standing").content.decode()
    assert "You timed out in 3 games in a row" in html and "active" in html
    until = datetime.fromtimestamp(ended + 14 * 86_400, UTC)
    assert f'datetime="{until:%Y-%m-%dT%H:%M:%S}' in html and "No actions" not in html
    assert "No actions on your account." in signed_in(other).get("/me/standing").content.decode()
    with clock.time_from(lambda: ended + 15 * 86_400):
        assert "No actions on your account." in signed_in(user).get("/me/standing").content.decode()


def test_empty_pages_say_so(staff: User) -> None:
    client = at_work(staff)
    assert "Nothing to do." in client.get("/moderation/").content.decode()
    assert "No entries." in client.get("/moderation/log?by=nobody").content.decode()
    assert "No actions on your account." in client.get("/me/standing").content.decode()
    assert "You haven’t reported anyone." in Client().get("/me/standing").content.decode()


def test_only_staff_are_led_there(staff: User) -> None:
    assert 'href="/moderation/"' in at_work(staff).get("/me").content.decode()
    assert 'href="/moderation/"' not in signed_in(make_user("bob")).get("/me").content.decode()
