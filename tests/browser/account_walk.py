"""All pages of accounts and between people, in every state that looks different."""

import base64
import hmac
import time
from collections.abc import Iterator
from uuid import uuid4

from django.core import signing

from browser.accounts import Device
from browser.visitor import Visitor, expect, until
from kakomi.server.notices.digests import SALT
from kakomi.server.site.configuration import SECRET_FILE
from server.sites import Site

PASSWORD = "boards of many stones"
REDIRECT = "https://example.org/back"
RETRIES = 2
"""The site closes idle connections, and a request sent at that moment is lost."""
TITLES = {"lin": "Lin", "rin": "Rin"}
DAYS = {"clock": "3d", "side": "first", "size": "6", "sent": "1"}


def post(visitor: Visitor, path: str, **form: str) -> str:
    """Submit a form without visiting its page, and return the address that it led to."""
    asked = visitor.context.request
    asked.get("/about", max_retries=RETRIES)
    token = next(it["value"] for it in visitor.context.cookies() if it["name"] == "csrftoken")
    fields: dict[str, str | float | bool] = dict(form)
    answer = asked.post(path, form=fields, headers={"X-CSRFToken": token}, max_retries=RETRIES)
    assert answer.ok, f"{path}: {answer.status} {answer.text()[-3000:]}"
    return answer.url


def join(visitor: Visitor, name: str) -> str:
    """Sign up under a unique name, and return that name."""
    username = f"{name.lower()}-{uuid4().hex[:6]}"
    post(visitor, "/me/preferences", name=name)
    post(visitor, "/account/sign-up", username=username, password1=PASSWORD)
    return username


def challenge(host: Visitor, guest: Visitor, username: str, game: str = "rin", **terms: str) -> str:
    """Let the host challenge the guest by name and the guest accept; return the table's address."""
    page = host.page
    post(host, f"/lobby/new/{game}", **{**DAYS, "to": username, "key": uuid4().hex, **terms})
    guest.page.goto("/lobby/")
    guest.page.locator(f".challenge:has(h2:has-text('{TITLES[game]}')) button.primary").click()
    guest.await_page("/table/")
    page.goto(guest.page.url)
    return page.url


def resign(visitor: Visitor, table: str) -> None:
    """Resign on the table's page."""
    visitor.page.goto(table)
    visitor.page.locator("#resigning summary").click()
    visitor.page.locator("#resign").click()
    expect(visitor.page.locator("#ending")).to_be_visible()


def act(visitor: Visitor, *points: str) -> None:
    """Play at points of the visible board, and wait for each response."""
    for point in points:
        visitor.page.locator(f"#board [data-point='{point}']").click()
        until(visitor.page, '() => !document.querySelector("[aria-busy]")')


def pages_before_an_account(visitor: Visitor, site: Site) -> Iterator[str]:
    """Go through the pages that visitors without an account see, except for signing in."""
    pages = ("/ratings/", "/ratings/how", "/games/search", "/notices/", "/notices/preferences", "/lobby/")
    for address in pages:
        yield _at(visitor, address)
    for address in ("/me/time-off", "/me/data", "/lobby/new/rings", "/lobby/settings"):
        yield _at(visitor, address)
    visitor.page.goto(_unsubscribing(site))
    yield "a link that stops mail"
    visitor.page.locator("main form button").first.click()
    expect(visitor.page.get_by_role("main").locator("form")).to_have_count(0)
    yield "mail that was stopped"
    visitor.page.goto("/account/sign-up")
    visitor.page.fill("[name=username]", "ada")
    visitor.page.fill("[name=password1]", "short")
    visitor.page.locator("main form button.primary").click()
    expect(visitor.page.locator("[aria-invalid]").first).to_be_visible()
    yield "a password that is too short"


def _unsubscribing(site: Site) -> str:
    """The unsubscribe link in a digest to a deleted person, made as the site makes it."""
    secret = (site.folder / SECRET_FILE).read_text().strip()
    return f"/notices/off/{signing.dumps([0, 'ada@example.org'], key=secret, salt=SALT, compress=True)}"


def pages_of_an_account(ada: Visitor, bob: Visitor) -> Iterator[str]:
    """Go through the pages of Ada, who has an account, an API token and a bot; Bob has an account too.

    `test_signing_in` covers the pages of signing in.
    """
    name, other = join(ada, "Ada"), join(bob, "Bob")
    for address in ("/me/time-off", "/me/data", "/lobby/", "/lobby/new/lin", "/lobby/settings"):
        yield _at(ada, address)
    yield _at(ada, "/me/tokens")
    ada.page.fill("[name=name]", "My analysis")
    ada.page.locator("[name=scopes]").first.check()
    ada.page.locator("main form button.primary").click()
    expect(ada.page.locator("#token")).to_be_visible()
    yield "a new token"
    post(ada, "/me/bots", username=f"bot-{uuid4().hex[:6]}")
    yield _at(ada, "/me/bots")
    ada.page.get_by_role("main").locator("a[href^='/me/bots/']").click()
    yield "the tokens of a bot"
    yield _at(ada, "/notices/preferences")
    yield from _pages_of_opponents(ada, bob, name, other)
    yield from _pages_of_messages(ada, bob, name, other)
    yield from _pages_of_a_second_step(ada, name)


def _pages_of_messages(ada: Visitor, bob: Visitor, name: str, other: str) -> Iterator[str]:
    yield _at(ada, "/messages/")
    yield _at(ada, f"/messages/@{other}")
    post(bob, f"/messages/@{name}", text="Shall we play?", key="one")
    yield _at(ada, "/messages/")
    post(ada, f"/messages/@{other}", text="Gladly.\n\nTomorrow?", key="two")
    yield _at(ada, f"/messages/@{other}")
    ada.page.locator(".conversation a").first.click()
    yield "a message to be reported"
    post(ada, "/messages/wanted", wanted="no")
    yield _at(ada, f"/messages/@{other}")
    post(ada, "/messages/wanted", wanted="yes")


def _pages_of_a_second_step(ada: Visitor, name: str) -> Iterator[str]:
    """Add a passkey and an authenticator app, which the next sign-in requires."""
    page, _ = ada.page, Device(ada)
    yield _at(ada, "/account/passkeys/new")
    page.fill("[name=name]", "This device")
    page.locator("main form button.primary").click()
    expect(page.locator(".recovery-codes")).to_be_visible()
    yield "recovery codes"
    page.goto("/account/app")
    page.fill("[name=code]", _code(page.locator("#key").input_value()))
    page.locator("main form button.primary").click()
    ada.await_page("/me")
    yield "all ways to sign in"
    passkey = page.locator("a[href$='/name']").get_attribute("href") or ""
    for address in (
        passkey,
        passkey.replace("/name", "/remove"),
        "/account/app/remove",
        "/account/codes/new",
    ):
        yield _at(ada, address)
    for address in ("/account/again", "/account/sign-out"):
        yield _at(ada, address)
    page.locator("main form button").first.click()
    page.goto("/account/sign-in")
    page.fill("[name=login]", name)
    page.fill("[name=password]", PASSWORD)
    page.locator("main form button.primary").first.click()
    ada.await_page("/account/sign-in/second")
    yield "the second step of a sign-in"


def _code(key: str) -> str:
    """The code that an authenticator app shows now (RFC 6238)."""
    secret = base64.b32decode(key + "=" * (-len(key) % 8))
    digest = hmac.digest(secret, int(time.time() // 30).to_bytes(8), "sha1")
    number = int.from_bytes(digest[digest[-1] & 15 :][:4]) & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def _pages_of_opponents(ada: Visitor, bob: Visitor, name: str, other: str) -> Iterator[str]:
    """Go through two correspondence games, a rated one that ends, and one with a plan, a rest and a
    notice."""
    for _ in range(2):
        rated = challenge(ada, bob, other, is_rated="1", side="lot")
        for visitor in (ada, bob) * 2:
            visitor.page.goto(rated)
            if visitor.page.locator(".prompt.is-yours").count():
                visitor.page.locator("#board .target[data-action]").first.click()
                until(visitor.page, '() => !document.querySelector("[aria-busy]")')
        resign(bob, rated)
    table = challenge(ada, bob, other)
    yield "a table over days"
    act(ada, "0,0")
    bob.page.goto(table)
    act(bob, "5,5", "4,4")
    bob.page.locator("#confirm").click()
    expect(ada.page.locator(".prompt.is-yours")).to_be_visible()
    act(ada, "0,1", "0,2")
    ada.page.locator("#confirm").click()
    expect(bob.page.locator(".prompt.is-yours")).to_be_visible()
    ada.page.goto(f"{table}/plan")
    yield "a plan that is empty"
    act(ada, "1,1", "2,2", "3,3", "1,0")
    ada.page.locator("#arm").click()
    expect(ada.page.locator(".plan-state.is-armed")).to_be_visible()
    yield "a plan that is armed"
    ada.page.goto(table)
    expect(ada.page.locator(".plan-panel.is-armed")).to_be_visible()
    _rest(bob)
    expect(ada.page.locator(".resting")).to_be_visible()
    yield "a table with a plan, and somebody who rests"
    post(ada, "/lobby/new/ren", **{**DAYS, "key": uuid4().hex, "size": "8"})
    post(bob, "/lobby/new/rings", **{**DAYS, "to": name, "key": uuid4().hex, "players": "3", "least": "2"})
    ada.page.goto("/lobby/")
    expect(ada.page.locator(".challenge")).to_be_visible()
    yield "a lobby with a challenge and a seek"
    challenge(bob, ada, name, "lin", size="7", side="last")
    yield _at(ada, "/")
    assert ada.page.locator(".left.mine").count() == 1
    yield _at(ada, "/notices/")
    yield _at(ada, "/ratings/")
    yield _at(ada, "/ratings/rin/small/days?provisional=1")
    yield _at(ada, "/games/search?mine=1")
    yield _at(ada, f"/@{name}")
    ada.page.locator(".curve-graph a[href^='/ratings/rin/small/days/@']").click()
    ada.await_page("/ratings/rin/small/days/@")
    yield "how a rating came about"
    yield _at(ada, f"/@{other}")
    invitation = _invitation(bob)
    post(ada, f"/@{other}/block")
    yield _at(ada, f"/@{other}")
    ada.page.goto(invitation)
    yield "an invitation of somebody whom one has blocked"
    post(ada, f"/@{other}/block", wanted="no")


def _rest(visitor: Visitor) -> None:
    visitor.page.goto("/me/time-off")
    visitor.page.locator("form:has(#first) button").click()
    expect(visitor.page.locator("[name=end]").first).to_be_visible()


def _invitation(host: Visitor) -> str:
    form = {"opponent": "friend", "size": "6", "side": "0"}
    host.page.goto(post(host, "/play/rin", **form))
    return host.page.locator("[id^=invitation-]").input_value()


def _at(visitor: Visitor, address: str) -> str:
    visitor.page.goto(address)
    return address
