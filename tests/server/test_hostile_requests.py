"""Whatever a stranger sends, the site answers, and never by a failure."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kakomi import catalog, records
from kakomi.server.accounts.models import Guest
from kakomi.server.analysis.models import Study
from kakomi.server.tables import models, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig
from sampling import sample
from server.site_walk import Address, addresses

pytestmark = pytest.mark.django_db
bounded = settings(max_examples=20, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))

CODE, INVITATION, TOKEN = "knowntable", "known-invitation", "known-token"
KNOWN = {
    "code": CODE,
    "number": "1",
    "form": "json",
    "invitation": INVITATION,
    "token": TOKEN,
    "game": "rin",
    "name": "rin",
    "handle": "known-person",
    "size_class": "standard",
    "pace": "live",
    "pk": "1",
    "uidb36": "1",
    "key": "a-key",
    "kind": "zip",
    "action": "accept",
    "digest": "0123456789abcdef",
    "ply": "1",
}

NASTY = (
    *("", " ", "0", "-1", "1", "00", "1e9", "٣", "²", "9" * 400, "9" * 5000, "NaN", "null", "[]", "{}", "on"),
    *("<script>alert(1)</script>", "\u202e\u2066mirror", "\x01\x7f\r\n", "a\nb: c", "\ufffd", "ﷺ" * 200),
    *("../../etc/passwd", "//evil.example/", "javascript:alert(1)", "%00%ff%zz", "' OR 1=1 --", "{{ 7*7 }}"),
    *("rin", "lin", "rings", "beside", "friend", "me", "random", "3", "11", "cmd:true", "time:86400"),
    *("5+3", "0", "99999+99999", "play", "touch", "confirm", "resign", "takeback", "draw", "1,1", "0,0 1,1"),
)
RIGHT = {
    "kind": "touch",
    "value": "0,0",
    "key": "a-good-key",
    "base": "0",
    "seen": "",
    "opponent": "1",
    "side": "0",
    "size": "4",
    "clock": "",
    "game": "1",
    "ply": "1",
    "do": "play",
    "version": "1",
    "node": "1",
    "text": "3,3",
}
"""What gets a request as far as it can; the rest of its fields is what views are heard to ask for."""

texts = st.sampled_from(NASTY) | st.text(max_size=30).map(lambda text: text.replace("\0", ""))
forms = st.lists(st.tuples(st.sampled_from(sorted(RIGHT)) | texts, texts), max_size=8)
bodies: st.SearchStrategy[tuple[bytes, str]] = forms.map(
    lambda form: (encoded(form), "application/x-www-form-urlencoded")
) | st.tuples(
    st.binary(max_size=60) | st.sampled_from([b"--x", b"--x\r\nContent-Disposition: form-data\r\n", b"{"]),
    st.sampled_from(
        [
            "multipart/form-data; boundary=x",
            "multipart/form-data",
            "multipart/form-data; boundary=\xff",
            "application/json",
            "application/x-www-form-urlencoded; charset=utf-16",
            "text/plain; charset=nothing",
            "",
            "/;;=",
        ]
    ),
)


def encoded(form: list[tuple[str, str]]) -> bytes:
    return urlencode(form, errors="surrogatepass").encode()


@pytest.fixture(autouse=True)
def _known(db: None) -> None:
    make_known()


def make_known() -> None:
    """A guest who sits at the known table, at which nothing has happened yet, and owns a study."""
    guest = Guest.objects.create(name="<i>Ada</i>", token=TOKEN)
    row = services.begin(MatchConfig(catalog.game("rin", size=4)), [Sitter(guest, name=guest.name), Sitter()])
    models.Table.objects.filter(pk=row.pk).update(code=CODE)
    row.seats.filter(number=1).update(invitation=INVITATION)
    record = records.recorded(catalog.game("rin", size=4), ["0,0", "1,1", "2,2"])
    Study.objects.create(code=CODE, owner=guest, game="rin", record=records.write_json(record).decode())


@contextmanager
def browser() -> Iterator[Client]:
    """Of the known guest. What comes of its requests is undone: to begin all anew took most of the time."""
    session = SessionStore()
    session["guest"] = Guest.objects.get(token=TOKEN).pk
    client = Client()
    client.cookies["sessionid"] = session._get_session_key()
    with transaction.atomic():
        yield client
        transaction.set_rollback(True)


def answered(reply: HttpResponse) -> HttpResponse:
    """What is raised in a view comes through to here; this is what is left."""
    assert reply.status_code < 500, reply.content
    return reply


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of fields that views ask for."""
    names: set[str] = set()

    def hear(asked: Callable[..., Any]) -> Callable[..., Any]:
        def heard(form: QueryDict, name: Any, *rest: Any) -> Any:
            names.add(str(name))
            return asked(form, name, *rest)

        return heard

    for method in ("__getitem__", "__contains__", "getlist", "get"):
        monkeypatch.setattr(QueryDict, method, hear(getattr(QueryDict, method)))
    return names


def route_of(address: Address) -> str:
    return address.route or "home"


@pytest.mark.parametrize("address", sample(addresses(), 40, "fields"), ids=route_of)
def test_every_field_bears_anything(address: Address, heard: set[str]) -> None:
    check_fields(address, heard)


def check_fields(address: Address, heard: set[str]) -> None:
    """Whatever stands in a field, the address answers; `heard` is the fixture."""
    path = address.filled(KNOWN)
    heard.clear()
    with browser() as client:
        answered(client.get(path, RIGHT))
    with browser() as client:
        answered(client.post(path, RIGHT))
    fields = st.dictionaries(st.sampled_from(sorted(heard)), texts, min_size=1, max_size=2)

    @settings(bounded, max_examples=12)
    @given(wrong=fields, posts=st.booleans(), in_parts=st.booleans())
    def told(wrong: dict[str, str], posts: bool, in_parts: bool) -> None:
        headers = {"HX-Request": "true"} if in_parts else {}
        query = f"{path}?{encoded(list((RIGHT | wrong).items())).decode()}"
        with browser() as client:
            answered(client.post(path, RIGHT | wrong, headers=headers) if posts else client.get(query))

    if heard:
        told()


@bounded
@given(data=st.data(), method=st.sampled_from(["GET", "POST", "POST", "X"]))
def test_any_address_answers_anything(data: st.DataObject, method: str) -> None:
    address = data.draw(st.sampled_from(list(addresses())))
    values = {name: data.draw(texts | st.just(KNOWN[name])) for name in address.parameters}
    query = encoded(data.draw(forms)).decode()
    body, content_type = data.draw(bodies)
    with browser() as client:
        answered(client.generic(method, f"{address.filled(values)}?{query}", body, content_type))


DEEDS = (
    *(("touch", "0,0"), ("touch", "3,3"), ("touch", "pass"), ("confirm", ""), ("untouch", "")),
    *(("komi", "6"), ("colour", "1"), ("swap", ""), ("resign", ""), ("offer", "draw")),
    *(("offer", "takeback"), ("accept", ""), ("decline", ""), ("withdraw", ""), ("takeback", "")),
    ("rematch", ""),
)


@bounded
@given(
    deeds=st.lists(st.sampled_from(DEEDS), min_size=1, max_size=3),
    broken=st.dictionaries(st.sampled_from(["kind", "value", "seen", "base", "key"]), texts, max_size=2),
)
@example(deeds=[("touch", "0,0")], broken={"value": "9" * 5000})
@example(deeds=[("touch", "0,0")], broken={})
def test_a_seat_can_be_told_anything(deeds: list[tuple[str, str]], broken: dict[str, str]) -> None:
    with browser() as client:
        tell(client, deeds, broken)


def tell(client: Client, deeds: list[tuple[str, str]], broken: dict[str, str]) -> None:
    """Do one after the other at the known table, whose seats are all the guest's; the last is broken."""
    models.Seat.objects.filter(guest=None).update(guest=Guest.objects.get(token=TOKEN))
    for number, (kind, value) in enumerate(deeds):
        entries = models.Table.objects.get(code=CODE).entries
        deed = {
            "kind": kind,
            "value": value,
            "seen": "",
            "base": str(entries),
            "key": f"deed-number-{number}",
        }
        if number == len(deeds) - 1:
            deed |= broken
        reply = answered(client.post(f"/table/{CODE}/act", deed))
        assert reply.status_code in (200, 302, 409, 422)
    answered(client.get(f"/table/{CODE}"))


@bounded
@given(
    game=st.sampled_from(catalog.names()),
    fields=st.dictionaries(st.sampled_from(["size", "komi", "players", "seat-0", "match"]), texts),
    opponent=st.sampled_from(["1", "friend", "beside"]) | texts,
    side=st.sampled_from(["0", "random"]) | texts,
)
@example(game="rin", fields={}, opponent="1", side="9" * 5000)
@example(game="rings", fields={"players": "6"}, opponent="1", side="5")
def test_a_table_can_be_wished_for_in_any_way(
    game: str, fields: dict[str, str], opponent: str, side: str
) -> None:
    with browser() as client:
        reply = answered(client.post(f"/play/{game}", {"opponent": opponent, "side": side, **fields}))
    assert reply.status_code in (302, 422)


@bounded
@given(cookie=st.binary(max_size=60) | st.sampled_from([b"sessionid=\xff", b"csrftoken=x; ;=;", b"=" * 900]))
def test_any_cookie_is_borne(cookie: bytes) -> None:
    headers: Any = {"Cookie": cookie.decode("latin-1"), "Accept-Language": cookie.decode("latin-1")}
    answered(Client().get("/me", headers=headers))
