"""Fixtures of browser tests: a site, a Chromium, and visitors whose browsers must not report errors."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.chromium import chromium
from server.clocked_site import ClockedSite
from server.ledgers import in_file
from server.mail_sink import Sink, mail_server
from server.sites import Site, running

if TYPE_CHECKING:
    from browser.visitor import Visitor

Invite = Callable[..., "Visitor"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A separate server process with an empty database."""
    folder = tmp_path_factory.mktemp("site")
    site = Site(folder)
    with in_file(folder), running(site):
        yield site


@pytest.fixture
def sink() -> Iterator[Sink]:
    """The mail server of `clocked_site`."""
    with mail_server() as (sink, _):
        yield sink


@pytest.fixture
def clocked_site(tmp_path: Path, sink: Sink) -> Iterator[ClockedSite]:
    """A site that sends mail, and whose clock can be moved forward."""
    site = ClockedSite(tmp_path, {"KAKOMI_MAIL_URL": sink.url})
    with in_file(tmp_path), running(site):
        yield site
    assert "Traceback" not in site.errors, site.errors


@pytest.fixture(scope="package")
def chrome() -> Iterator[Any]:
    """A Chromium that closes after the last test of this folder, since model tests may follow in the
    process."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(chrome: Any, request: pytest.FixtureRequest) -> Iterator[Invite]:
    """Makes visitors, and checks at the end that none saw an error. `home` is another site's address."""
    from browser.visitor import Visitor

    visitors: list[Visitor] = []

    def come(home: str = "", **device: Any) -> Visitor:
        address = home or _address(request.getfixturevalue("site"))
        visitors.append(Visitor(chrome, address, **device))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.context.close()
    assert [visitor.troubles for visitor in visitors] == [[] for _ in visitors], _errors(request)


@pytest.fixture
def visitor(visit: Invite) -> "Visitor":
    """A visitor who hasn't opened a page yet."""
    return visit()


def _errors(request: pytest.FixtureRequest) -> str:
    """The errors logged by a test's sites."""
    sites = ("site", "clocked_site")
    return "\n".join(request.getfixturevalue(name).errors for name in sites if name in request.fixturenames)


def _address(site: Site) -> str:
    assert site.ended is None, f"the site has ended with {site.ended}: {site.errors}"
    return f"http://localhost:{site.port}"
