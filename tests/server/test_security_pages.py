"""Every page: the headers are there, nothing in it is carried out, and all it uses is ours."""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import Resolver404, resolve

from kakomi import catalog, server
from kakomi.server.accounts.models import Guest
from kakomi.server.security.headers import HEADERS, WORKER_POLICY
from kakomi.server.site.rendering import RenderJob, RenderQueue, rendered
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.services import Sitter
from kakomi.session import MatchConfig, TimeControl
from sampling import sample

pytestmark = pytest.mark.django_db

MARKUP = "<b onx=1>&\"'"
"""A guest's name that tries to be more."""

ADDRESSES = {
    *("src", "href", "xlink:href", "action", "formaction", "data", "poster", "sse-connect"),
    *("hx-get", "hx-post", "hx-put", "hx-patch", "hx-delete"),
}


class Page(HTMLParser):
    """What is in a page: its links, and what has no business there."""

    def __init__(self, text: str, path: str) -> None:
        super().__init__()
        self.path = path
        self.links: set[str] = set()
        self.faults: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "style" or (tag == "script" and not named.get("src")):
            self._fault(f"inline <{tag}>")
        if tag in ("iframe", "object", "embed", "base", "foreignobject"):
            self._fault(f"<{tag}>")
        for name, value in named.items():
            self._look_at(tag, name, value or "")

    def _look_at(self, tag: str, name: str, value: str) -> None:
        if name == "style" or name.startswith(("on", "hx-on", "hx-vals", "data-hx-on")):
            self._fault(f"{name}= on <{tag}>")
        if name in ADDRESSES:
            self._follow(tag, name, value)

    def _follow(self, tag: str, name: str, value: str) -> None:
        target = urlsplit(urljoin(f"http://testserver{self.path}", value))
        is_ours = target.netloc == "testserver" and target.scheme == "http"
        if not is_ours and not (tag == "a" and target.scheme in ("http", "https")):
            self._fault(f"<{tag} {name}={value!r}> is not ours")
        elif is_ours and tag in ("a", "link", "script", "img"):
            self.links.add(target.path + (f"?{target.query}" if target.query else ""))

    def _fault(self, what: str) -> None:
        self.faults.append(f"{self.path}: {what}")


PICTURE = "default-src 'none'; style-src 'unsafe-inline'"
"""Of a drawing that is looked at by itself and carries its style along: nothing else is allowed it."""


SHARED = re.compile(r"/(table|analysis/position)/\w+/picture\.(svg|png)")
"""What pages of other sites may show."""


def checked(reply: HttpResponseBase, path: str) -> Page:
    kind = reply.get("Content-Type", "")
    for name, value in HEADERS.items():
        allowed = {value}
        if name == "Cross-Origin-Resource-Policy" and SHARED.match(path):
            allowed = {"cross-origin"}
        if name == "Referrer-Policy":
            allowed.add("no-referrer")
        if name == "Content-Security-Policy" and kind.startswith("image/svg"):
            allowed.add(PICTURE)
        assert reply[name] in allowed, f"{path}: {name}"
    is_saved = reply.get("Content-Disposition", "").startswith("attachment")  # and never shown by the site
    if is_saved or not kind.startswith(("text/html", "image/svg")):
        return Page("", path)
    text = b"".join(reply).decode()
    page = Page(text, path)
    if reply["Content-Security-Policy"] == PICTURE:
        page.faults = [fault for fault in page.faults if "inline <style>" not in fault]
    assert not page.faults
    assert "<b onx" not in text, f"{path}: a name is not escaped"
    return page


def crawled(client: Client, start: str, beyond: set[str], most: int = 400, alike: int = 400) -> Iterator[str]:
    """Follow links from a page on, but for those with one of these names in the address; `alike` so many that
    have the same route."""
    waiting, seen, routes = [start], {start}, Counter[str]()
    while waiting:
        path = waiting.pop()
        reply = client.get(path)
        assert reply.status_code < 400 or "/table/" in path, f"{path}: {reply.status_code}"
        yield path
        for link in checked(reply, path).links - seen:
            seen.add(link)
            route = route_of(link)
            if routes[route] < alike and not beyond & set(re.split(r"[/.?]", link)):
                routes[route] += 1
                waiting.append(link)
        assert len(seen) < most


def route_of(link: str) -> str:
    """Of an address of ours, such as `rules/<slug:name>`; empty for what no view answers."""
    try:
        return resolve(urlsplit(link).path).route
    except Resolver404:
        return ""


@pytest.fixture
def guest() -> Guest:
    return Guest.objects.create(name=MARKUP)


@pytest.fixture
def visitor(guest: Guest) -> Client:
    session = SessionStore()
    session["guest"] = guest.pk
    session.save()
    client = Client()
    client.cookies["sessionid"] = session.session_key
    return client


def played(row: models.Table, plies: int) -> models.Table:
    for number in range(plies):
        table = selectors.table_of(row)
        if table.to_act is not None and table.match.phase == "play":
            text = table.match.position.legal()[0]
            row, _ = services.add(
                row.code, [("play", text)], seat=table.to_act, base=row.entries, key=f"ply:{number}"
            )
    return row


def tables_of(guest: Guest, name: str) -> Iterator[models.Table]:
    """One in every state that a page tells apart."""
    game = catalog.game(name, **catalog.describe(name).quick)
    other = Guest.objects.create(name=MARKUP)
    own, friend = Sitter(guest, name=MARKUP), Sitter(other, name=MARKUP)
    others = [friend] * (game.players - 1)
    yield services.begin(MatchConfig(game), [own] * game.players)
    yield played(services.begin(MatchConfig(game), [own] * game.players), 6)
    yield played(services.begin(MatchConfig(game), [own, *others], TimeControl(300.0, 3.0)), 3)
    yield services.begin(MatchConfig(game), [own, *[Sitter()] * (game.players - 1)])
    row = played(services.begin(MatchConfig(game), [own, *others]), 1)
    for number in range(game.players - 1):
        row, _ = services.add(
            row.code, [("resign", None)], seat=number, base=row.entries, key=f"out:{number}"
        )
    yield row
    if game.players == 2:
        row = played(services.begin(MatchConfig(game), [own, *others]), 1)
        yield services.add(row.code, [("offer", "takeback")], seat=0, base=row.entries, key="an-offer")[0]
        yield services.begin(MatchConfig(game, swap=True), [own, Sitter(bot="1", name="level 1")])
    if game.description.komi_option:
        yield services.begin(MatchConfig(game, negotiate=True), [own, *others])


@pytest.fixture
def _rendered_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crawl meets some fifty pictures; that each has a process of its own is tested elsewhere."""

    async def render(_: RenderQueue, job: RenderJob) -> bytes:
        return rendered(job)

    monkeypatch.setattr(RenderQueue, "render", render)


@pytest.mark.usefixtures("_rendered_here")
@pytest.mark.parametrize("name", sample(catalog.names(), 2, "pages"))
def test_pages_hold_nothing_that_is_carried_out(visitor: Client, guest: Guest, name: str) -> None:
    """Two of each kind; `tests/long` walks through all pages of all games."""
    check_pages(visitor, guest, name, alike=2)


def check_pages(visitor: Client, guest: Guest, name: str, *, alike: int) -> None:
    """Walk through a game's pages, and those of the site."""
    tables = [f"/table/{row.code}" for row in tables_of(guest, name)]
    beyond = set(catalog.names()) - {name}
    reached = set(crawled(visitor, "/", beyond, alike=alike))
    assert {f"/play/{name}", f"/rules/{name}"} <= {path.partition("?")[0] for path in reached}
    for path in tables:
        for headers in ({}, {"HX-Request": "true"}):
            checked(visitor.get(path, headers=headers), path)
            checked(Client().get(path, headers=headers), path)


def test_only_the_engines_worker_may_compile_modules(client: Client) -> None:
    worker = client.get("/static/engine/worker.js")
    assert worker["Content-Security-Policy"] == WORKER_POLICY and "'wasm-unsafe-eval'" in WORKER_POLICY
    for path in ("/static/engine/engine.js", "/static/engine/rin.wasm", "/"):
        policy = client.get(path)["Content-Security-Policy"]
        assert policy == HEADERS["Content-Security-Policy"]
        assert "worker-src 'self'" in policy and "unsafe" not in policy


def test_failures_are_as_strict(visitor: Client) -> None:
    assert (
        checked(visitor.get("/nothing/<script>"), "/nothing") and visitor.get("/nothing").status_code == 404
    )
    strict = Client(enforce_csrf_checks=True)
    forged = strict.post("/play/rin", {"opponent": "1"})
    assert forged.status_code == 403
    checked(forged, "/play/rin")
    wrong = visitor.post("/play/rin", {"opponent": MARKUP, "side": MARKUP, "clock": MARKUP})
    assert wrong.status_code == 422
    checked(wrong, "/play/rin")
    strange = visitor.get("/", headers={"Host": "evil.example"})
    assert strange.status_code == 400
    checked(strange, "/")


def test_a_broken_site_is_as_strict(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(MARKUP)

    monkeypatch.setattr(selectors, "table_of", fail)
    row = models.Table.objects.create(begun={}, game="rin")
    visitor.raise_request_exception = False
    reply = visitor.get(f"/table/{row.code}")
    assert reply.status_code == 500
    checked(reply, "/table")


_IN_SCRIPTS = (
    r"\beval\(|new Function|setAttribute\(\s*['\"](?:style|on)",
    r"(?:from|import)\s*\(?\s*['\"](?:https?:|//)",
)
FOREIGN = {
    ".css": r"url\(\s*['\"]?(?:https?:|//|data:|blob:)",
    ".js": "|".join(_IN_SCRIPTS),
    ".mjs": "|".join(_IN_SCRIPTS),
}
"""What no style and no script holds."""


def test_files_use_nothing_from_elsewhere() -> None:
    files = list(Path(server.__file__).parent.joinpath("static").rglob("*.*"))
    assert {path.suffix for path in files} >= {".css", ".js"}
    found = [path.name for path in files if path.suffix in FOREIGN and uses_others(path)]
    assert found == []


def uses_others(path: Path) -> bool:
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return bool(re.search(FOREIGN[path.suffix], text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.css", "a { background: url('//elsewhere.example/x.png') }"),
        ("a.js", "import x from 'https://elsewhere.example/x.js'"),
        ("a.js", "element.setAttribute('onclick', text)"),
        ("a.mjs", "eval(text)"),
    ],
)
def test_what_comes_from_elsewhere_is_found(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert uses_others(path)
    path.write_text(f"/* {text} */")
    assert not uses_others(path)
