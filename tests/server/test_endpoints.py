"""Push: signed, encrypted, bounded, and of its owner alone."""

import json
import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from django.contrib.auth.hashers import make_password
from django.db.models import F
from django.test import Client
from django.utils import timezone

from kakomi.server.accounts import adapters, services
from kakomi.server.accounts.models import Guest, SignIn, User
from kakomi.server.accounts.sessions import drop_old_sign_ins
from kakomi.server.notices import jobs, mail, push
from kakomi.server.notices.kinds import GROUPS, KINDS
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice, Preference
from kakomi.server.notices.outbox import RejectedError, SendError, enqueue
from kakomi.server.notices.preferences import AWAY, preferences_of, save_preference
from kakomi.server.notices.services import notify
from kakomi.server.site import clock
from kakomi.server.site import configuration as configurations
from kakomi.server.tables.services import Sitter
from server.people import make_user, signed_in
from server.posted import program
from server.push_agent import UserAgent, claims_of, decoded
from server.test_notices import act, begun, known, people

pytestmark = pytest.mark.django_db


@contextmanager
def answering(answer: Callable[[Any], None]) -> Iterator[str]:
    """A server that answers in its own way, and its address."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            try:
                answer(self.request)
            except OSError:
                return

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def create_push_deliveries() -> None:
    jobs.create_push_deliveries()
    jobs.send_push()


def browser_keys() -> tuple[str, str]:
    keys = UserAgent().keys
    return keys["p256dh"], keys["auth"]


def add_browser(guest: Guest, url: str = "https://push.example/abc", label: str = "phone") -> Endpoint:
    return push.add_browser(guest, url, *browser_keys(), label)


def test_kinds_are_switched_off_one_by_one(pushed: list[Any]):
    ada = people("Ada")[0]
    agent = UserAgent()
    push.add_browser(ada, "https://push.example/abc", agent.keys["p256dh"], agent.keys["auth"], "")
    save_preference(ada, "rest_ended", "push", is_on=False)
    notify(ada, "rest_ended", "1")
    notify(ada, "rest_ending", "1")
    create_push_deliveries()
    assert [json.loads(agent.read(body))["kind"] for _, body, _ in pushed] == ["rest_ending"]


@pytest.mark.parametrize("status", [302, 413, 500])
def test_what_is_not_taken_is_tried_again_and_no_redirect_followed(status: int):
    (ada,) = people("Ada")
    passed = [time.time()]
    with program() as (received, url), clock.time_from(lambda: passed[0]):
        received.statuses = [status]
        add_browser(ada, url)
        notify(ada, "rest_ended", "1")
        create_push_deliveries()
        assert Delivery.objects.get().error == f"it answered {status}"
        passed[0] += 60
        create_push_deliveries()
    assert len(received.posts) == 2 and Delivery.objects.get().state == "sent"
    assert Endpoint.objects.get().used_at and not Endpoint.objects.get().failures


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_switched_off(status: int):
    (ada,) = people("Ada")
    with program() as (received, url):
        received.statuses = [status]
        add_browser(ada, url)
        notify(ada, "rest_ended", "1")
        create_push_deliveries()
    assert not Endpoint.objects.get().is_on and Notice.objects.filter(kind="endpoint_off").exists()


def flood(request: Any) -> None:
    request.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
    while True:
        request.sendall(b"x" * 65536)


def flood_headers(request: Any) -> None:
    request.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        request.sendall(b"X: " + b"x" * 1000 + b"\r\n")


def drip(request: Any) -> None:
    while True:
        request.sendall(b"H")
        time.sleep(0.05)


def hang(request: Any) -> None:
    request.recv(1)
    time.sleep(5)


def test_a_flood_is_not_read():
    with answering(flood) as url:
        assert push.guarded_post(url, b"{}", {}, is_local=True) == 200


@pytest.mark.parametrize("answer", [flood_headers, drip, hang])
def test_an_answer_that_does_not_end_is_broken_off(
    answer: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(push, "TIMEOUT", 0.3)
    monkeypatch.setattr(push, "DEADLINE", 0.6)
    with answering(answer) as url, pytest.raises(SendError):
        push.guarded_post(url, b"{}", {}, is_local=True)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "224.0.0.1", "100.64.0.1"),
        *("::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fe80::1%eth0", "2002:7f00:1::"),
    ],
)
def test_private_networks_are_no_place_to_post_to(address: str):
    assert not push.is_public(address)


def test_a_public_site_posts_nowhere_near(monkeypatch: pytest.MonkeyPatch):
    with program() as (received, url):
        monkeypatch.setattr(push, "check_url", lambda url, is_local: urlsplit(url))
        with pytest.raises(RejectedError, match="private network"):
            push.guarded_post(url, b"{}", {}, is_local=False)
        assert not received.posts
    assert push.is_public("93.184.216.34") and push.is_public("2606:2800:220:1::1")


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "ftp://example.org/", "https://", "https://u:p@example.org/", "https://x:port/"),
        *("https://example.org/a b", "https://example.org/\n", "http://example.org/", "https://[::1"),
    ],
)
def test_an_address_that_is_none_is_refused_in_a_sentence(url: str):
    with pytest.raises(ValueError, match=r"such as https://example\.org"):
        push.check_url(url, is_local=False)


def test_a_browser_is_tried_and_removed_by_its_owner_alone(client: Client, pushed: list[Any]):
    browser = add_browser(known(client))
    for _ in range(2):
        client.post(f"/notices/endpoints/{browser.pk}", {"do": "test"})
    jobs.send_push()
    assert len(pushed) == 1, "one a minute"
    assert "phone" in client.get("/notices/preferences").content.decode()
    stranger = Client()
    known(stranger, "Eve")
    for wish in ("test", "remove", "on"):
        assert stranger.post(f"/notices/endpoints/{browser.pk}", {"do": wish}).status_code == 404
    assert client.post(f"/notices/endpoints/{browser.pk}", {"do": "remove"}).status_code == 302
    assert not Endpoint.objects.exists()


def test_nobody_has_more_browsers_than_a_few():
    (ada,) = people("Ada")
    for number in range(push.MOST_BROWSERS):
        add_browser(ada, f"https://push.example/{number}")
    with pytest.raises(ValueError, match="Remove one first"):
        add_browser(ada, "https://push.example/more")


@pytest.fixture
def pushed(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> list[tuple[str, bytes, dict[str, str]]]:
    posts: list[tuple[str, bytes, dict[str, str]]] = []

    def post(url: str, body: bytes, headers: dict[str, str], *, is_local: bool) -> int:
        posts.append((url, body, headers))
        return 201

    monkeypatch.setattr(push, "guarded_post", post)
    return posts


def test_the_browser_of_these_tests_reads_the_example_of_the_standard():
    """RFC 8291, section 5."""
    private = derive_private_key(
        int.from_bytes(decoded("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")), SECP256R1()
    )
    agent = UserAgent(private, decoded("BTBZMqHH6r4Tts7J_aSIgg"))
    sent = (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert agent.read(decoded(sent)) == b"When I grow up, I want to be a watermelon"


def test_a_turn_is_pushed_to_the_browser_alone_that_can_read_it(pushed: list[Any]):
    ada, eve = people("Ada", "Eve")
    agent = UserAgent()
    push.add_browser(ada, "https://push.example/abc", agent.keys["p256dh"], agent.keys["auth"], "phone")
    row = begun(Sitter(ada), Sitter(eve))
    create_push_deliveries()
    assert not pushed, "who is there has a moment to act"
    with clock.time_from(lambda: time.time() + push_wait()):
        create_push_deliveries()
        create_push_deliveries()
    ((url, body, headers),) = pushed
    assert url == "https://push.example/abc" and headers["Content-Encoding"] == "aes128gcm"
    said = json.loads(agent.read(body))
    assert said["text"] == "Your turn: Rin, against Eve." and said["table"] == row.code
    with pytest.raises(InvalidTag):
        UserAgent().read(body)
    with pytest.raises(InvalidTag):
        UserAgent(agent.private, b"another's secret").read(body)


def test_a_push_server_knows_who_pushes(pushed: list[Any]):
    (ada,) = people("Ada")
    push.add_browser(ada, "https://push.example:8443/abc", *browser_keys(), "phone")
    notify(ada, "rest_ended", "1")
    create_push_deliveries()
    ((_, _, headers),) = pushed
    claims, key = claims_of(headers["Authorization"])
    assert key == push.public_key(), "the one that its page subscribed with"
    assert claims["aud"] == "https://push.example:8443" and claims["sub"].startswith("mailto:")
    assert 0 < claims["exp"] - time.time() <= 24 * 3600, "no longer, says RFC 8292"


def push_wait() -> float:
    return 30.0


def test_who_acts_at_once_is_pushed_nothing(pushed: list[Any]):
    ada, eve = people("Ada", "Eve")
    add_browser(ada)
    row = begun(Sitter(ada), Sitter(eve))
    create_push_deliveries()
    act(row, "play", "1,1", seat=0)
    with clock.time_from(lambda: time.time() + push_wait()):
        create_push_deliveries()
    assert not pushed


def test_nothing_is_pushed_in_quiet_hours(pushed: list[Any]):
    (ada,) = people("Ada")
    add_browser(ada)
    hour = time.gmtime().tm_hour
    Mailing.objects.create(guest=ada, quiet_from=hour, quiet_to=(hour + 2) % 24)
    notify(ada, "rest_ended", "1")
    create_push_deliveries()
    assert not pushed
    with clock.time_from(lambda: time.time() + 2 * 3600):
        create_push_deliveries()
    assert len(pushed) == 1


def test_a_browser_tells_whoever_signed_in_there_last(client: Client):
    ada, (eve,) = known(client), people("Eve")
    public, secret = browser_keys()
    push.add_browser(eve, "https://push.example/abc", public, secret, "")
    said = {"url": "https://push.example/abc", "public": public, "secret": secret, "label": "x"}
    assert client.post("/notices/browsers", said).json() == {"wrong": ""}
    assert Endpoint.objects.get().guest == ada


@pytest.mark.parametrize("name", ["public", "secret", "url"])
def test_a_browser_that_is_none_is_refused(name: str, client: Client):
    known(client)
    public, secret = browser_keys()
    said = {"url": "https://push.example/abc", "public": public, "secret": secret, name: "nonsense"}
    answer = client.post("/notices/browsers", said)
    assert answer.status_code == 422 and answer.json()["wrong"]
    assert not Endpoint.objects.exists()


def test_the_site_s_key_for_push_stays(tmp_path: Any):
    assert push.public_key() == push.public_key() and len(push.public_key()) == 87


def test_wishes_are_kept_and_bad_ones_change_nothing(client: Client):
    ada = known(client)
    form = {"group": ["turns.mail", "messages.push"], "pace": "day", "hour": "7", "zone": "Europe/Berlin"}
    assert client.post("/notices/preferences", form).status_code == 302
    mailing = Mailing.objects.get(guest=ada)
    assert (mailing.pace, mailing.hour, mailing.quiet_from) == ("day", 7, None)
    assert mailing.guest.time_zone == "Europe/Berlin", "that of the browser, as there was none"
    client.post("/notices/preferences", {**form, "zone": "Asia/Tokyo"})
    assert Mailing.objects.get(guest=ada).guest.time_zone == "Europe/Berlin", "it is chosen elsewhere"
    html = client.get("/notices/preferences").content.decode()
    assert re.findall(r'name="group" value="(\S+)"[^>]* checked', html) == form["group"]
    for wrong in (
        {"pace": "never ever"},
        {"hour": "25"},
        {"quiet_from": "3"},
        {"hour": "x"},
    ):
        answer = client.post("/notices/preferences", {**form, **wrong})
        assert answer.status_code == 422 and b'role="alert"' in answer.content
    assert Mailing.objects.get(guest=ada).hour == 7


def test_a_group_switches_all_its_kinds_and_leaves_others_as_they_are(client: Client):
    ada = known(client)
    everything = [f"{group}.{channel}" for group in GROUPS for channel in AWAY]
    save_preference(ada, "challenge_withdrawn", "mail", is_on=True)
    save_preference(ada, "turn", "push", is_on=False)
    client.post("/notices/preferences", {"group": everything})
    assert Preference.objects.filter(guest=ada).count() == 2, "nothing was changed"
    fewer = [it for it in everything if not it.startswith("challenges")]
    for _ in range(2):  # sent again, it changes nothing
        client.post("/notices/preferences", {"group": fewer})
        chosen = preferences_of(ada)
        assert not any(chosen[kind][channel] for kind in GROUPS["challenges"][1] for channel in AWAY)
        assert chosen["challenge"]["page"] and chosen["over"]["mail"] and not chosen["turn"]["push"]
    client.post("/notices/preferences", {"group": everything})
    chosen = preferences_of(ada)
    assert chosen["challenge"]["mail"] and not chosen["challenge_withdrawn"]["mail"], "the usual ones"


def test_every_kind_about_play_is_in_one_group() -> None:
    grouped = [kind for _, kinds in GROUPS.values() for kind in kinds]
    assert len(grouped) == len(set(grouped)) and set(grouped) <= set(KINDS)
    single = {"endpoint_off", "measure", "measure_lifted", "appeal_decided", "report_answered", "case"}
    assert set(KINDS) - set(grouped) == single


def test_few_choices_are_unfolded(client: Client):
    known(client)
    html = client.get("/notices/preferences").content.decode()
    unfolded = re.sub(r"<details.*?</details>", "", html, flags=re.DOTALL)
    assert len(re.findall(r"<(?:select|textarea|input(?! type=.hidden))", unfolded)) <= 12


def test_what_is_off_on_the_page_rings_no_bell(client: Client):
    ada = known(client)
    notify(ada, "rest_ended", "1")
    client.post("/notices/preferences", {"each": "1", "preference": ["turn.page"]})
    assert client.get("/notices/count").json()["count"] == 0
    assert "rest" not in client.get("/notices/").content.decode()


def test_a_stranger_has_nothing_to_choose():
    client = Client()
    assert client.get("/notices/preferences").status_code == 200
    assert client.post("/notices/preferences", {}).status_code == 404
    assert client.post("/notices/browsers", {"url": "https://push.example/"}).status_code == 404
    assert not Guest.objects.exists()


def subscribe(client: Client, url: str = "https://push.example/abc", **more: str) -> Endpoint:
    public, secret = browser_keys()
    said = {"url": url, "public": public, "secret": secret, "label": "phone", **more}
    assert client.post("/notices/browsers", said).json() == {"wrong": ""}
    return Endpoint.objects.get(address=url)


def sign_out_elsewhere(client: Client, ada: User) -> None:
    signed_in(ada).post("/me/browsers", {"number": "all"})


def let_session_expire(client: Client, ada: User) -> None:
    SignIn.objects.update(seen_at=F("seen_at") - timedelta(days=401))
    drop_old_sign_ins()


def change_password(client: Client, ada: User) -> None:
    services.set_password(ada, "boards of many stones")


def close(client: Client, ada: User) -> None:
    ada.is_active = False
    ada.save()


ENDS_OF_SESSIONS: dict[str, Callable[[Client, User], object]] = {
    "sign-out": lambda client, ada: client.post("/account/sign-out"),
    "sign-out from another browser": sign_out_elsewhere,
    "expiry": let_session_expire,
    "another password": change_password,
    "signed out by staff": lambda client, ada: services.renew_link(ada.guest),
    "closed account": close,
}


@pytest.mark.parametrize("end", ENDS_OF_SESSIONS)
def test_push_ends_with_the_session_in_which_it_was_switched_on(end: str, pushed: list[Any]) -> None:
    ada = make_user("ada")
    here, elsewhere = signed_in(ada), signed_in(ada)
    subscribe(here)
    if end in ("sign-out", "expiry"):  # the others end all sessions but one
        subscribe(elsewhere, "https://push.example/elsewhere")
    if end == "expiry":
        SignIn.objects.filter(endpoints__address__endswith="elsewhere").update(
            seen_at=timezone.now() + timedelta(days=401)
        )
    notify(ada.guest, "rest_ended", "1")
    ENDS_OF_SESSIONS[end](here, ada)
    create_push_deliveries()
    left = ["https://push.example/elsewhere"] if end in ("sign-out", "expiry") else []
    assert [url for url, *_ in pushed] == left
    assert list(Endpoint.objects.values_list("address", flat=True)) == left


def test_push_to_a_guest_ends_when_the_browser_has_forgotten_them(client: Client) -> None:
    known(client)
    subscribe(client)
    jobs.delete_old()
    assert Endpoint.objects.exists()
    Endpoint.objects.update(created_at=F("created_at") - 401 * 24 * 3600)
    jobs.delete_old()
    assert not Endpoint.objects.exists()


def test_who_comes_next_to_a_browser_is_not_told_of_others(client: Client, pushed: list[Any]) -> None:
    """A guest's browser in which somebody signs in, or that follows another guest's private link."""
    guest, ada = known(client, "Cleo"), make_user("ada", password=make_password("boards of stones"))
    subscribe(client)
    client.post("/account/sign-in", {"login": "ada", "password": "boards of stones"})
    notify(guest, "rest_ended", "1")
    create_push_deliveries()
    assert not pushed and not Endpoint.objects.exists()
    subscribe(client)
    client.post("/account/sign-out")
    notify(ada.guest, "rest_ended", "1")
    create_push_deliveries()
    assert not pushed and not Endpoint.objects.exists()
    subscribe(client)
    client.post(f"/me/{people('Eve')[0].token}")
    notify(guest, "rest_ended", "2")
    create_push_deliveries()
    assert not pushed and not Endpoint.objects.exists()


def test_another_browser_of_a_guest_goes_on_being_told(client: Client) -> None:
    guest = known(client)
    phone = Client()
    phone.post(f"/me/{guest.token}")
    subscribe(client)
    subscribe(phone, "https://push.example/phone")
    client.post(f"/me/{people('Eve')[0].token}")
    assert Endpoint.objects.get().address == "https://push.example/phone"


def test_a_renewed_link_and_signing_up_end_all_push(client: Client) -> None:
    known(client)
    subscribe(client)
    client.post("/me/renew")
    assert not Endpoint.objects.exists()
    subscribe(client)
    client.post("/account/sign-up", {"username": "ada", "password1": "boards of stones"})
    assert User.objects.exists() and not Endpoint.objects.exists()


def test_a_browser_that_subscribes_anew_is_told_once(client: Client) -> None:
    known(client)
    subscribe(client)
    subscribe(client, "https://push.example/new", old="https://push.example/abc")
    assert Endpoint.objects.get().address == "https://push.example/new"


def test_a_subscription_that_the_browser_has_changed_stays_in_its_session(pushed: list[Any]) -> None:
    ada = make_user("ada")
    client, (public, secret) = signed_in(ada), browser_keys()
    before = subscribe(client)
    Endpoint.objects.update(is_on=False, failures=10)
    changed = {"old": before.address, "url": "https://push.example/new", "public": public, "secret": secret}
    for other in (Client(), signed_in(make_user("eve"))):
        assert other.post("/notices/browsers/changed", changed).status_code == 404
    strict = Client(enforce_csrf_checks=True)  # a service worker has no form
    strict.cookies = client.cookies
    assert strict.post("/notices/browsers/changed", {**changed, "public": "x"}).status_code == 422
    assert strict.post("/notices/browsers/changed", changed).status_code == 204
    now = Endpoint.objects.get()
    assert (now.pk, now.address, now.secret) == (before.pk, changed["url"], f"{public} {secret}")
    assert now.is_on and now.sign_in is not None
    client.post("/account/sign-out")
    assert not Endpoint.objects.exists()


@pytest.fixture
def public_site(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """A public site, and the addresses of the names that it can look up."""
    known: dict[str, list[str]] = {}

    def look_up(host: str, port: int, **_: object) -> list[Any]:
        if host not in known:
            raise socket.gaierror("no such name")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[host]]

    here = replace(configurations.configuration(), is_public=True)
    for module in (push, adapters, mail):
        monkeypatch.setattr(module, "configuration", lambda: here)
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


@pytest.mark.parametrize(
    "found",
    [
        *(["127.0.0.1"], ["10.1.2.3"], ["192.168.0.1"], ["169.254.169.254"], ["::1"], ["fec0::1"]),
        *(["::127.0.0.1"], ["64:ff9b:1::7f00:1"], ["93.184.216.34", "127.0.0.1"], [], None),
    ],
)
def test_where_an_address_leads_is_looked_up_before_it_is_kept(
    found: list[str] | None, public_site: dict[str, list[str]]
) -> None:
    (ada,) = people("Ada")
    public_site["push.example"] = ["93.184.216.34", "2606:2800:220:1::1"]
    kept = add_browser(ada)
    if found is not None:
        public_site["inside.example"] = found
    with pytest.raises(ValueError, match="This address’s domain doesn’t exist"):
        add_browser(ada, "https://inside.example/push")
    with pytest.raises(ValueError, match="This address’s domain doesn’t exist"):
        push.change(ada, kept.address, "https://inside.example/push", *browser_keys())
    assert Endpoint.objects.get().address == kept.address


def test_a_lookup_that_hangs_holds_nobody_up(
    public_site: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada,), goes_on = people("Ada"), threading.Event()
    monkeypatch.setattr(push, "TIMEOUT", 0.02)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: goes_on.wait(30) and [])
    with pytest.raises(ValueError, match="This address’s domain doesn’t exist"):
        add_browser(ada)
    goes_on.set()


@pytest.mark.parametrize(
    "address",
    [
        *("root@localhost", "x@[127.0.0.1]", "x@[IPv6:::1]", "x@10.0.0.1", "x@mailhost", "x@db.internal"),
        *("x@printer.local", "x@a.localhost", "x@localhost."),
    ],
)
def test_a_public_site_mails_nobody_inside(
    address: str, public_site: dict[str, list[str]], client: Client
) -> None:
    form = {"username": "ada", "password1": "boards of stones", "email": address}
    answer = client.post("/account/sign-up", form)
    assert answer.status_code == 422 and not User.objects.exists()
    content = {"to": address, "from": "s@x", "subject": "s", "text": "t", "html": "", "headers": {}}
    enqueue("mail", "inside", content)
    jobs.send_mail()
    assert Delivery.objects.get().error == "it is addressed to a local network"


def test_other_addresses_are_mailed(public_site: dict[str, list[str]], client: Client) -> None:
    form = {"username": "ada", "password1": "boards of stones", "email": "ada@mail.analytical.example"}
    assert client.post("/account/sign-up", form).status_code == 302
