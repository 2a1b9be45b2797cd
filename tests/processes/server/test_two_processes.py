"""Two server processes on one database: events in one reach the other, and happen once."""

import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from server.kinds_of_sites import PAIRS, Kind
from server.ledgers import Ledger, in_file
from server.sites import Site, running
from server.visitors import Answer, Visitor

Pair = tuple[list[Site], Ledger]
ETAG = re.compile(r'data-fragment="(\w+)" data-etag="(\w+)"')


@pytest.fixture(scope="module", params=PAIRS, ids=str)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    kind: Kind = request.param
    kind.require_services()
    with kind.running(tmp_path_factory.mktemp("site")) as found:
        yield found


def touch(action: str, base: int, key: str) -> dict[str, object]:
    return {"kind": f"touch {action}", "base": base, "key": key, "seen": ""}


def at_once(*deeds: Callable[[], Answer]) -> list[Answer]:
    """The responses to requests sent at the same moment."""
    barrier = threading.Barrier(len(deeds))

    def sent(deed: Callable[[], Answer]) -> Answer:
        barrier.wait()
        return deed()

    with ThreadPoolExecutor(len(deeds)) as threads:
        return list(threads.map(sent, deeds))


def logged(ledger: Ledger, code: str) -> list[str]:
    return [content["value"] for _, _, content in ledger.table(code).log]


def test_a_deed_that_is_sent_to_both_is_done_once(pair: Pair) -> None:
    sites, ledger = pair
    visitor = Visitor()
    code = visitor.begin(sites[0].port, "ren", opponent="beside", side=0)
    for base, action in enumerate(("a1", "b3", "c5", "d7", "e8", "f2")):
        form = touch(action, base, f"key-{base:05}")
        answers = at_once(*(partial(visitor.act, site.port, code, form) for site in sites * 2))
        assert [answer.status for answer in answers] == [200] * 4, [site.errors for site in sites]
    assert logged(ledger, code) == ["a1", "b3", "c5", "d7", "e8", "f2"]


def test_of_two_deeds_on_the_same_state_one_is_done(pair: Pair) -> None:
    sites, ledger = pair
    visitor = Visitor()
    code = visitor.begin(sites[0].port, "ren", opponent="beside", side=0)
    for base in range(6):
        forms = [touch(f"{column}{base + 1}", base, f"key-{column}-{base:05}") for column in "ab"]
        answers = at_once(
            *(partial(visitor.act, site.port, code, form) for site, form in zip(sites, forms, strict=True))
        )
        assert sorted(answer.status for answer in answers) == [200, 409]
        done = [answer.status for answer in answers].index(200)
        assert logged(ledger, code)[base] == f"{'ab'[done]}{base + 1}"


def test_both_hear_of_what_happens_in_one(pair: Pair) -> None:
    sites, _ = pair
    check_that_news_cross(sites)


def check_that_news_cross(sites: list[Site]) -> None:
    visitor = Visitor()
    code = visitor.begin(sites[0].port, "ren", opponent="beside", side=0)
    with visitor.news(sites[0].port, code) as here, visitor.news(sites[1].port, code) as there:
        assert next(here) == next(there) == 0
        for base, site in enumerate(sites * 2):
            answer = visitor.act(site.port, code, touch(f"c{base + 1}", base, f"key-{base:05}"))
            assert answer.status == 200
            assert next(here) == next(there) == base + 1


def test_what_a_page_lacks_comes_with_the_news_of_the_other(pair: Pair) -> None:
    sites, _ = pair
    visitor = Visitor()
    code = visitor.begin(sites[0].port, "ren", opponent="beside", side=0)
    etags = dict(ETAG.findall(visitor.get(sites[1].port, f"/table/{code}").text))
    with visitor.shown(sites[1].port, code, etags) as shown:
        for base in range(4):
            form = touch(f"c{base + 1}", base, f"key-{base:05}")
            assert visitor.act(sites[0].port, code, form).status == 200
            sent = next(shown)
            assert sent["news"] == base + 1 and f">c{base + 1}</a>" in sent["html"]
            assert set(sent["keeps"].split()) <= {f"{name}={etag}" for name, etag in etags.items()}
            etags.update(ETAG.findall(sent["html"]))


def test_both_hear_of_who_sits_down(pair: Pair) -> None:
    sites, ledger = pair
    host, friend = Visitor(), Visitor()
    code = host.begin(sites[0].port, "ren", opponent="friend", side=0)
    with host.news(sites[0].port, code) as news:
        assert next(news) == 0
        assert (
            friend.post(sites[1].port, ledger.invitation(code), {}, by_htmx=False).location
            == f"/table/{code}"
        )
        assert next(news) == 2  # for the seat, and for the entry that all seats are taken


def test_news_cross_without_the_redis_that_is_named(tmp_path: Path) -> None:
    nobody = {"KAKOMI_REDIS_URL": "redis://127.0.0.1:1/0"}
    with in_file(tmp_path):
        sites = [Site(tmp_path, nobody), Site(tmp_path, nobody)]
        with running(*sites):
            check_that_news_cross(sites)
            assert "Redis is away" in sites[0].errors


def test_a_bot_thinks_on_in_another_process(pair: Pair) -> None:
    sites, ledger = pair
    visitor = Visitor()
    code = visitor.begin(sites[0].port, "ren", opponent="10", side=0)
    answer = visitor.act(sites[0].port, code, touch("e5", 0, "key-00000"))
    assert answer.status == 200
    with visitor.news(sites[1].port, code) as news:
        assert next(news) == 1
        sites[0].kill()
        assert next(news) == 2
    sites[0].start()
    assert [content["seat"] for _, _, content in ledger.table(code).log] == [0, 1]


def test_a_restart_in_mid_thought_resumes(tmp_path: Path) -> None:
    visitor, site = Visitor(), Site(tmp_path)
    with in_file(tmp_path) as ledger, running(site):
        code = visitor.begin(site.port, "ren", opponent="10", side=0)
        visitor.act(site.port, code, touch("e5", 0, "key-00000"))
        site.kill()
        assert len(ledger.table(code).log) == 1
        site.start()
        with visitor.news(site.port, code) as news:
            while next(news) < 2:
                pass
        assert [content["seat"] for _, _, content in ledger.table(code).log] == [0, 1]
