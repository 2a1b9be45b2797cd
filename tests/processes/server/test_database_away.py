"""When the database or Redis is unavailable, visitors get a message, and nothing is lost or restarted."""

import json
import random
import threading
import time
from collections.abc import Iterator

import pytest

from kakomi import catalog
from server.ledgers import Ledger, on_server
from server.proxy import Proxy
from server.services import POSTGRES, REDIS, require
from server.sites import Site, running
from server.visitors import BROKEN, Answer, Visitor
from waiting import until

PATIENCE = 60.0
TOLD = "waits for the database"


@pytest.fixture(scope="module")
def database() -> Iterator[tuple[Ledger, Proxy]]:
    require(POSTGRES)
    with on_server(POSTGRES) as ledger, Proxy(ledger.url) as proxy:
        yield ledger, proxy


@pytest.fixture(scope="module")
def redis() -> Iterator[Proxy]:
    require(REDIS)
    with Proxy(REDIS) as proxy:
        yield proxy


@pytest.fixture(scope="module")
def site(
    database: tuple[Ledger, Proxy], redis: Proxy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    environment = {"KAKOMI_DATABASE_URL": database[1].url, "KAKOMI_REDIS_URL": redis.url}
    begun = Site(tmp_path_factory.mktemp("site"), environment)
    with running(begun):
        yield begun


def until_done(visitor: Visitor, site: Site, code: str, form: dict[str, object]) -> None:
    """Resend a form until it succeeds, as pages do."""
    end = time.monotonic() + PATIENCE
    answer = Answer(0, "")
    while answer.status != 200:
        assert time.monotonic() < end, answer
        try:
            answer = visitor.act(site.port, code, form)
        except BROKEN:
            continue
        assert answer.status in (200, 503), answer
        assert "Traceback" not in answer.text


def test_an_absence_is_told_in_words_and_nothing_is_lost(database: tuple[Ledger, Proxy], site: Site) -> None:
    ledger, proxy = database
    visitor = Visitor()
    code = visitor.begin(site.port, "rin", opponent="beside", side=0, size=8)
    first = {"kind": "touch 1,1", "base": 0, "key": "key-first", "seen": ""}
    assert visitor.act(site.port, code, first).status == 200
    second = {"kind": "touch 2,2", "base": 1, "key": "key-second", "seen": ""}
    with proxy.away():
        for answer in (
            visitor.act(site.port, code, second),
            visitor.get(site.port, f"/table/{code}"),
        ):
            assert answer.status == 503
            assert "Your games are safe" in answer.text and "Traceback" not in answer.text
        told = visitor.get(site.port, f"/api/v1/tables/{code}")
        assert told.status == 503 and json.loads(told.text)["code"] == "away"
        assert visitor.get(site.port, "/healthz").status == 200
        assert visitor.get(site.port, "/readyz").status == 503
    until_done(visitor, site, code, second)
    until(lambda: visitor.get(site.port, "/readyz").status == 200, "readiness")
    assert len(ledger.table(code).log) == 1 and ledger.table(code).drafts[1] == (1, ["2,2"])
    assert site.ended is None


def test_connections_that_break_off_lose_and_repeat_nothing(
    database: tuple[Ledger, Proxy], redis: Proxy, site: Site
) -> None:
    ledger, proxy = database
    visitor, chance, is_over = Visitor(), random.Random(1), threading.Event()
    code = visitor.begin(site.port, "lin", opponent="beside", side=0, size=9)
    position, played = catalog.game("lin", size=9).start(), list[str]()

    def cut() -> None:
        while not is_over.wait(chance.uniform(0.01, 0.1)):
            chance.choice((proxy.cut, proxy.cut, redis.cut))()

    cutting = threading.Thread(target=cut)
    cutting.start()
    try:
        for number in range(12):
            action = position.legal()[0]
            form = {"kind": f"touch {action}", "base": number, "key": f"key-turn-{number:04}", "seen": ""}
            until_done(visitor, site, code, form)
            played.append(action)
            position = position.play(action)
    finally:
        is_over.set()
        cutting.join()
    kept = ledger.table(code).log
    assert [entry["value"] for _, _, entry in kept] == played
    assert len({key for _, key, _ in kept}) == 12


def test_what_the_site_does_by_itself_goes_on_afterwards(
    database: tuple[Ledger, Proxy], redis: Proxy, site: Site
) -> None:
    ledger, proxy = database
    visitor = Visitor()
    code = visitor.begin(site.port, "lin", opponent="1", side=0)
    before = site.errors.count(TOLD)
    with proxy.away(), redis.away():
        until(lambda: site.errors.count(TOLD) > before, "a word about the absence")
    point = {"kind": "touch a1", "base": 0, "key": "key-to-bot", "seen": ""}
    until_done(visitor, site, code, point)
    until(lambda: len(ledger.table(code).log) == 2, f"the bot's move ({site.errors})")
    assert "Traceback" not in site.errors, "an absence is told once, in a line"
