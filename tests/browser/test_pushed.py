"""Push in a real browser: subscribed to by its page, encrypted by the site, shown by its service worker.

A test server replaces Chromium's push service, which isn't available: it receives the messages, decrypts them
with the browser's keys, and delivers them, as the service and the browser do together.
"""

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from browser.account_walk import act, challenge, join
from browser.camera import photograph
from browser.chromium import SHOWS_NOTIFICATIONS, executable
from browser.conftest import Invite
from browser.gathering import MINUTE
from browser.visitor import PATIENCE, Visitor, expect
from server.clocked_site import ClockedSite
from server.posted import Received, program
from server.push_agent import UserAgent, claims_of
from server.services import missing
from waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Worker

_SUBSCRIBE = """PushManager.prototype.subscribe = async function ({ userVisibleOnly, applicationServerKey }) {
  localStorage.subscribedWith = applicationServerKey;
  return { toJSON: () => ({ endpoint: %s, keys: %s }) };
};"""
_COUNT = """() => {
  const show = registration.showNotification.bind(registration);
  globalThis.showings = 0;
  registration.showNotification = (...told) => show(...told).then(() => { showings += 1; });
}"""
_SHOWN = """async () => (await registration.getNotifications()).map(
  ({ title, body, tag, data }) => ({ title, body, tag, data }))"""
_CHANGE = """async ([old, endpoint, keys]) => {
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ endpoint, keys }) });
  const event = new ExtendableEvent("pushsubscriptionchange");
  event.oldSubscription = { endpoint: old, options: { applicationServerKey: "key" } };
  const waits = [];
  event.waitUntil = (promise) => waits.push(promise);
  dispatchEvent(event);
  await Promise.all(waits);
}"""
_CLICK = """async () => {
  globalThis.done = [];
  clients.openWindow = async (url) => done.push(["opened", url]);
  WindowClient.prototype.focus = async function () { done.push(["focused", this.url]); };
  const [notification] = await registration.getNotifications();
  const waits = [];
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (promise) => waits.push(promise);
  dispatchEvent(event);
  await Promise.all(waits);
  return { done, left: (await registration.getNotifications()).length };
}"""


@pytest.fixture
def site(clocked_site: ClockedSite) -> ClockedSite:
    return clocked_site


@pytest.fixture
def chrome(chrome: Any) -> Iterator[Any]:
    found = executable(SHOWS_NOTIFICATIONS)
    if found is None:
        missing(f"no Chromium shows notifications: looked for {', '.join(SHOWS_NOTIFICATIONS)}")
    browser = chrome.browser_type.launch(executable_path=found, args=["--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture
def service() -> Iterator[tuple[Received, str]]:
    with program() as taken:
        yield taken


def test_a_turn_is_pushed_shown_and_opened(
    site: ClockedSite, visit: Invite, service: tuple[Received, str]
) -> None:
    (received, address), agent = service, UserAgent()
    ada, bob = visit(reduced_motion="reduce"), visit(permissions=["notifications"])
    join(ada, "Ada")
    table = challenge(ada, bob, join(bob, "Bob"))
    browser = _Browser(bob)
    key = browser.subscribe(address, agent)
    act(ada, "0,0")
    site.skip(MINUTE)
    headers, body = _await_post(received)
    claims, signed_by = claims_of(headers["Authorization"])
    assert signed_by == key and claims["aud"] == address.removesuffix("/hook?a=1")
    said = agent.read(body)
    assert json.loads(said) == {
        "text": "Your turn: Rin, against Ada.",
        "url": table,
        "kind": "turn",
        "table": table.rpartition("/")[2],
    }
    browser.deliver(said)
    shown = {"title": "Kakomi", "body": "Your turn: Rin, against Ada.", "data": table}
    assert browser.worker.evaluate(_SHOWN) == [{**shown, "tag": json.loads(said)["table"]}]
    browser.deliver(said)
    assert len(browser.worker.evaluate(_SHOWN)) == 1, "one for a table"
    assert browser.worker.evaluate(_CLICK) == {"done": [["opened", table]], "left": 0}
    bob.open_tab().goto(table)
    browser.deliver(said)
    assert browser.worker.evaluate(_CLICK) == {"done": [["focused", table]], "left": 0}


def test_a_subscription_that_the_browser_changes_goes_on(
    site: ClockedSite, visit: Invite, service: tuple[Received, str]
) -> None:
    (received, address), agent = service, UserAgent()
    ada, bob = visit(reduced_motion="reduce"), visit(permissions=["notifications"])
    join(ada, "Ada")
    challenge(ada, bob, join(bob, "Bob"))
    browser = _Browser(bob)
    browser.subscribe(f"{address}&b=2", UserAgent())
    browser.worker.evaluate(_CHANGE, [f"{address}&b=2", address, agent.keys])
    act(ada, "0,0")
    site.skip(MINUTE)
    _, body = _await_post(received)
    assert json.loads(agent.read(body))["text"] == "Your turn: Rin, against Ada."


class _Browser:
    """A visitor's browser, and the service worker that receives push messages."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._tools = visitor.context.new_cdp_session(visitor.page)
        self._registrations: list[Any] = []
        self._tools.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda told: self._registrations.extend(told["registrations"]),
        )
        self._tools.send("ServiceWorker.enable")
        self.worker: Worker

    def subscribe(self, address: str, agent: UserAgent) -> str:
        """Press the button to subscribe, and return the site's key that the page used."""
        page = self._visitor.page
        page.add_init_script(_SUBSCRIBE % (json.dumps(address), json.dumps(agent.keys)))
        page.goto("/notices/preferences")
        with self._visitor.context.expect_event("serviceworker") as begun:
            page.locator("#take-push").click()
        self.worker = begun.value
        expect(page.locator("[aria-labelledby=push-title] .endpoints li")).to_have_count(1)
        photograph(self._visitor, "push-01-browser")
        self.worker.evaluate(_COUNT)
        return str(page.evaluate("localStorage.subscribedWith"))

    def deliver(self, said: bytes) -> None:
        """Deliver a pushed message to the service worker."""
        (number,) = {it["registrationId"] for it in self._registrations if not it["isDeleted"]}
        home = urlsplit(self._visitor.page.url)
        told = {"origin": f"{home.scheme}://{home.netloc}", "registrationId": number, "data": said.decode()}
        before = self.worker.evaluate("showings")
        self._tools.send("ServiceWorker.deliverPushMessage", told)
        end = time.monotonic() + PATIENCE / 1000
        while self.worker.evaluate("showings") == before and time.monotonic() < end:
            self._visitor.page.wait_for_timeout(20)


def _await_post(received: Received) -> tuple[dict[str, str], bytes]:
    (post,) = until(lambda: received.posts, "what is pushed")
    return post
